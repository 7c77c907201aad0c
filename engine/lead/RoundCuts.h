#pragma once

#include "engine/lead/JobMembers.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace ringmaster {

/// What follows for a round of some of its hosts being cut off. What fails meanwhile, or as one
/// comes back, is taken for the consequence: operations over that network have failed. One that
/// stays away for too long is left out. Pure.
class RoundCuts
{
public:
    using Duration = std::chrono::nanoseconds;

    struct Limits
    {
        Duration some{}; ///< For one that others wait for: since it was heard last.
        Duration all{};  ///< Where nobody can be reached.
    };

    void cameBack(const std::optional<Message>& cut, std::int64_t nowNs);
    /// Its first worker group has.
    void failed(std::int64_t nowNs) { m_failedAtNs = nowNs; }

    /// The cut behind the failure of this one's workers; nothing: there is none.
    std::optional<Message> behindFailure(const JobMember& failed, const JobMembers& members,
                                         std::int64_t nowNs) const;
    /// The same of a host that is known only now to have been cut off since then.
    bool wasBehindFailure(std::int64_t cutSinceNs) const { return cutSinceNs <= m_failedAtNs; }

    /// Why the round can't wait for one of its hosts any more. Where all were cut off, it was the
    /// lead that had no network: each may come back in its own time.
    std::optional<Message> leftOut(JobMembers& members, const Limits& limits, std::int64_t nowNs);

private:
    /// How long after a host is back what fails is the consequence of its absence.
    static constexpr Duration SameCause{std::chrono::seconds(10)};

    std::optional<Message> m_lastCut{}; ///< Of the host that came back last.
    std::int64_t m_cameBackNs = 0;
    std::optional<std::int64_t> m_unseenUntilNs{}; ///< All who work in the round were cut off.
    std::int64_t m_failedAtNs = 0;
};

} // namespace ringmaster
