#pragma once

#include "engine/lead/ElasticCoordinator.h"
#include "engine/lead/HostAgents.h"
#include "engine/lead/LostRun.h"

#include <functional>
#include <optional>
#include <vector>

namespace ringmaster {

/// A lead goes on with a run whose lead is gone: its agents are as they were, and what was recorded
/// isn't recorded again. Lives on the lead's loop.
class Takeover
{
public:
    /// Of the lead that takes over.
    struct Parts
    {
        HostAgents& agents;
        ElasticCoordinator& coordinator;
        GatheredOperations& operations;
        GatheredEnds& ends;
        std::function<void(const EventBody&)> emit;
    };

    /// The caller holds the lock of the folder's run file. `self` gets a newer generation than the
    /// former lead's, and becomes the run's. Errors: that lead isn't gone; the run has ended.
    static Result<Takeover> begin(const RunFolder& folder, AgentRecord& self,
                                  RunStanding::MayExplain mayExplain);

    const RunStanding& standing() const { return m_lost.standing; }
    GatheredLogs::Recorded takeLogs() { return std::move(m_lost.logs); }
    GatheredEnds takeEnds() { return std::move(m_lost.ends); }

    /// The first of this lead: people see the run as it was. Workers that ran do so still, until it
    /// is heard that they don't.
    std::vector<EventBody> firstEvents() const;

    /// The hosts are given. Reaches its agents, and starts one on hosts that had none; once. The
    /// answer: the run was being stopped, for this reason.
    std::optional<Message> resume(const Parts& parts, std::int64_t nowNs);

private:
    explicit Takeover(LostRun lost) : m_lost(std::move(lost)) {}

    void resumeOperations(const Parts& parts, std::int64_t nowNs);
    void resumeAgents(const Parts& parts, std::int64_t nowNs) const;

    LostRun m_lost;
};

} // namespace ringmaster
