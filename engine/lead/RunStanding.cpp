#include "engine/lead/RunStanding.h"

#include "engine/agent/Codes.h"
#include "engine/event/AgentName.h"
#include "engine/event/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/node/Codes.h"

#include <algorithm>
#include <charconv>

namespace ringmaster {

namespace {

const std::string LeadAgent = "0";

} // namespace

RunStanding::Agent* RunStanding::find(const std::string& agent)
{
    const auto found = std::ranges::find(m_agents, agent, &Agent::agent);
    return found != m_agents.end() ? &*found : nullptr;
}

void RunStanding::happened(const Event& event)
{
    m_snapshot.apply(event);
    if (event.id.agent == LeadAgent) {
        m_leadSequence = std::max(m_leadSequence, event.id.sequence);
        const auto* state = std::get_if<RunStateChanged>(&event.body);
        if (state != nullptr && state->state != RunState::Lost) {
            m_state = state->state;
            m_reason = state->reason;
        }
        if (const auto* change = std::get_if<HostChanged>(&event.body))
            changed(*change);
        if (const auto* notice = std::get_if<Notice>(&event.body))
            noticed(notice->message);
        if (const auto* step = std::get_if<RendezvousStep>(&event.body))
            m_latestRound = std::max(m_latestRound, step->round);
        if (const auto* restart = std::get_if<GroupRestarting>(&event.body))
            restarted(*restart);
        if (const auto* clock = std::get_if<ClockMeasured>(&event.body))
            if (Agent* agent = find(clock->agent))
                agent->clock = *clock;
    } else if (Agent* agent = find(event.id.agent)) {
        agentSaid(*agent, event);
    }
}

void RunStanding::changed(const HostChanged& change)
{
    int& starts = m_starts[hostNumberOf(change.agent)];
    starts = std::max(starts, startOf(change.agent));
    if (change.state == HostChanged::State::Gone) {
        std::erase_if(m_agents, [&](const Agent& known) { return known.agent == change.agent; });
        return;
    }
    if (find(change.agent) != nullptr)
        return;
    const auto before = std::ranges::find(m_agents, change.host, &Agent::host);
    if (before != m_agents.end())
        *before = {.agent = change.agent, .host = change.host};
    else
        m_agents.push_back({.agent = change.agent, .host = change.host});
}

/// An attempt that no agent had begun can end, too.
void RunStanding::restarted(const GroupRestarting& restart)
{
    m_latestRestart = std::max(m_latestRestart, restart.attempt);
    if (restart.budgetAfter < restart.budgetBefore)
        m_latestCharge = std::max(m_latestCharge, restart.attempt);
}

/// HostFailures says what it counts.
void RunStanding::noticed(const Message& message)
{
    if (message.code != code::HostFailuresCounted && message.code != code::HostFailedTooOften)
        return;
    const auto host = message.parameters.find("host");
    const auto count = message.parameters.find("count");
    if (host == message.parameters.end() || count == message.parameters.end())
        return;
    if (message.code == code::HostFailedTooOften)
        m_leftOut.insert(host->second);
    int number = 0;
    const std::string& text = count->second;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc())
        m_hostFailures[host->second] = number;
}

void RunStanding::agentSaid(Agent& agent, const Event& event)
{
    agent.lastSequence = std::max(agent.lastSequence, event.id.sequence);
    if (const auto* step = std::get_if<RendezvousReport>(&event.body)) {
        m_latestRound = std::max(m_latestRound, step->round);
        if (step->step == RendezvousReport::Step::Offers) {
            agent.offer = *step;
            agent.isRunning = false;
        } else if (agent.round == step->round) {
            agent.hasFinished = true;
        }
    }
    const auto* step = std::get_if<RendezvousStep>(&event.body);
    if (step != nullptr && step->step == RendezvousStep::Step::Completed) {
        m_latestRound = std::max(m_latestRound, step->round);
        agent.round = step->round;
        agent.groupWorldSize = step->groupWorldSize;
        agent.hasFinished = false;
    }
    if (const auto* worker = std::get_if<WorkerStateChanged>(&event.body)) {
        if (worker->state == WorkerState::Healthy)
            m_running[worker->globalRank] = *worker;
        else
            m_running.erase(worker->globalRank);
    }
    if (const auto* exit = std::get_if<WorkerExited>(&event.body))
        m_running.erase(exit->globalRank);
    if (const auto* state = std::get_if<RunStateChanged>(&event.body)) {
        agent.isRunning = state->state == RunState::Running;
        if (isFinal(state->state))
            ended(agent, *state);
    }
}

/// One that had given its lead up, was left out, or couldn't begin, is no more; another way to end
/// is that of the whole job.
void RunStanding::ended(Agent& agent, const RunStateChanged& how)
{
    agent.ended = how.state;
    noticed(how.reason); // a lead may have left its host out after what is kept of that lead
    const bool isExplained = m_mayExplain && m_mayExplain(how.reason);
    const bool isLeftOut = m_leftOut.contains(agent.host);
    if (isExplained || isLeftOut || how.reason.code == code::LeadGone ||
        (!agent.offer && how.state == RunState::Failed))
        std::erase_if(m_agents, [&](const Agent& known) { return &known == &agent; });
    else if (!m_firstEnd)
        m_firstEnd = JobOutcome::saidBy(how);
}

JobStanding RunStanding::coordinator() const
{
    const int attempt = std::max(m_snapshot.attempt, m_latestRestart);
    JobStanding standing{.attempt = attempt,
                         .restartsUsed = m_snapshot.restartsUsed,
                         .isCharged = attempt <= m_latestCharge,
                         .why = {code::LeadTookOver, {}, {}},
                         .hostFailures = m_hostFailures};
    std::uint64_t latest = 0;
    bool hasAnyRound = false;
    for (const Agent& agent : m_agents) {
        hasAnyRound = hasAnyRound || agent.round;
        latest = std::max(latest, agent.round.value_or(0));
    }
    const auto isIn = [&](const Agent& agent) {
        return agent.round == latest && !(agent.offer && agent.offer->round > latest);
    };
    const auto present = std::ranges::count_if(m_agents, isIn);
    const auto whole = std::ranges::find_if(m_agents, isIn);
    // Who is told to leave, or to begin, may not have heard of it, and doesn't say so.
    const bool isSteady = m_state == RunState::Running || m_state == RunState::Stopping;
    standing.outcome = outcome();
    standing.round = latest;
    standing.latest = m_latestRound;
    standing.stands =
        hasAnyRound && isSteady && whole != m_agents.end() && present == whole->groupWorldSize;
    const auto stateOf = [&](const Agent& agent) {
        using State = JobMember::State;
        if (agent.ended)
            return State::Ended;
        if (!standing.stands)
            return agent.offer ? State::Leaving : State::Expected;
        if (isIn(agent))
            return agent.hasFinished ? State::Finished : State::InRound;
        // It stands by: what it has offered was for the former lead.
        if (agent.offer && !(agent.round >= agent.offer->round))
            return State::Expected;
        if (agent.hasFinished)
            return State::Finished;
        return agent.offer ? State::Leaving : State::Expected;
    };
    for (const Agent& agent : m_agents)
        standing.members.push_back({.agent = agent.agent,
                                    .name = agent.host,
                                    .state = stateOf(agent),
                                    .offer = agent.offer,
                                    .round = agent.round,
                                    .hasFinished = agent.hasFinished,
                                    .isRunning = agent.isRunning});
    return standing;
}

std::optional<JobOutcome> RunStanding::outcome() const
{
    if (m_state != RunState::Stopping)
        return m_firstEnd;
    const bool isAsked = JobOutcome::isAsked(m_reason);
    return JobOutcome{.state = isAsked ? RunState::Stopped : RunState::Failed, .reason = m_reason};
}

RunStateChanged RunStanding::resumed() const
{
    const JobStanding standing = coordinator();
    if (standing.outcome && standing.outcome->state != RunState::Succeeded)
        return {.state = RunState::Stopping, .reason = standing.outcome->reason};
    return {.state = standing.stands || standing.outcome ? m_state : RunState::Restarting,
            .reason = m_reason};
}

} // namespace ringmaster
