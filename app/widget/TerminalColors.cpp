#include "app/widget/TerminalColors.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ringmaster::app {

namespace {

/// What WCAG 2 asks of small text.
constexpr double Readable = 4.5;

/// xterm's first sixteen, a little softer.
constexpr QRgb Named[] = {0x000000, 0xC62828, 0x2E7D32, 0xA36A00, 0x1565C0, 0x8E24AA,
                          0x00838F, 0xBDBDBD, 0x757575, 0xEF5350, 0x66BB6A, 0xFFCA28,
                          0x42A5F5, 0xBA68C8, 0x26C6DA, 0xFFFFFF};
constexpr int CubeBegin = 16;
constexpr int GrayBegin = 232;

QColor paletteColor(int index)
{
    if (index < CubeBegin)
        return QColor(Named[index]);
    if (index >= GrayBegin) {
        const int level = 8 + 10 * (index - GrayBegin);
        return QColor(level, level, level);
    }
    const auto level = [](int step) { return step == 0 ? 0 : 55 + 40 * step; };
    const int place = index - CubeBegin;
    return QColor(level(place / 36), level(place / 6 % 6), level(place % 6));
}

QColor colorOf(const TextColor& color, const QColor& unset)
{
    switch (color.kind) {
    case TextColor::Kind::Default: return unset;
    case TextColor::Kind::Palette: return paletteColor(color.red);
    case TextColor::Kind::Direct: return QColor(color.red, color.green, color.blue);
    }
    return unset;
}

double luminance(const QColor& color)
{
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

QColor blended(const QColor& color, const QColor& other, double share)
{
    const auto mix = [share](int one, int two) {
        return static_cast<int>(std::lround(one + (two - one) * share));
    };
    return QColor(mix(color.red(), other.red()), mix(color.green(), other.green()),
                  mix(color.blue(), other.blue()));
}

/// As little towards black or white as makes it readable.
QColor readableOn(const QColor& ground, const QColor& color)
{
    const QColor end =
        contrast(Qt::white, ground) > contrast(Qt::black, ground) ? Qt::white : Qt::black;
    constexpr int Steps = 20;
    for (int step = 0; step < Steps; ++step) {
        const QColor candidate = blended(color, end, static_cast<double>(step) / Steps);
        if (contrast(candidate, ground) >= Readable)
            return candidate;
    }
    return end;
}

} // namespace

double contrast(const QColor& one, const QColor& other)
{
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

TerminalLook terminalLook(const TextStyle& style, const QColor& plain, const Tokens& tokens)
{
    QColor text = colorOf(style.foreground, plain);
    QColor ground = colorOf(style.background, style.isInverse ? tokens.card : QColor());
    if (style.isInverse)
        std::swap(text, ground);
    const QColor behind = ground.isValid() ? ground : tokens.card;
    if (style.isFaint)
        text = blended(text, behind, 0.3);
    return {readableOn(behind, text), ground};
}

} // namespace ringmaster::app
