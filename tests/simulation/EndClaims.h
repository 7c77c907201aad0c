#pragma once

#include "tests/simulation/SimulatedLead.h"
#include "tests/simulation/SimulatedTorchrun.h"

#include <memory>
#include <vector>

namespace ringmaster::simulation {

/// What has to hold when all is over: how each has ended is held against what has happened.
class EndClaims
{
public:
    using Agents = std::vector<std::shared_ptr<SimulatedAgent>>;
    using Torchruns = std::vector<std::unique_ptr<SimulatedTorchrun>>;

    /// Null: there was no lead.
    EndClaims(const World& world, const Agents& agents, const Torchruns& torchruns,
              const SimulatedLead* lead)
        : m_world(world), m_agents(agents), m_torchruns(torchruns), m_lead(lead)
    {
    }

    /// Throws the Violation.
    void check() const;

private:
    void checkRounds() const;
    void checkLead() const;
    void checkAgent(const SimulatedAgent& agent) const;
    void checkTorchrun(const SimulatedTorchrun& torchrun) const;
    void checkOnlyFailures() const;
    void checkWithinLimits() const;
    void checkFailure(const Message& reason) const;
    bool hasCause(const Message& reason) const;
    bool hasCause(const SimulatedAgent& agent) const;
    bool hasCause(const SimulatedTorchrun& torchrun) const;
    bool hasAnybodyJoinedTooLate() const;
    bool hasAnotherEnded(int host, std::int64_t before) const;
    bool areOnlyWorkersWithinLimits() const;
    int failuresOf(int node) const;

    const World& m_world;
    const Agents& m_agents;
    const Torchruns& m_torchruns;
    const SimulatedLead* m_lead;
};

} // namespace ringmaster::simulation
