#pragma once

#include "engine/agent/Failure.h"

#include <chrono>

namespace ringmaster {

/// Finds the rank that is guilty of an attempt's failure among this node's workers, or says that it
/// isn't sure. Pure. What it relies on, the strongest first: the agent's own doings are no
/// failures; a lost peer or a vain wait is another rank's consequence; what was raised two whole
/// seconds earlier was earlier; what exited earlier was earlier, if by more than `uncertainty`.
class FirstCauseFinder
{
public:
    /// `ends` are all ends of the attempt, successes included; any order.
    explicit FirstCauseFinder(std::vector<Failure> ends,
                              std::chrono::nanoseconds uncertainty = std::chrono::milliseconds(1));

    /// Nothing when no worker failed by itself.
    std::optional<FirstCause> find(int attempt) const;

private:
    using Group = std::vector<const Failure*>;

    Group ofKind(FailureKind kind) const;
    bool isBefore(const Failure& one, const Failure& other) const;
    Group earliest(const Group& independent) const;
    FirstCause guilty(const Group& alike) const;
    FirstCause unsure(const Group& candidates) const;
    FirstCause peerElsewhere(const Group& lost) const;
    FirstCause vainWait(const Group& waited) const;
    /// monitored_barrier says by itself who is absent.
    std::optional<FirstCause> absentFromBarrier() const;
    std::vector<int> consequences() const;

    std::vector<Failure> m_ends; ///< By time of exit.
    std::chrono::nanoseconds m_uncertainty;
};

} // namespace ringmaster
