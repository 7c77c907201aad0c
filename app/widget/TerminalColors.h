#pragma once

#include "app/widget/Tokens.h"
#include "engine/record/TextStyle.h"

namespace ringmaster::app {

/// A style that a program asked its terminal for, in the theme's colours: text that could not be
/// read on its ground is made lighter or darker until it can.
struct TerminalLook
{
    QColor text{};
    QColor ground{}; ///< Invalid: nothing is painted behind the text.
};

/// `plain` is the colour of text without one.
TerminalLook terminalLook(const TextStyle& style, const QColor& plain, const Tokens& tokens);

/// Contrast of two colours, from 1 to 21, as WCAG 2 counts it.
double contrast(const QColor& one, const QColor& other);

} // namespace ringmaster::app
