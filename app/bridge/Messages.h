#pragma once

#include "engine/base/Error.h"

#include <QString>

namespace ringmaster::app {

/// The sentence of a code in the language of the dashboard, with `{name}` places.
QString sentenceOf(Code code);

/// Whether there is anything to tell: not without a reason, nor of one that only says that it got
/// lost on its way.
bool saysAnything(const Message& message);

/// One statement, without its detail.
QString text(const Message& message);
/// The same with what was being done, and with the detail.
QString text(const Error& error);
QString detailOf(const Message& message);

} // namespace ringmaster::app
