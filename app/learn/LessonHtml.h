#pragma once

#include "engine/lesson/Pack.h"
#include "engine/lesson/Progress.h"

#include <QString>

namespace ringmaster::app {

/// A lesson's text, what people get wrong, and what to try, in the language of the dashboard.
/// Whatever a pack says is shown as it is written: no markup of its own.
QString lessonHtml(const lesson::Pack& pack, const lesson::Progress& progress);

} // namespace ringmaster::app
