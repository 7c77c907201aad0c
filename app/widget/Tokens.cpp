#include "app/widget/Tokens.h"

#include <QGuiApplication>
#include <QPalette>

namespace ringmaster::app {

const Tokens& lightTokens()
{
    static const Tokens tokens{
        .isDark = false,
        .window = QColor(0xF5F6F8),
        .sideBar = QColor(0xFFFFFF),
        .card = QColor(0xFFFFFF),
        .border = QColor(0xDDE2E8),
        .field = QColor(0xFFFFFF),
        .text = QColor(0x191D23),
        .mutedText = QColor(0x586272),
        .accent = QColor(0x1466C8),
        .accentHover = QColor(0x0F57AD),
        .accentText = QColor(0xFFFFFF),
        .hover = QColor(0xEEF1F5),
        .selection = QColor(0xDDE9FA),
        .grid = QColor(0xE7EAEF),
        .neutral = {QColor(0x9AA3AF), QColor(0x586272)},
        .running = {QColor(0x0072B2), QColor(0x00639B)},
        .finished = {QColor(0x009E73), QColor(0x00724F)},
        .stopped = {QColor(0x56B4E9), QColor(0x1C6C9C)},
        .restarted = {QColor(0xCC79A7), QColor(0x97416F)},
        .warning = {QColor(0xE69F00), QColor(0x8A5A00)},
        .failed = {QColor(0xD55E00), QColor(0xB04500)},
    };
    return tokens;
}

const Tokens& darkTokens()
{
    static const Tokens tokens{
        .isDark = true,
        .window = QColor(0x13161A),
        .sideBar = QColor(0x1B1F25),
        .card = QColor(0x1B1F25),
        .border = QColor(0x2F353E),
        .field = QColor(0x15181D),
        .text = QColor(0xE7EAEE),
        .mutedText = QColor(0x9DA6B3),
        .accent = QColor(0x4F9BEF),
        .accentHover = QColor(0x6DAEF5),
        .accentText = QColor(0x0B1320),
        .hover = QColor(0x252A32),
        .selection = QColor(0x233650),
        .grid = QColor(0x2A3038),
        .neutral = {QColor(0x7D8794), QColor(0xA6AFBB)},
        .running = {QColor(0x3F9BDC), QColor(0x6CB6EC)},
        .finished = {QColor(0x1FB489), QColor(0x45CFA6)},
        .stopped = {QColor(0x7CC4EE), QColor(0x9AD2F3)},
        .restarted = {QColor(0xD68FB6), QColor(0xE2ABC9)},
        .warning = {QColor(0xE69F00), QColor(0xF3B93C)},
        .failed = {QColor(0xE8702A), QColor(0xFF935A)},
    };
    return tokens;
}

const Tokens& themeTokens()
{
    const QColor window = QGuiApplication::palette().color(QPalette::Active, QPalette::Window);
    return window.lightness() < 128 ? darkTokens() : lightTokens();
}

QColor withAlpha(QColor color, double alpha)
{
    color.setAlphaF(static_cast<float>(alpha));
    return color;
}

} // namespace ringmaster::app
