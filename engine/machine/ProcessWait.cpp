#include "engine/machine/ProcessWait.h"

#include <algorithm>

namespace ringmaster {

bool isAtWork(const ProcessWait& wait)
{
    using Kind = ProcessWait::Kind;
    using Child = ProcessWait::Child;
    /// A sleep that is over sooner is a pause; who waits for the others wouldn't say how long.
    constexpr std::int64_t LongestPauseNs = 60'000'000'000;
    switch (wait.kind) {
    case Kind::Running:
    case Kind::File: return true;
    case Kind::Socket: return wait.bytes > 0;
    case Kind::Sleep: return wait.sleepNs > 0 && wait.sleepNs <= LongestPauseNs;
    case Kind::Child:
        return std::ranges::any_of(wait.children, [](const Child& child) {
            return child.isAwaited && child.state == Child::State::Alive && child.isAtWork;
        });
    case Kind::Unknown:
    case Kind::FileLock:
    case Kind::Pipe:
    case Kind::Fifo:
    case Kind::Lock:
    case Kind::Device: break;
    }
    return false;
}

} // namespace ringmaster
