#pragma once

#include "engine/job/JobSpec.h"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace ringmaster {

/// How long a job waits for a round: for enough nodes, and then for those that are still on their
/// way. After torchelastic's join timeout and last call.
class LastCall
{
public:
    using Duration = std::chrono::nanoseconds;

    struct Limits
    {
        NodeRange nodes{};
        Duration first{std::chrono::seconds(30)}; ///< For hosts that are still on their way.
        Duration later{std::chrono::seconds(3)};  ///< The same once a round has been.
        Duration join{std::chrono::seconds(600)}; ///< For enough of them.
    };

    explicit LastCall(const Limits& limits) : m_limits(limits) {}
    const Limits& limits() const { return m_limits; }

    /// Nobody runs; said once, the later ones change nothing.
    void waits(std::int64_t nowNs);
    /// Somebody has done something about it: the wait begins anew, if there is one.
    void again(std::int64_t nowNs);
    /// A round begins, or nobody can join for now.
    void stop() { m_waitsSinceNs = m_callSinceNs = 0; }

    bool isJoinOver(std::int64_t nowNs) const;
    /// Whether `ready` nodes begin now. `isFirst`: there was no round yet.
    bool isOver(size_t ready, bool isAnyExpected, bool isFirst, std::int64_t nowNs);
    /// It has just begun to wait: others may come in this time.
    bool mayOthersCome(std::int64_t nowNs) const
    {
        return nowNs - m_waitsSinceNs < m_limits.later.count();
    }

private:
    Limits m_limits;
    std::int64_t m_waitsSinceNs = 0; ///< Nobody runs since then; 0: somebody does.
    std::int64_t m_callSinceNs = 0;  ///< Enough are ready since then; 0: not enough.
};

} // namespace ringmaster
