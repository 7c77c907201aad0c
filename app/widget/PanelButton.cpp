#include "app/widget/PanelButton.h"

#include "app/widget/Card.h"
#include "app/widget/Tokens.h"

#include <QPainter>
#include <QPainterPath>

namespace ringmaster::app {

namespace {

QPainterPath pathOf(PanelButton::Shape shape, const QRectF& r)
{
    const double arm = r.width() * 0.4;
    QPainterPath path;
    // Two corners: they point away from each other, or at each other.
    const auto corner = [&](const QPointF& tip, double right, double down) {
        path.moveTo(tip + QPointF(right * arm, 0));
        path.lineTo(tip);
        path.lineTo(tip + QPointF(0, down * arm));
    };
    switch (shape) {
    case PanelButton::Shape::Fold:
        path.moveTo(r.left(), r.bottom() - 1);
        path.lineTo(r.right(), r.bottom() - 1);
        break;
    case PanelButton::Shape::Maximise:
        corner(r.topRight(), -1, 1);
        corner(r.bottomLeft(), 1, -1);
        break;
    case PanelButton::Shape::Restore:
        corner(r.center() + QPointF(1.2, -1.2), 1, -1);
        corner(r.center() + QPointF(-1.2, 1.2), -1, 1);
        break;
    }
    return path;
}

} // namespace

PanelButton::PanelButton(Shape shape, QWidget* parent) : QToolButton(parent), m_shape(shape)
{
    setLook(this, "flat");
    setFocusPolicy(Qt::NoFocus);
}

void PanelButton::setShape(Shape shape)
{
    m_shape = shape;
    update();
}

void PanelButton::paintEvent(QPaintEvent* event)
{
    QToolButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = themeTokens();
    painter.setPen(QPen(underMouse() ? tokens.text : tokens.mutedText, 1.5, Qt::SolidLine,
                        Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(pathOf(m_shape, QRectF(width() / 2.0 - 5, height() / 2.0 - 5, 10, 10)));
}

} // namespace ringmaster::app
