#include "engine/attach/TrainingThread.h"

#include "engine/attach/StackPlace.h"

#include <algorithm>
#include <map>

namespace ringmaster {

namespace {

bool isInOperation(const ThreadStack& thread)
{
    diagnose::Stack stack;
    for (const StackFrame& frame : thread.frames)
        stack.frames.push_back({frame.function, frame.file, frame.line});
    return !operationIn(stack).empty();
}

} // namespace

std::string trainingThreadOf(const std::vector<std::vector<ThreadStack>>& ranks)
{
    std::map<std::string, int> ranksIn;
    for (const std::vector<ThreadStack>& threads : ranks) {
        for (const ThreadStack& thread : threads) {
            if (!isInOperation(thread))
                continue;
            if (thread.isMain)
                return {};
            ++ranksIn[thread.name];
        }
    }
    const auto most =
        std::ranges::max_element(ranksIn, {}, [](const auto& of) { return of.second; });
    return most == ranksIn.end() ? std::string() : most->first;
}

} // namespace ringmaster
