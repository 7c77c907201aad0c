#pragma once

#include "app/widget/StateLook.h"

#include <QWidget>

class QLabel;

namespace ringmaster::app {

class Banner;

/// The place of a banner, which is kept for it: the page below stays where it is when the banner
/// comes and goes. Without one it says quietly how things stand.
class BannerPlace : public QWidget
{
    Q_OBJECT

public:
    explicit BannerPlace(QWidget* parent = nullptr);

    Banner& banner() { return *m_banner; }
    void setQuietText(Health health, const QString& text);
    /// Such a banner has its place kept.
    void setUsual(const QString& headline, const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void keepPlace();

    QString m_usualHeadline;
    QString m_usualText;
    Banner* m_banner;
    QLabel* m_quiet;
    Health m_health = Health::Starting;
};

} // namespace ringmaster::app
