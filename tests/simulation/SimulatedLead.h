#pragma once

#include "engine/lead/ElasticCoordinator.h"
#include "engine/lead/GatheredEnds.h"
#include "engine/lead/HostAgent.h"
#include "engine/lead/ReconnectPolicy.h"
#include "engine/lead/RunStanding.h"
#include "tests/simulation/Network.h"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace ringmaster::simulation {

/// A lead's process: the real coordinator, and around it in short what Lead, HostAgent and the
/// places of its agents do in the product.
class SimulatedLead : ElasticCoordinator::Host
{
public:
    /// What a lead has kept of its run.
    using Record = std::vector<Event>;

    /// Goes on from the record of another one that was killed, if there is any.
    SimulatedLead(World& world, Network& network, std::uint64_t generation, Record record = {});
    ~SimulatedLead() override;

    void start();
    void stop(bool isNow);
    void restart();
    void userSignals(Random& random);
    /// All places at once, as Slurm does it; there will be new ones, unless it is for good.
    void takePlaces(bool isForGood);
    void takePlace(int host);
    /// The connection to it ends, and with it what is on its way.
    void breakLink(int host);
    void kill();
    Process& process() { return m_process; }
    const Process& process() const { return m_process; }
    /// How it ended, once nobody is waited for.
    const std::optional<RunState>& end() const { return m_end; }
    const std::optional<RunState>& outcome() const { return m_outcome; }
    const Message& reason() const { return m_reason; }
    bool isEnding() const { return m_coordinator.isEnding(); }
    const Record& record() const { return m_record; }
    std::uint64_t generation() const { return m_generation; }

private:
    /// As HostAgent.
    struct Remote
    {
        explicit Remote(const Scenario& scenario);

        std::string agent{};
        int host = 0;
        std::shared_ptr<Connection> connection{};
        std::uint64_t number = 0; ///< Of the connection.
        std::uint64_t sequence = 0;
        std::int64_t heardNs = 0;
        bool isCut = false;
        bool hasAnswered = false;
        bool wasStarted = false;
        bool hasEnded = false;
        bool isReleased = false;
        bool isOver = false;
        bool isTrying = true;
        std::optional<StopRun> stop{};
        bool hasTriedLast = false;
        bool isRecord = false;
        ReconnectPolicy retries;
        std::int64_t triedNs = 0; ///< The way was tried last.
        EventLoop::Registration patience{};
        EventLoop::Registration silence{};
        EventLoop::Registration beat{};
        EventLoop::Registration again{};
        EventLoop::Registration logs{};
    };
    using Shared = std::shared_ptr<Remote>;

    /// What this lead has told its coordinator while an attempt was under way.
    struct Attempt
    {
        int number = -1;
        std::set<std::string> agents{};
        std::set<Code> told{};       ///< Why it may be broken up …
        std::set<Code> excuse{};     ///< … also after a failure, which is no failure then.
        bool hasFailedFirst = false; ///< Before any of that.
        bool isSettled = false;
    };

    void place();
    void resume();
    void resumeInSlurm();
    /// What Slurm does while nobody leads is heard of by who takes over.
    bool mayLosePlaces() const;
    void resumeAgent(const RunStanding::Agent& known);
    void keep(const std::string& agent, std::uint64_t sequence, const EventBody& body);
    void emit(const EventBody& body);
    void emitHost(const Remote& remote, HostChanged::State state, const Message& reason = {});
    Shared makeAgent(int host);
    void look();
    std::int64_t now() const { return m_process.now().monotonicNs; }
    Remote* find(const std::string& agent);
    void send(const std::string& agent, const Command& command);
    void sendTo(Remote& remote, const Command& command);
    void connect(const Shared& remote);
    void connectLater(const Shared& remote);
    void connected(const Shared& remote, const Network::Answer& answer);
    void linkEnded(const Shared& remote, const Message& why);
    void beat(const Shared& remote);
    void held(const Shared& remote, const Result<void>& answer);
    void takeRecord(const Shared& remote);
    void listen(const Shared& remote);
    void arrived(const Shared& remote, std::uint64_t sequence, const EventBody& body);
    void connectionEnded(const Shared& remote);
    void cut(const Shared& remote, const Message& why);
    void reconnecting(const Shared& remote, const Message& why);
    void tryOnceMore(const Shared& remote, const Message& why);
    void stopTrying(const Shared& remote);
    void gone(const Shared& remote, const Message& why);
    void hangUp(Remote& remote);
    void letGo(Remote& remote);
    void agentGone(const Shared& remote, const Message& why);
    void agentEnded(const std::string& agent, const RunStateChanged& state);
    void finished(Remote& remote);
    void checkSettled();
    void checkUncharged(const GroupRestarting& restart);
    void noteOffer(const Remote& remote);
    /// Breaks the attempt up.
    void noteBreak(Code why) { m_attempt.told.insert(why); }
    /// The same, and whatever fails there fails of it.
    void noteExcuse(Code why)
    {
        noteBreak(why);
        m_attempt.excuse.insert(why);
    }
    void abandonAll(Code why);
    void replaced(const Message& why);
    void release(const Shared& remote);
    void placesAnswer();
    void withdrawn();
    void displaced();
    void takenBack(const std::string& agent);
    void hostTaken(int host);
    void endAgents(int host);
    template <class... Parts>
    void trace(const Parts&... parts)
    {
        m_world.trace("lead", static_cast<int>(m_generation), parts...);
    }

    void beginRound(const std::string& agent, const BeginRound& round) override;
    void leaveRound(const std::string& agent, const LeaveRound& leave) override;
    void spare(const std::string& agent, bool isSpare) override;
    void closeRendezvous(const std::string& agent, const CloseRendezvous& close) override;
    void stateChanged(RunState state, const Message& reason) override;
    void restarting(const GroupRestarting& restart) override;
    bool askPlaces() override;
    std::optional<FirstCause> firstCause(int /*attempt*/) override { return {}; }
    std::string guiltyHost(int attempt) override;
    void hostFailed(const Notice& what) override;
    void over(RunState state, const Message& reason) override;

    World& m_world;
    Network& m_network;
    const std::uint64_t m_generation;
    Process m_process;
    EventLoop m_loop;
    ElasticCoordinator m_coordinator;
    GatheredEnds m_ends;
    Attempt m_attempt;
    int m_charged = 0; ///< By this lead.
    std::vector<Shared> m_remotes;
    std::map<int, int> m_starts;
    bool m_isPlaced = false;
    std::set<int> m_given; ///< Places, by host.
    std::vector<std::pair<std::string, RunStateChanged>> m_unexplained;

    Record m_record;
    std::uint64_t m_sequence = 0; ///< Of its own events.
    int m_stopRequests = 0;
    std::optional<RunState> m_outcome;
    std::optional<RunState> m_end;
    Message m_reason;
    EventLoop::Registration m_look;
    EventLoop::Registration m_places;
    EventLoop::Registration m_answer;
    std::map<int, EventLoop::Registration> m_again;
};

} // namespace ringmaster::simulation
