#pragma once

#include "engine/agent/Agent.h"
#include "engine/node/Tether.h"
#include "tests/simulation/SimulatedWorkers.h"

namespace ringmaster::simulation {

/// An agent's process: the real agent, the real rendezvous and what holds it to its lead, on
/// simulated workers. What Node adds in the product (record, output, control) is left out.
class SimulatedAgent : EventSink, Agent::Host, Tether::Host
{
public:
    using Told = std::function<void(std::uint64_t sequence, const EventBody& body)>;

    SimulatedAgent(World& world, Program& program, int host, const std::string& id,
                   std::uint64_t generation);

    void start() { m_agent->start(); }
    void execute(std::uint64_t generation, const Command& command);
    Result<Moment> hold(const Hold& hold);
    void signalled(int signal);
    /// With all that it keeps.
    void kill();
    void killKeeper() { m_workers->killKeeper(); }

    Process& process() { return m_process; }
    /// Its process has ended by itself; what it kept is there.
    bool hasRecord() const { return m_hasExited; }
    bool isAlive() const { return m_process.isAlive(); }
    /// The machine was started anew.
    void forgetRecord() { m_hasExited = false; }
    int host() const { return m_host; }
    bool hasGivenUp() const { return m_hasGivenUp; }
    RunState endState() const { return m_agent->state(); }
    const Message& endReason() const { return m_endReason; }
    const std::string& id() const { return m_id; }
    const std::vector<EventBody>& events() const { return m_events; }
    Told told; ///< Who listens just now.
    std::function<void()> whenKilled;

private:
    void emit(const EventBody& body, const Moment& at) override;
    void printed(std::string_view /*text*/) override {}
    void finished(RunState state, int exitCode) override;
    void tell(const EventBody& body) override { emit(body, m_process.now()); }
    void leadGone(const Error& why) override;
    void check(const EventBody& body);
    void trace(const std::string& text);
    void exit();
    Result<std::unique_ptr<Rendezvous>> meeting(Rendezvous::Host& host);

    World& m_world;
    Program& m_program;
    const int m_host;
    const std::string m_id;
    std::uint64_t m_generation;
    Process m_process;
    EventLoop m_loop;
    std::unique_ptr<Tether> m_tether;
    SimulatedWorkers* m_workers = nullptr;
    int m_firstRank = 0;
    std::unique_ptr<Agent> m_agent;
    std::vector<EventBody> m_events;
    Message m_endReason;
    bool m_hasEnded = false; ///< It has said so.
    bool m_hasFinished = false;
    bool m_hasExited = false;
    bool m_hasGivenUp = false;
};

} // namespace ringmaster::simulation
