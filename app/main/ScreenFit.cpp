#include "app/main/ScreenFit.h"

#include <QEvent>
#include <QScreen>
#include <QWidget>
#include <QWindow>

#include <algorithm>

namespace ringmaster::app {

QRect placeOnScreen(const QRect& wanted, const QMargins& frame, const QRect& screen)
{
    const QRect room = screen.marginsRemoved(frame);
    const QSize size = wanted.size().boundedTo(room.size());
    return {QPoint(std::clamp(wanted.x(), room.x(), room.right() + 1 - size.width()),
                   std::clamp(wanted.y(), room.y(), room.bottom() + 1 - size.height())),
            size};
}

ScreenFit::ScreenFit(QWidget& window) : QObject(&window), m_window(window)
{
    window.installEventFilter(this);
}

bool ScreenFit::eventFilter(QObject* watched, QEvent* event)
{
    const bool isPlaced = event->type() == QEvent::Move || event->type() == QEvent::Resize ||
                          event->type() == QEvent::WindowActivate;
    const QWindow* handle = m_window.windowHandle();
    if (!isPlaced || handle == nullptr || handle->frameMargins().isNull())
        return QObject::eventFilter(watched, event);
    m_window.removeEventFilter(this);
    deleteLater();
    const QRect place = placeOnScreen(m_window.geometry(), handle->frameMargins(),
                                      m_window.screen()->availableGeometry());
    const bool isNormal = !(m_window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen));
    // Later: the window is in the middle of the event that told of it.
    if (isNormal && place != m_window.geometry())
        QMetaObject::invokeMethod(
            &m_window, [&window = m_window, place] { window.setGeometry(place); },
            Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

} // namespace ringmaster::app
