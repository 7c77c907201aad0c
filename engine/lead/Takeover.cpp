#include "engine/lead/Takeover.h"

#include "engine/lead/Codes.h"
#include "engine/node/Codes.h"

#include <algorithm>

namespace ringmaster {

Result<Takeover> Takeover::begin(const RunFolder& folder, AgentRecord& self,
                                 RunStanding::MayExplain mayExplain)
{
    const AgentRecord former = RM_TRY(folder.agent());
    if (lifeOf(former) != AgentLife::Gone)
        return fail(code::TakeoverTooEarly, {{"run", folder.id()}});
    // The clock may have been set back since.
    self.generation = std::max(self.generation, former.generation + 1);
    Takeover takeover(RM_TRY(LostRun::read(folder, std::move(mayExplain))));
    RM_TRY(folder.setAgent(self));
    return takeover;
}

std::vector<EventBody> Takeover::firstEvents() const
{
    std::vector<EventBody> events{
        Notice{.severity = Notice::Severity::Warning, .message = {code::LeadTookOver, {}, {}}},
        standing().resumed()};
    if (standing().snapshot().state == RunState::Lost)
        for (const auto& [rank, worker] : standing().running())
            events.emplace_back(worker);
    return events;
}

std::optional<Message> Takeover::resume(const Parts& parts, std::int64_t nowNs)
{
    parts.agents.resume(standing().starts());
    const JobStanding coordinator = standing().coordinator();
    parts.coordinator.resume(coordinator, nowNs);
    // For who takes over from this one before any agent has told of it.
    parts.emit(RendezvousStep{.step = RendezvousStep::Step::Waiting,
                              .round = parts.coordinator.nextRound()});
    resumeOperations(parts, nowNs);
    resumeAgents(parts, nowNs);
    if (coordinator.outcome && coordinator.outcome->state == RunState::Stopped)
        return coordinator.outcome->reason;
    return std::nullopt;
}

void Takeover::resumeOperations(const Parts& parts, std::int64_t nowNs)
{
    parts.operations.resume(std::move(m_lost.operations));
    for (const RunStanding::Agent& known : standing().agents())
        if (known.clock) {
            parts.ends.measured(*known.clock);
            parts.operations.measured(*known.clock, nowNs);
        }
    for (const WorkerSnapshot& worker : standing().snapshot().workers)
        parts.operations.happened(
            worker.agent, worker.node,
            AttemptStarted{.attempt = worker.attempt, .workers = {worker.assignment}}, nowNs);
}

void Takeover::resumeAgents(const Parts& parts, std::int64_t nowNs) const
{
    std::vector<HostAgent*> agents;
    for (const Host& host : parts.agents.given()) {
        const auto known =
            std::ranges::find(standing().agents(), host.name, &RunStanding::Agent::host);
        const bool isKnown = known != standing().agents().end();
        if (!isKnown && parts.coordinator.isLeftOut(host.name))
            continue;
        HostAgent* agent = parts.agents.make(host, isKnown ? &*known : nullptr);
        if (agent == nullptr)
            continue;
        if (!isKnown)
            parts.coordinator.expected(agent->agent(), host.name, nowNs);
        agents.push_back(agent);
    }
    for (const RunStanding::Agent& known : standing().agents())
        if (!parts.agents.isGiven(known.host))
            parts.coordinator.taken(known.agent, {code::PlaceTakenBack, {{"host", known.host}}, {}},
                                    nowNs);
    for (HostAgent* agent : agents)
        agent->start();
}

} // namespace ringmaster
