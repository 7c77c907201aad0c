#pragma once

#include "engine/lesson/Pack.h"
#include "engine/lesson/Progress.h"

#include <QString>

namespace ringmaster::app {

/// A pack's `code` and **bold**; all else as it is written, no markup of its own.
QString lessonHtml(const QString& text);

/// A lesson's text, what people get wrong, and what to try, in the language of the dashboard.
QString lessonHtml(const lesson::Pack& pack, const lesson::Progress& progress);

} // namespace ringmaster::app
