#include "app/widget/RangeGestures.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QRubberBand>
#include <QWheelEvent>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr double Closer = 1.25;
constexpr double Further = 0.8;
constexpr double PanStep = 0.1;

} // namespace

RangeGestures::RangeGestures(ShownRange& range, BareKeys bareKeys, QWidget* canvas, QWidget* keys,
                             std::function<QRect()> plot)
    : QObject(canvas)
    , m_range(range)
    , m_bareKeys(bareKeys)
    , m_canvas(canvas)
    , m_plot(std::move(plot))
    , m_band(new QRubberBand(QRubberBand::Rectangle, canvas))
{
    canvas->installEventFilter(this);
    if (keys != canvas)
        keys->installEventFilter(this);
}

bool RangeGestures::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress)
        return key(static_cast<QKeyEvent*>(event));
    if (watched != m_canvas)
        return false;
    switch (event->type()) {
    case QEvent::Wheel: return wheel(static_cast<QWheelEvent*>(event));
    case QEvent::MouseButtonPress: return press(static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove: return move(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease: return release(static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonDblClick:
        return static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton && m_range.goBack();
    // NOLINTNEXTLINE: of a hundred kinds of event, these are for a hand
    default: return false;
    }
}

double RangeGestures::fractionAt(int x) const
{
    const QRect plot = m_plot();
    return std::clamp(static_cast<double>(x - plot.left()) / std::max(1, plot.width()), 0.0, 1.0);
}

bool RangeGestures::wheel(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        m_range.zoom(delta.y() > 0 ? Closer : Further,
                     fractionAt(static_cast<int>(event->position().x())));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || delta.x() != 0) {
        m_range.pan(delta.x() + delta.y() > 0 ? -PanStep : PanStep);
    } else {
        return false;
    }
    event->accept();
    return true;
}

bool RangeGestures::press(QMouseEvent* event)
{
    m_from = event->pos();
    m_button = event->button();
    m_isMoving = m_button == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
    return false;
}

bool RangeGestures::move(QMouseEvent* event)
{
    const QRect plot = m_plot();
    if (m_button == Qt::NoButton || !event->buttons().testFlag(m_button) || plot.width() <= 0)
        return false;
    if (m_isMoving) {
        m_range.pan(static_cast<double>(m_from.x() - event->pos().x()) / plot.width());
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

bool RangeGestures::release(QMouseEvent* event)
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
    m_range.select(fractionAt(chosen.left()), fractionAt(chosen.right()));
    event->accept();
    return true;
}

bool RangeGestures::key(QKeyEvent* event)
{
    const bool movesRange =
        m_bareKeys == BareKeys::Range || event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_range.zoom(Closer, 0.5); return true;
    case Qt::Key_Minus: m_range.zoom(Further, 0.5); return true;
    case Qt::Key_0: m_range.showAll(); return true;
    case Qt::Key_Backspace: return m_range.goBack();
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (movesRange)
            m_range.pan(event->key() == Qt::Key_Left ? -PanStep : PanStep);
        return movesRange;
    case Qt::Key_Escape:
        if (!m_band->isVisible())
            return m_bareKeys == BareKeys::Range && m_range.goBack();
        m_band->hide();
        m_button = Qt::NoButton;
        return true;
    default: return false;
    }
}

} // namespace ringmaster::app
