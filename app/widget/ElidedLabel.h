#pragma once

#include <QFrame>

namespace ringmaster::app {

/// One line of text that is cut with … when there is no room; the tool tip then has all of it.
class ElidedLabel : public QFrame
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    void setText(const QString& text);
    QString text() const { return m_text; }
    void setElideMode(Qt::TextElideMode mode);
    bool isElided() const;
    /// What there is room for.
    QString shownText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool isInPlace() const;
    void updateToolTip();

    QString m_text;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

} // namespace ringmaster::app
