#include "engine/attach/StackPlace.h"

namespace ringmaster {

using diagnose::Stack;

namespace {

bool isDistributedFile(const std::string& file)
{
    return file.ends_with("torch/distributed/distributed_c10d.py") ||
           file.ends_with("torch/distributed/c10d_logger.py") ||
           file.ends_with("torch/distributed/nn/functional.py");
}

/// torch's decorators around each call, whatever this Python calls them.
bool isWrapper(const Stack::Frame& frame)
{
    return frame.file.ends_with("/c10d_logger.py") || frame.function == "wrapper" ||
           frame.function.starts_with("_exception_logger") ||
           frame.function.starts_with("_time_logger") || frame.function.starts_with("_coalescing");
}

std::string keyOf(const StackPlace& place)
{
    std::string text = place.operation;
    for (const Stack::Frame& frame : place.frames)
        text += "\n" + frame.file + "\n" + frame.function + "\n" + std::to_string(frame.line);
    return text;
}

} // namespace

std::strong_ordering StackPlace::operator<=>(const StackPlace& other) const
{
    return keyOf(*this) <=> keyOf(other);
}

StackPlace StackPlace::of(const Stack& stack, bool isWhole)
{
    StackPlace place{.operation = operationIn(stack)};
    const Stack::Frame* own = diagnose::userFrame(stack);
    for (const Stack::Frame& frame : stack.frames) {
        if (!isDistributedFile(frame.file))
            place.frames.push_back(frame);
        if (&frame == own && !isWhole)
            break;
    }
    return place;
}

std::string operationIn(const Stack& stack)
{
    std::string operation;
    for (const Stack::Frame& frame : stack.frames) {
        if (!isDistributedFile(frame.file))
            break;
        if (!isWrapper(frame))
            operation = frame.function;
    }
    if (operation.empty() && !stack.frames.empty() &&
        stack.frames.front().function == "_engine_run_backward")
        return "backward";
    return operation;
}

std::string placeIn(const Stack& stack)
{
    std::string place = operationIn(stack);
    if (const Stack::Frame* frame = diagnose::userFrame(stack)) {
        const std::string file = frame->file.substr(frame->file.rfind('/') + 1);
        place += (place.empty() ? "" : ", ") + file + ":" + std::to_string(frame->line);
    }
    return place;
}

} // namespace ringmaster
