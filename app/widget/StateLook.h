#pragma once

#include "app/widget/Tokens.h"
#include "engine/event/Health.h"

#include <QRectF>

class QPainter;

namespace ringmaster::app {

/// Shapes that differ at a glance, so that a state can be told without its colour.
enum class Glyph {
    Circle,
    HalfCircle,
    HollowCircle,
    DashedRing,
    Triangle,
    Diamond,
    Square,
    Bars,
    Tick,
    Cross,
    Arrow
};

/// How a state is drawn; its word comes from bridge/Words.h.
struct StateLook
{
    Tokens::State color{};
    Glyph shape = Glyph::Circle;
};

StateLook lookOf(Health health, const Tokens& tokens);
StateLook lookOf(Notice::Severity severity, const Tokens& tokens);
StateLook lookOf(HostChanged::State state, const Tokens& tokens);

/// Beside text, in pixels.
constexpr int GlyphBesideText = 10;

void paintGlyph(QPainter& painter, const QRectF& rect, Glyph shape, const QColor& color);

} // namespace ringmaster::app
