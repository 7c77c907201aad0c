#include "app/widget/StateLook.h"

#include <QPainter>
#include <QPainterPath>

namespace ringmaster::app {

StateLook lookOf(Health health, const Tokens& tokens)
{
    switch (health) {
    case Health::Starting: return {tokens.neutral, Glyph::HollowCircle};
    case Health::Running: return {tokens.running, Glyph::Circle};
    case Health::Waiting: return {tokens.warning, Glyph::HalfCircle};
    case Health::Slow: return {tokens.warning, Glyph::Triangle};
    case Health::Hanging: return {tokens.failed, Glyph::Diamond};
    case Health::Stopped: return {tokens.failed, Glyph::Bars};
    case Health::Restarting: return {tokens.restarted, Glyph::Arrow};
    case Health::Stopping:
    case Health::Ended:
    case Health::StoppedByUser: return {tokens.stopped, Glyph::Square};
    case Health::Failed: return {tokens.failed, Glyph::Cross};
    case Health::Finished: return {tokens.finished, Glyph::Tick};
    case Health::Recorded: return {tokens.neutral, Glyph::DashedRing};
    case Health::Lost: return {tokens.restarted, Glyph::DashedRing};
    }
    return {};
}

StateLook lookOf(Notice::Severity severity, const Tokens& tokens)
{
    switch (severity) {
    case Notice::Severity::Info: return {tokens.neutral, Glyph::Circle};
    case Notice::Severity::Warning: return {tokens.warning, Glyph::Triangle};
    case Notice::Severity::Error: return {tokens.failed, Glyph::Cross};
    }
    return {};
}

StateLook lookOf(HostChanged::State state, const Tokens& tokens)
{
    switch (state) {
    case HostChanged::State::Connecting: return {tokens.neutral, Glyph::DashedRing};
    case HostChanged::State::Connected: return {tokens.running, Glyph::Circle};
    case HostChanged::State::Lost: return {tokens.warning, Glyph::Triangle};
    case HostChanged::State::Gone: return {tokens.failed, Glyph::Cross};
    case HostChanged::State::Finished: return {tokens.finished, Glyph::Tick};
    case HostChanged::State::StandingBy: return {tokens.running, Glyph::HollowCircle};
    case HostChanged::State::Reconnecting: return {tokens.warning, Glyph::DashedRing};
    }
    return {};
}

namespace {

void paintStrokes(QPainter& painter, const QRectF& r, Glyph shape)
{
    QPainterPath path;
    if (shape == Glyph::Tick) {
        path.moveTo(r.left(), r.center().y());
        path.lineTo(r.left() + r.width() * 0.38, r.bottom() - r.height() * 0.1);
        path.lineTo(r.right(), r.top() + r.height() * 0.1);
    } else if (shape == Glyph::Cross) {
        path.moveTo(r.topLeft());
        path.lineTo(r.bottomRight());
        path.moveTo(r.topRight());
        path.lineTo(r.bottomLeft());
    } else {
        path.arcMoveTo(r, 60);
        path.arcTo(r, 60, 285);
        const QPointF end = path.currentPosition();
        path.moveTo(end + QPointF(-r.width() * 0.36, 0));
        path.lineTo(end);
        path.lineTo(end + QPointF(r.width() * 0.05, r.height() * 0.38));
    }
    painter.drawPath(path);
}

} // namespace

void paintGlyph(QPainter& painter, const QRectF& rect, Glyph shape, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double stroke = std::max(1.4, rect.width() * 0.17);
    const QRectF inner = rect.adjusted(stroke / 2, stroke / 2, -stroke / 2, -stroke / 2);
    QPen pen(color, stroke, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (shape) {
    case Glyph::Circle: painter.drawEllipse(rect); break;
    case Glyph::Square: painter.drawRoundedRect(rect.adjusted(.5, .5, -.5, -.5), 1.5, 1.5); break;
    case Glyph::Triangle: {
        const QPolygonF triangle{QPointF(rect.center().x(), rect.top()), rect.bottomRight(),
                                 rect.bottomLeft()};
        painter.drawPolygon(triangle);
        break;
    }
    case Glyph::Diamond: {
        const QPolygonF diamond{
            QPointF(rect.center().x(), rect.top()), QPointF(rect.right(), rect.center().y()),
            QPointF(rect.center().x(), rect.bottom()), QPointF(rect.left(), rect.center().y())};
        painter.drawPolygon(diamond);
        break;
    }
    case Glyph::Bars: {
        const double bar = rect.width() * 0.32;
        painter.drawRect(QRectF(rect.left() + 0.5, rect.top(), bar, rect.height()));
        painter.drawRect(QRectF(rect.right() - bar - 0.5, rect.top(), bar, rect.height()));
        break;
    }
    case Glyph::HalfCircle:
        painter.drawPie(inner, 90 * 16, 180 * 16);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(inner);
        break;
    case Glyph::DashedRing:
        pen.setDashPattern({1.2, 1.4});
        pen.setCapStyle(Qt::FlatCap);
        [[fallthrough]];
    case Glyph::HollowCircle:
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(inner);
        break;
    case Glyph::Tick:
    case Glyph::Cross:
    case Glyph::Arrow:
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        paintStrokes(painter, inner, shape);
        break;
    }
    painter.restore();
}

} // namespace ringmaster::app
