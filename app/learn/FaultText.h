#pragma once

#include "engine/lesson/Faults.h"

#include <QString>

namespace ringmaster::app {

/// What a fault was, who noticed it, after how long, and what came of it; as far as it was known
/// after so many steps.
QString faultText(const lesson::FaultReport& report, size_t steps = SIZE_MAX);

} // namespace ringmaster::app
