#pragma once

#include "engine/lesson/FaultAnswers.h"

#include <QString>

namespace ringmaster::app {

/// What a fault was, who noticed it, after how long, and what came of it; as far as it was known
/// after so many steps.
QString faultText(const lesson::FaultReport& report, size_t steps = SIZE_MAX);

/// As an answer to what will come of such a fault, and to who will say which rank it was.
QString sentence(lesson::FaultOutcome outcome, const InjectFault& fault);
QString sentence(lesson::FaultWitness witness);

} // namespace ringmaster::app
