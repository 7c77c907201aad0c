#include "engine/lead/RunPlaces.h"

#include "engine/lead/Codes.h"
#include "engine/node/Codes.h"

namespace ringmaster {

RunPlaces::RunPlaces(Parts parts, const JobSpec& spec) : m_parts(std::move(parts)), m_spec(spec) {}

void RunPlaces::start(const std::filesystem::path& runFolder)
{
    m_parts.provider.start(m_spec, runFolder, *this);
}

void RunPlaces::resume(const std::filesystem::path& runFolder, std::function<void()> given)
{
    m_resume = std::move(given);
    m_parts.provider.resume(m_spec, runFolder, *this);
}

void RunPlaces::agentEnded(const std::string& agent, const RunStateChanged& state)
{
    if (m_parts.coordinator.isEnding() || !m_parts.provider.mayExplain(state.reason))
        return tellEnd(agent, state);
    m_unexplained.emplace_back(agent, state);
    (void)m_parts.provider.look();
}

void RunPlaces::agentGone(const HostAgent& agent, const Message& reason)
{
    if (reason.code == code::LeadReplaced)
        return handOver(reason); // they are another one's
    if (!m_parts.agents.isGiven(agent.host()) || m_parts.coordinator.isLeftOut(agent.host()) ||
        !agent.wasStarted() || m_parts.coordinator.isEnding())
        return m_parts.coordinator.gone(agent.agent(), reason, now());
    const std::string next = m_parts.agents.nextAfter(agent.agent());
    m_parts.agents.startAgain(agent.host());
    m_parts.coordinator.replaced(agent.agent(), next, reason, now());
}

void RunPlaces::handOver(const Message& reason)
{
    m_areGiven = false;
    m_parts.provider.handOver();
    m_parts.coordinator.handOver(reason);
    abandonAll(code::LeadReplaced);
}

void RunPlaces::placed(std::vector<Host> hosts)
{
    m_parts.agents.give(std::move(hosts));
    m_areGiven = true;
    if (const auto resume = std::exchange(m_resume, nullptr))
        resume();
    else
        startAgents();
}

/// All are known before the first one can fail.
void RunPlaces::startAgents()
{
    std::vector<HostAgent*> agents;
    for (const Host& host : m_parts.agents.given()) {
        if (m_parts.coordinator.isLeftOut(host.name))
            continue;
        if (HostAgent* agent = m_parts.agents.make(host)) {
            m_parts.coordinator.expected(agent->agent(), host.name, now());
            agents.push_back(agent);
        }
    }
    for (HostAgent* agent : agents)
        agent->start();
}

void RunPlaces::placesTold(Notice::Severity severity, const Message& what)
{
    m_parts.emit(Notice{.severity = severity, .message = what});
}

void RunPlaces::hostTaken(const std::string& host, const Message& why)
{
    for (const auto& agent : m_parts.agents.all())
        if (agent->host() == host)
            m_parts.coordinator.taken(agent->agent(), why, now());
    m_parts.agents.take(host, why);
}

/// The coordinator hears of it before it hears of each agent, whose places are gone then.
void RunPlaces::withdrawn(const Message& why, NodeProvider::Cost cost)
{
    m_areGiven = false;
    const bool wasEnding = m_parts.coordinator.isEnding();
    m_parts.coordinator.displaced(why, now(),
                                  cost == NodeProvider::Cost::Nothing
                                      ? ElasticCoordinator::Charge::Free
                                      : ElasticCoordinator::Charge::Restart);
    abandonAll(code::PlaceTakenBack);
    if (!m_parts.coordinator.isEnding())
        return;
    m_parts.provider.end();
    const std::string budget = std::to_string(m_spec.restart.maxRestarts);
    if (!wasEnding)
        m_parts.emit(Notice{.severity = Notice::Severity::Warning,
                            .message = {code::NoRestartForPlaces, {{"budget", budget}}, {}}});
}

void RunPlaces::placesLost(const Message& why)
{
    m_areGiven = false;
    m_parts.coordinator.impossible(why);
    abandonAll(code::PlaceTakenBack);
}

void RunPlaces::placesStand()
{
    for (const auto& [agent, state] : std::exchange(m_unexplained, {}))
        tellEnd(agent, state);
    m_parts.coordinator.placesKnown(now());
}

void RunPlaces::placesUnknown()
{
    m_parts.coordinator.placesKnown(now());
}

void RunPlaces::abandonAll(Code why)
{
    m_unexplained.clear();
    m_parts.agents.abandonAll(why);
}

void RunPlaces::tellEnd(const std::string& agent, const RunStateChanged& state)
{
    m_parts.coordinator.ended(agent, state.state, state.reason, now());
}

} // namespace ringmaster
