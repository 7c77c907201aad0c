#pragma once

#include "engine/base/Result.h"
#include "engine/lesson/Pack.h"
#include "engine/record/RunFolder.h"

#include <string>
#include <vector>

namespace ringmaster {

/// A lesson of a run that was recorded, whole in itself.
struct RunLesson
{
    lesson::Pack pack{};
    std::vector<std::string> maskedNames{}; ///< Of the environment and of options.
    std::vector<Message> remarks{};         ///< What isn't in it, and why.
};

/// Of the weightiest verdict that names ranks: the last operations before it was said, the lines of
/// the program around them, and one question, which the verdict answers. Secrets are masked as in
/// an export. code::RunHasNoVerdict where there is no such verdict, code::RunStillWritten where it
/// was said of a running job seconds ago. May block; any thread.
Result<RunLesson> makeLesson(const RunFolder& folder);

} // namespace ringmaster
