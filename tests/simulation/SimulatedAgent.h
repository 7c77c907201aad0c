#pragma once

#include "engine/agent/Agent.h"
#include "engine/node/LeadConnection.h"
#include "tests/simulation/SimulatedWorkers.h"

namespace ringmaster::simulation {

struct SharedPlace;

/// An agent's process: the real agent, the real rendezvous and what holds it to its lead, on
/// simulated workers. What Node adds in the product (record, output, control) is left out.
class SimulatedAgent : EventSink, Agent::Host, LeadConnection::Host
{
public:
    using Told = std::function<bool(std::uint64_t sequence, const EventBody& body)>;

    SimulatedAgent(World& world, Program& program, int host, const std::string& id,
                   std::uint64_t generation, SharedPlace* shared = nullptr);

    void start() { m_agent->start(); }
    void execute(std::uint64_t generation, const Command& command);
    Result<Moment> heartbeat(const Heartbeat& heartbeat);
    void signalled(int signal);
    /// With all that it keeps; the lead may hear that the connection ends.
    void kill(bool isHeard = true);
    void killKeeper() { m_workers->killKeeper(); }

    Process& process() { return m_process; }
    /// Its process has ended by itself; what it kept is there.
    bool hasRecord() const { return m_hasExited; }
    bool isAlive() const { return m_process.isAlive(); }
    /// The machine was started anew.
    void forgetRecord() { m_hasExited = false; }
    int host() const { return m_host; }
    /// The number of it in World::nodeOf().
    int node() const { return m_node; }
    /// Of the newest lead that it has heard.
    std::uint64_t generation() const { return m_generation; }
    bool hasGivenUp() const { return m_hasGivenUp; }
    std::int64_t endedAt() const { return m_endedAt; }
    /// Until it said how it ended.
    std::int64_t lasted() const { return m_endedAt - m_startedAt; }
    RunState endState() const { return m_agent->state(); }
    const Message& endReason() const { return m_endReason; }
    const std::string& id() const { return m_id; }
    const std::vector<EventBody>& events() const { return m_events; }
    /// Who listens, until it says that it doesn't any more.
    std::vector<Told> told;
    std::vector<std::function<void()>> whenKilled;

private:
    void emit(const EventBody& body, const Moment& at) override;
    void printed(std::string_view /*text*/) override {}
    void finished(RunState state, int exitCode) override;
    void tell(const EventBody& body) override { emit(body, m_process.now()); }
    void leadGone(const Error& why) override;
    void print(const EventBody& body);
    void check(const EventBody& body);
    void checkState(const RunStateChanged& state);
    void checkSuccess(const Message& reason);
    void checkRestart(const GroupRestarting& restart);
    void checkCharged();
    template <class... Parts>
    void trace(const Parts&... parts)
    {
        m_world.trace("agent", m_host, m_id, ": ", parts...);
    }
    void exit();
    void endStore();
    std::function<void(std::function<void(const Result<void>&)>)>
    preparation(const Scenario& scenario);
    void prepare(std::function<void(const Result<void>&)> done, int steps);
    Result<std::unique_ptr<Rendezvous>> rendezvous(Rendezvous::Host& host);
    Result<std::unique_ptr<OpenStore>> openStore(const StoreServer::Options& options);
    std::unique_ptr<Rendezvous> c10d(Rendezvous::Host& host);
    std::unique_ptr<Rendezvous> staticRendezvous(Rendezvous::Host& host);

    World& m_world;
    Program& m_program;
    const int m_host;
    const int m_node;
    const std::string m_id;
    SharedPlace* const m_shared; ///< Null: it has a lead, or is alone.
    std::uint64_t m_generation;
    std::map<std::uint64_t, std::uint64_t> m_begunBy; ///< By round: the lead that began it.
    Process m_process;
    EventLoop m_loop;
    std::unique_ptr<LeadConnection> m_leadConnection;
    SimulatedWorkers* m_workers = nullptr;
    int m_firstRank = 0;
    std::optional<std::uint64_t> m_round; ///< The last that it began …
    bool m_isInRound = false;             ///< … and hasn't left for the next.
    std::unique_ptr<Agent> m_agent;
    std::vector<EventBody> m_events;
    std::optional<int> m_attempt{};      ///< The last.
    std::map<int, Code> m_brokenUpFor{}; ///< Attempts that weren't charged.
    EventLoop::Registration m_preparing;
    Message m_endReason;
    const std::int64_t m_startedAt;
    std::int64_t m_endedAt = 0;
    bool m_hasEnded = false; ///< It has said so.
    bool m_hasFinished = false;
    bool m_hasExited = false;
    bool m_hasGivenUp = false;
};

} // namespace ringmaster::simulation
