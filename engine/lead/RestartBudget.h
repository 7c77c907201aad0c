#pragma once

#include "engine/event/Event.h"

#include <chrono>
#include <cstdint>

namespace ringmaster {

/// The restarts of a job on several hosts: how many are left, and what costs one. Pure.
class RestartBudget
{
public:
    explicit RestartBudget(int maxRestarts) : m_maxRestarts(maxRestarts) {}

    /// Another lead has used so many, its last round's among them or not.
    void resume(int used, bool isCharged);
    void roundBegan() { m_hasRun = true; }

    int used() const { return m_used; }
    bool isSpent() const { return m_used >= m_maxRestarts; }

    /// Another attempt follows this one.
    GroupRestarting charge(int attempt, const Message& why);
    GroupRestarting chargeFailure(int attempt, const Message& why, std::int64_t nowNs);
    GroupRestarting dontCharge(int attempt, const Message& why) const;

    /// All places were taken back. True: a round that isn't charged yet went with them.
    bool placesLost();
    /// Workers that are ended with their places may be seen to end before the places are known to
    /// be lost: once for each failure that was charged.
    bool wasLossCharged(std::int64_t nowNs);

private:
    /// How long after a charged failure the loss of all places may be known to be its cause.
    static constexpr std::chrono::nanoseconds SameCause{std::chrono::seconds(10)};

    const int m_maxRestarts;
    int m_used = 0;
    bool m_hasRun = false; ///< A round has begun since the last charge.
    /// The latest; 0: none, or it explains a loss already.
    std::int64_t m_failureChargedAtNs = 0;
};

} // namespace ringmaster
