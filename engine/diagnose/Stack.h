#pragma once

#include "engine/base/Codes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster::diagnose {

/// Where a process stood when somebody looked.
struct Stack
{
    struct Frame
    {
        std::string function{};
        std::string file{};
        int line = 0;
        bool operator==(const Frame&) const = default;
    };

    std::string source{};         ///< Who read it: "torch", "py-spy".
    std::vector<Frame> frames{};  ///< Of the thread that trains, the innermost call first.
    std::string text{};           ///< Of all threads, as it came.
    std::string code{};           ///< The line that userFrame() stands in, where it can be read.
    bool holdsGil = false;        ///< That thread; py-spy alone says so.
    bool isActive = false;        ///< It runs, py-spy says; else it waits.
    std::int64_t takenNs = 0;     ///< At the earliest.
    std::int64_t sameSinceNs = 0; ///< When `frames` were first seen like this, at the latest.
};

/// The innermost call that is the user's own: outside torch, the standard library and whatever is
/// installed. Else the innermost; null: there is none.
const Stack::Frame* userFrame(const Stack& stack);

/// It stands in one of torch.distributed's calls, or in a wait() of the user's.
bool isInCall(const Stack& stack);

/// It may stand in a call of torch.distributed, by way of other code. False: a call that the
/// process is in is another thread's.
bool mayBeInCall(const Stack& stack);

/// The main program has returned or failed, and the interpreter waits for threads that aren't
/// daemons.
bool isAtExit(const Stack& stack);

/// Python's own form ("File "a.py", line 3 in f", as faulthandler and torch write it). Nothing
/// where the text is none. Bounded.
std::optional<Stack> readPythonStack(std::string_view text);

} // namespace ringmaster::diagnose
