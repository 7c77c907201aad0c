#pragma once

#include "engine/lesson/Pack.h"
#include "engine/lesson/Recording.h"
#include "engine/text/Finding.h"

#include <string>
#include <vector>

namespace ringmaster {

/// What a run of the program shows to be wrong with the lesson: it came to something else, or a
/// question has no answer. A question that only the step gate can answer isn't asked.
std::vector<Finding> problemsOfRun(const lesson::Pack& pack, const std::string& packText,
                                   const lesson::Recording& recording);

} // namespace ringmaster
