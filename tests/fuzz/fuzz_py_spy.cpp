// What py-spy says of a process, as JSON. What is taken from it is bounded; each thread has calls,
// and at most one comes first for being the main one of its process.

#include "Fuzz.h"
#include "engine/diagnose/PySpyStacks.h"

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto threads = diagnose::readPySpyJson(fuzz::textOf(data, size));
    if (const auto stack = diagnose::readPySpyStack(fuzz::textOf(data, size), 1))
        fuzz::require(stack->frames.size() <= 64 && stack->text.size() <= 64U << 10U);
    if (!threads)
        return 0;
    fuzz::require(!threads->empty() && threads->size() <= 32);
    bool isMain = true;
    for (const ThreadStack& thread : *threads) {
        fuzz::require(isMain || !thread.isMain);
        isMain = thread.isMain;
        fuzz::require(!thread.frames.empty() && thread.frames.size() <= 64);
        fuzz::require(thread.leftOut >= 0 && thread.name.size() <= 256);
        for (const StackFrame& frame : thread.frames)
            fuzz::require(frame.function.size() <= 256 && frame.file.size() <= 256 &&
                          frame.line >= 0);
    }
    return 0;
}
