#pragma once

#include "engine/lesson/Pack.h"
#include "engine/lesson/Progress.h"

#include <QString>

namespace ringmaster::app {

/// A pack's `code` and **bold**; all else as it is written, no markup of its own.
QString lessonHtml(const QString& text);

/// A lesson's text, what people get wrong, and what to try; `language` is "en" or "ja".
QString lessonHtml(const lesson::Pack& pack, const lesson::Progress& progress,
                   const std::string& language);

/// The same of a lesson that is being written, with its title and its questions; nobody has solved
/// anything.
QString previewHtml(const lesson::Pack& pack, const std::string& language);

} // namespace ringmaster::app
