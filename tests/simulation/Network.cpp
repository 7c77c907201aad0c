#include "tests/simulation/Network.h"

#include <algorithm>

namespace ringmaster::simulation {

/// What waits for a connection holds it.
Network::~Network()
{
    for (const auto& known : m_connections) {
        if (const auto connection = known.lock()) {
            connection->toAgent.waiting.clear();
            connection->toLead.waiting.clear();
        }
    }
    for (const auto& agent : m_agents) {
        agent->process().kill();
        agent->told.clear();
        agent->whenKilled.clear();
    }
}

bool Network::isReachable(int host, std::uint64_t generation) const
{
    const Host& there = m_hosts.at(static_cast<size_t>(host));
    const Way& way = there.wayTo(generation);
    const std::int64_t now = m_world.time.now();
    return !isDown(host) && now >= way.cutToHostUntil && now >= way.cutToLeadUntil;
}

bool Network::isDown(int host) const
{
    const Host& there = m_hosts.at(static_cast<size_t>(host));
    return there.isLost || m_world.time.now() < there.downUntil;
}

void Network::connect(int host, const std::string& agent, bool isAttaching,
                      std::uint64_t generation, std::function<bool()> isWanted,
                      std::function<void(const Answer&)> answer)
{
    const bool isSlow = m_world.happens(Fault::SlowStart, 20);
    m_world.obstacles += isSlow ? 1 : 0;
    const std::int64_t takes =
        m_world.chance.between(Second / 20, isSlow ? 15 * Second : Second / 2) + 2 * delay();
    m_world.time.after(takes, [=, this] {
        if (!isWanted())
            return;
        if (!isReachable(host, generation))
            return m_world.time.after(m_world.chance.between(0, 5 * Second),
                                      [answer] { answer({}); });
        std::shared_ptr<SimulatedAgent> found;
        for (const auto& known : m_agents)
            if (known->id() == agent && (known->isAlive() || known->hasRecord()))
                found = known;
        std::uint64_t& newest = m_hosts.at(static_cast<size_t>(host)).newestLead;
        // Each keeps which lead it has obeyed, also when it is no more.
        for (const auto& known : m_agents)
            if (known->host() == host)
                newest = std::max(newest, known->generation());
        if (generation < newest)
            return answer({.kind = Answer::Kind::Replaced});
        if (!found && isAttaching)
            return answer({.kind = Answer::Kind::NotThere});
        if (!isAttaching) {
            newest = generation;
            // As LeadFence. The one that it started before may never have been heard of.
            for (const auto& known : m_agents)
                if (known->isAlive() && known->host() == host &&
                    (known == found || known->generation() < generation))
                    known->kill();
            found = std::make_shared<SimulatedAgent>(m_world, m_program, host, agent, generation);
            m_agents.push_back(found);
            found->process().post([found = found.get()] { found->start(); });
        }
        auto connection = std::make_shared<Connection>();
        connection->host = host;
        connection->generation = generation;
        connection->agent = found;
        m_connections.push_back(connection);
        answer({.kind = Answer::Kind::Connected, .connection = connection});
    });
}

void Network::toAgent(const std::shared_ptr<Connection>& connection, Task task)
{
    connection->toAgent.last = std::max(m_world.time.now() + delay(), connection->toAgent.last + 1);
    m_world.time.at(connection->toAgent.last,
                    [this, connection, task] { deliver(connection, true, task); });
}

void Network::toLead(const std::shared_ptr<Connection>& connection, Process& lead, Task task)
{
    connection->toLead.last = std::max(m_world.time.now() + delay(), connection->toLead.last + 1);
    m_world.time.at(connection->toLead.last, [this, connection, &lead, task] {
        deliver(connection, false, [connection, &lead, task] {
            lead.post([connection, task] {
                if (connection->isLeadOpen)
                    task();
            });
        });
    });
}

std::int64_t Network::blockedUntil(const Connection& connection, bool isToAgent) const
{
    const Way& way = m_hosts.at(static_cast<size_t>(connection.host)).wayTo(connection.generation);
    return isToAgent ? way.cutToHostUntil : way.cutToLeadUntil;
}

/// What can't pass now waits until the way is free again; later messages stay behind it.
void Network::deliver(const std::shared_ptr<Connection>& connection, bool isToAgent, Task task)
{
    auto& waiting = (isToAgent ? connection->toAgent : connection->toLead).waiting;
    const std::int64_t until = blockedUntil(*connection, isToAgent);
    if (m_world.time.now() >= until && waiting.empty())
        return arrive(*connection, isToAgent, task);
    waiting.push_back(std::move(task));
    if (waiting.size() == 1)
        m_world.time.at(until, [this, connection, isToAgent] { flush(connection, isToAgent); });
}

void Network::flush(const std::shared_ptr<Connection>& connection, bool isToAgent)
{
    const std::int64_t until = blockedUntil(*connection, isToAgent);
    if (m_world.time.now() < until)
        return m_world.time.at(until,
                               [this, connection, isToAgent] { flush(connection, isToAgent); });
    auto& waiting = (isToAgent ? connection->toAgent : connection->toLead).waiting;
    for (; !waiting.empty(); waiting.pop_front())
        arrive(*connection, isToAgent, waiting.front());
}

void Network::arrive(const Connection& connection, bool isToAgent, const Task& task)
{
    const bool isDropped = isToAgent && !connection.isLeadOpen && !connection.arrivesLate;
    const bool isAnybodyThere = connection.agent->isAlive() || connection.agent->hasRecord();
    if (!isToAgent || (!isDropped && isAnybodyThere))
        task();
}

void Network::cut(int host, bool toHost, bool toLead, std::int64_t forNs, Whose whose)
{
    m_world.trace("network", 0, "host ", host, " is cut off for ", forNs / Millisecond, " ms",
                  ((toHost && toLead) ? ""
                   : toHost           ? ", on the way there"
                                      : ", on the way back"),
                  (whose == Whose::All ? "" : " of one lead"));
    Host& there = m_hosts.at(static_cast<size_t>(host));
    const std::int64_t until = std::min(m_world.time.now() + forNs, m_world.scenario.healedAt);
    ++m_world.obstacles;
    for (size_t lead = 0; lead < there.ways.size(); ++lead) {
        if (whose == (lead == 0 ? Whose::OneLead : Whose::TheOtherLead))
            continue;
        Way& way = there.ways.at(lead);
        if (toHost)
            way.cutToHostUntil = std::max(way.cutToHostUntil, until);
        if (toLead)
            way.cutToLeadUntil = std::max(way.cutToLeadUntil, until);
    }
}

void Network::killAgentsOf(int host, bool isHeard)
{
    for (const auto& agent : m_agents)
        if (agent->isAlive() && agent->host() == host)
            agent->kill(isHeard);
}

std::optional<std::int64_t> Network::crash(int host, std::int64_t forNs)
{
    Host& there = m_hosts.at(static_cast<size_t>(host));
    if (there.isLost)
        return std::nullopt;
    const bool isForGood = m_world.happens(Fault::HostNeverBack, 50);
    m_world.trace("network", 0, "host ", host, " crashes, for ", forNs / Millisecond, " ms",
                  isForGood ? " and for good" : "");
    // Its kernel may still have closed the connections.
    killAgentsOf(host, m_world.faults.chance(50));
    for (const auto& agent : m_agents)
        if (agent->host() == host)
            agent->forgetRecord();
    const std::int64_t until = std::min(m_world.time.now() + forNs, m_world.scenario.healedAt);
    there.downUntil = std::max(there.downUntil, until);
    ++m_world.obstacles;
    there.isLost |= isForGood;
    if (!isForGood)
        return there.downUntil;
    m_world.hostsLost.insert(host);
    return std::nullopt;
}

std::int64_t Network::passableAt(int from, int to) const
{
    if (from == to)
        return 0;
    const auto way = [this](int host) {
        return host > 0 ? m_hosts.at(static_cast<size_t>(host)).wayTo(0) : Way();
    };
    const std::int64_t when = std::max(way(from).cutToLeadUntil, way(to).cutToHostUntil);
    if (m_world.scenario.areCutsDirected)
        return when;
    return std::max({when, way(from).cutToHostUntil, way(to).cutToLeadUntil});
}

std::shared_ptr<SimulatedAgent> Network::runningAgent(int host) const
{
    for (auto agent = m_agents.rbegin(); agent != m_agents.rend(); ++agent)
        if ((*agent)->isAlive() && (*agent)->host() == host)
            return *agent;
    return nullptr;
}

} // namespace ringmaster::simulation
