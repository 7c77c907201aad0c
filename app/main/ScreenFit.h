#pragma once

#include <QMargins>
#include <QObject>
#include <QRect>

class QWidget;

namespace ringmaster::app {

/// Where a window's inside goes, so that the window with its frame is on the screen: no larger than
/// the screen, and nearest to where it was wanted.
QRect placeOnScreen(const QRect& wanted, const QMargins& frame, const QRect& screen);

/// Puts a new window onto its screen as soon as the window manager has said how wide its frame is.
/// Then the size is the user's: it goes by itself.
class ScreenFit : public QObject
{
    Q_OBJECT

public:
    explicit ScreenFit(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& m_window;
};

} // namespace ringmaster::app
