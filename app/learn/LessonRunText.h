#pragma once

#include <QString>

namespace ringmaster::app {

class LessonRun;

/// What the Learn page shows processes of, or what it waits for: "4 real processes · gloo". Null:
/// it shows none.
QString statusText(const LessonRun* run);

} // namespace ringmaster::app
