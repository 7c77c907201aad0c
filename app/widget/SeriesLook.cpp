#include "app/widget/SeriesLook.h"

#include <QPainter>

#include <array>

namespace ringmaster::app {

namespace {

constexpr double ShadeShare = 0.34;

size_t placeIn(size_t size, int index)
{
    return static_cast<size_t>(index < 0 ? 0 : index) % size;
}

} // namespace

QColor mixed(const QColor& color, const QColor& other, double share)
{
    const auto part = [share](int one, int two) {
        return static_cast<int>(one * (1 - share) + two * share);
    };
    return {part(color.red(), other.red()), part(color.green(), other.green()),
            part(color.blue(), other.blue())};
}

QColor seriesColor(const SeriesLook& look, const Tokens& tokens)
{
    const std::array fills{tokens.running.fill,   tokens.finished.fill, tokens.warning.fill,
                           tokens.restarted.fill, tokens.stopped.fill,  tokens.failed.fill,
                           tokens.mutedText};
    const QColor fill = fills[placeIn(fills.size(), look.color)];
    switch (look.line % 3) {
    case 1: return mixed(fill, tokens.text, ShadeShare);
    case 2: return mixed(fill, tokens.card, ShadeShare);
    default: return fill;
    }
}

Glyph seriesShape(const SeriesLook& look)
{
    constexpr std::array Shapes{Glyph::Circle,       Glyph::Square, Glyph::Triangle,
                                Glyph::HollowCircle, Glyph::Cross,  Glyph::DashedRing};
    return Shapes[placeIn(Shapes.size(), look.shape)];
}

const std::vector<double>& seriesDashes(const SeriesLook& look)
{
    static const std::array<std::vector<double>, 9> patterns{{{},
                                                              {9, 4},
                                                              {2, 3},
                                                              {9, 3, 2, 3},
                                                              {9, 3, 2, 3, 2, 3},
                                                              {20, 5},
                                                              {5, 5},
                                                              {20, 4, 5, 4},
                                                              {2, 7}}};
    return patterns[placeIn(patterns.size(), look.line)];
}

void paintPoint(QPainter& painter, const SeriesLook& look, const QColor& color,
                const QPointF& center, double size)
{
    const QPointF half(size / 2, size / 2);
    paintGlyph(painter, QRectF(center - half, center + half), seriesShape(look), color);
}

} // namespace ringmaster::app
