#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

class QLabel;
class QPushButton;

namespace ringmaster::app {

/// Affirms what the user just did, at the lower edge of its parent, for some seconds; offers to
/// take it back where `undo` is given.
class Toast : public QFrame
{
    Q_OBJECT

public:
    explicit Toast(QWidget* parent);

    /// Below what is there still: nothing of it is lost.
    void add(const QString& text);
    void show(const QString& text, std::function<void()> undo);
    QString text() const;
    /// Out of sight, as where another page than its own is shown; its seconds go on.
    void setAside(bool isAside);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();

    QLabel* m_label;
    QPushButton* m_undoButton;
    std::function<void()> m_undo;
    QTimer m_lifetime;
};

} // namespace ringmaster::app
