#pragma once

#include "engine/lesson/Pack.h"
#include "engine/lesson/Recording.h"
#include "engine/text/Finding.h"

#include <string>
#include <vector>

namespace ringmaster {

/// Whether Python takes a lesson's program at all; nothing of it is executed. Without an
/// interpreter nobody knows. `packText`: of the lesson's file, in whose lines the program may
/// stand.
std::vector<Finding> problemsOfProgram(const lesson::Pack& pack, const std::string& packText);

/// What a run of the program shows to be wrong with the lesson: it came to something else, or a
/// question has no answer. A question that only the step gate can answer isn't asked.
std::vector<Finding> problemsOfRun(const lesson::Pack& pack, const std::string& packText,
                                   const lesson::Recording& recording);

} // namespace ringmaster
