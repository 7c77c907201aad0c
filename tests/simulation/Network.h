#pragma once

#include "tests/simulation/SimulatedAgent.h"

#include <array>
#include <deque>
#include <memory>
#include <vector>

namespace ringmaster::simulation {

/// A connection from the lead to an agent: in order and whole, or at an end. What was sent before
/// the lead hung up may arrive long after, beside what comes on its next connection.
struct Connection
{
    int host = 0;
    std::uint64_t generation = 0; ///< Of the lead.
    std::shared_ptr<SimulatedAgent> agent{};
    bool isLeadOpen = true;
    bool arrivesLate = false; ///< What was on its way when the lead hung up.

    struct Direction
    {
        std::int64_t last = 0;                     ///< When the latest message arrives.
        std::deque<std::function<void()>> waiting; ///< For the way to be free again.
    };
    Direction toAgent{};
    Direction toLead{};
};

/// Hosts with their agents, and the ways to them.
class Network
{
public:
    using Task = std::function<void()>;

    struct Answer
    {
        enum class Kind { Connected, Unreachable, NotThere, Replaced };
        Kind kind = Kind::Unreachable;
        std::shared_ptr<Connection> connection{};
    };

    Network(World& world, Program& program) : m_world(world), m_program(program)
    {
        m_hosts.resize(static_cast<size_t>(world.scenario.hosts) + 1);
    }

    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    ~Network();

    /// Starts the agent, or finds the one that was started before. The answer may come late. Who
    /// asks may have given the way up before it is there: then nothing happens.
    void connect(int host, const std::string& agent, bool isAttaching, std::uint64_t generation,
                 std::function<bool()> isWanted, std::function<void(const Answer&)> answer);
    void toAgent(const std::shared_ptr<Connection>& connection, Task task);
    void toLead(const std::shared_ptr<Connection>& connection, Process& lead, Task task);

    /// Whose way to the host is cut: a second lead is somewhere else.
    enum class Whose { All, OneLead, TheOtherLead };
    void cut(int host, bool toHost, bool toLead, std::int64_t forNs, Whose whose = Whose::All);
    /// When it is back, if ever.
    std::optional<std::int64_t> crash(int host, std::int64_t forNs);
    bool isReachable(int host, std::uint64_t generation) const;
    /// It has crashed, and isn't back.
    bool isDown(int host) const;
    /// When something may pass from one host to another; in the past, if now.
    std::int64_t passableAt(int from, int to) const;
    std::shared_ptr<SimulatedAgent> runningAgent(int host) const;
    void add(std::shared_ptr<SimulatedAgent> agent) { m_agents.push_back(std::move(agent)); }
    const std::vector<std::shared_ptr<SimulatedAgent>>& agents() const { return m_agents; }
    /// The lead may hear that their connections end.
    void killAgentsOf(int host, bool isHeard = true);

private:
    struct Way
    {
        std::int64_t cutToHostUntil = 0;
        std::int64_t cutToLeadUntil = 0;
    };
    struct Host
    {
        bool isLost = false;       ///< For good.
        std::array<Way, 2> ways{}; ///< To one lead and to the next.
        std::int64_t downUntil = 0;
        std::uint64_t newestLead = 0; ///< That has had an agent here.

        Way& wayTo(std::uint64_t generation) { return ways.at(generation % 2); }
        const Way& wayTo(std::uint64_t generation) const { return ways.at(generation % 2); }
    };

    std::int64_t blockedUntil(const Connection& connection, bool isToAgent) const;
    void deliver(const std::shared_ptr<Connection>& connection, bool isToAgent, Task task);
    void flush(const std::shared_ptr<Connection>& connection, bool isToAgent);
    static void arrive(const Connection& connection, bool isToAgent, const Task& task);
    std::int64_t delay()
    {
        return m_world.chance.between(Millisecond / 10, m_world.scenario.delay);
    }

    World& m_world;
    Program& m_program;
    std::vector<Host> m_hosts; ///< From 1.
    std::vector<std::shared_ptr<SimulatedAgent>> m_agents;
    std::vector<std::weak_ptr<Connection>> m_connections;
};

} // namespace ringmaster::simulation
