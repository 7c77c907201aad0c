#pragma once

#include "engine/cli/Terminal.h"
#include "engine/hosts/Preflight.h"

#include <string_view>

namespace ringmaster {

using Grade = PreflightFinding::Grade;

/// ok, note, bad
std::string_view gradeText(Grade grade);
Terminal::Style styleOf(Grade grade);

} // namespace ringmaster
