#include "app/jobs/TimeGestures.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QRubberBand>
#include <QWheelEvent>

#include <algorithm>

namespace ringmaster::app {

TimeGestures::TimeGestures(TimeSpan& span, QWidget* canvas, QWidget* keys,
                           std::function<QRect()> plot)
    : QObject(canvas)
    , m_span(span)
    , m_canvas(canvas)
    , m_plot(std::move(plot))
    , m_band(new QRubberBand(QRubberBand::Rectangle, canvas))
{
    canvas->installEventFilter(this);
    if (keys != canvas)
        keys->installEventFilter(this);
}

bool TimeGestures::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress)
        return key(static_cast<QKeyEvent*>(event));
    if (watched != m_canvas)
        return false;
    if (event->type() == QEvent::Wheel)
        return wheel(static_cast<QWheelEvent*>(event));
    if (event->type() == QEvent::MouseButtonPress)
        return press(static_cast<QMouseEvent*>(event));
    if (event->type() == QEvent::MouseMove)
        return move(static_cast<QMouseEvent*>(event));
    if (event->type() == QEvent::MouseButtonRelease)
        return release(static_cast<QMouseEvent*>(event));
    return false;
}

std::int64_t TimeGestures::timeAt(int x) const
{
    const QRect plot = m_plot();
    const TimeSpan::Range shown = m_span.shown();
    const double fraction =
        std::clamp(static_cast<double>(x - plot.left()) / std::max(1, plot.width()), 0.0, 1.0);
    return shown.from + static_cast<std::int64_t>(fraction * static_cast<double>(shown.length()));
}

bool TimeGestures::wheel(QWheelEvent* event)
{
    const QRect plot = m_plot();
    const QPoint delta = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double at = (event->position().x() - plot.left()) / std::max(1, plot.width());
        m_span.zoom(delta.y() > 0 ? 1.25 : 0.8, std::clamp(at, 0.0, 1.0));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || delta.x() != 0) {
        m_span.pan(delta.x() + delta.y() > 0 ? -0.1 : 0.1);
    } else {
        return false;
    }
    event->accept();
    return true;
}

bool TimeGestures::press(QMouseEvent* event)
{
    m_from = event->pos();
    m_button = event->button();
    m_isMoving = m_button == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
    return false;
}

bool TimeGestures::move(QMouseEvent* event)
{
    const QRect plot = m_plot();
    if (m_button == Qt::NoButton || !event->buttons().testFlag(m_button) || plot.width() <= 0)
        return false;
    if (m_isMoving) {
        m_span.pan(static_cast<double>(m_from.x() - event->pos().x()) / plot.width());
        m_from = event->pos();
        return true;
    }
    if (m_button != Qt::LeftButton)
        return false;
    const int distance = std::abs(event->pos().x() - m_from.x());
    if (!m_band->isVisible() && distance < QApplication::startDragDistance())
        return true;
    const int left = std::clamp(std::min(m_from.x(), event->pos().x()), plot.left(), plot.right());
    const int right = std::clamp(std::max(m_from.x(), event->pos().x()), plot.left(), plot.right());
    m_band->setGeometry(left, plot.top(), right - left, plot.height());
    m_band->show();
    return true;
}

bool TimeGestures::release(QMouseEvent* event)
{
    const bool wasMoving = std::exchange(m_isMoving, false);
    if (std::exchange(m_button, Qt::NoButton) != Qt::LeftButton || wasMoving)
        return false;
    if (!m_band->isVisible()) {
        Q_EMIT clicked(m_from);
        return false;
    }
    const QRect chosen = m_band->geometry();
    m_band->hide();
    m_span.show({timeAt(chosen.left()), timeAt(chosen.right())});
    event->accept();
    return true;
}

bool TimeGestures::key(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_span.zoom(1.25); return true;
    case Qt::Key_Minus: m_span.zoom(0.8); return true;
    case Qt::Key_0: m_span.showAll(); return true;
    case Qt::Key_Left: m_span.pan(-0.1); return true;
    case Qt::Key_Right: m_span.pan(0.1); return true;
    case Qt::Key_Escape:
        if (!m_band->isVisible())
            return false;
        m_band->hide();
        m_button = Qt::NoButton;
        return true;
    default: return false;
    }
}

} // namespace ringmaster::app
