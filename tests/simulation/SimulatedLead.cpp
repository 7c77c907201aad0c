#include "tests/simulation/SimulatedLead.h"

#include "engine/agent/Codes.h"
#include "engine/event/States.h"
#include "engine/node/Codes.h"

#include <algorithm>
#include <csignal>

namespace ringmaster::simulation {
namespace {

std::chrono::nanoseconds ns(std::int64_t time)
{
    return std::chrono::nanoseconds(time);
}

JobCourse::Limits limitsOf(const Scenario& scenario)
{
    return {.nodes = {scenario.min, scenario.max},
            .maxRestarts = scenario.maxRestarts,
            .lastCall = ns(scenario.lastCall),
            .joinTimeout = ns(scenario.joinTimeout),
            .reconnect = ns(scenario.reconnect),
            .runId = "run"};
}

Message about(Code code, int host)
{
    return {code, {{"host", "host" + std::to_string(host)}, {"seconds", "3"}}, {}};
}

} // namespace

SimulatedLead::SimulatedLead(World& world, Network& network, std::uint64_t generation)
    : m_world(world)
    , m_network(network)
    , m_generation(generation)
    , m_process(world.time)
    , m_loop(m_process)
    , m_course(limitsOf(world.scenario), static_cast<JobCourse::Host&>(*this))
{
}

SimulatedLead::~SimulatedLead() = default;

void SimulatedLead::trace(const std::string& text)
{
    m_world.trace("lead", 0, [&] { return text; });
}

void SimulatedLead::start()
{
    m_process.post([this] {
        place();
        look();
    });
}

void SimulatedLead::place()
{
    m_isPlaced = true;
    m_arePlacesTaken = false;
    std::vector<Shared> made;
    for (int host = 1; host <= m_world.scenario.hosts; ++host) {
        made.push_back(makeAgent(host));
        m_course.expected(made.back()->agent, "host" + std::to_string(host), now());
    }
    for (const Shared& remote : made)
        connect(remote);
}

SimulatedLead::Shared SimulatedLead::makeAgent(int host)
{
    auto remote = std::make_shared<Remote>();
    remote->host = host;
    const int start = ++m_starts[host];
    remote->agent = std::to_string(host) + (start > 1 ? "." + std::to_string(start) : "");
    m_remotes.push_back(remote);
    return remote;
}

void SimulatedLead::look()
{
    m_look = m_loop.callAfter(ns(Second / 4), [this] { look(); });
    if (m_isPlaced)
        m_course.look(now());
    if (m_course.isEnding()) {
        m_again.clear();
        for (const Shared& remote : m_remotes)
            stopTrying(remote);
    }
    const bool isAlone =
        std::ranges::all_of(m_remotes, [](const Shared& remote) { return remote->isOver; });
    if (isAlone && m_course.isEnding() && !m_outcome)
        m_course.impossible({});
    if (!m_outcome || !isAlone)
        return;
    m_end = m_outcome;
    trace("is over: " + std::string(nameOf(*m_end)) + " " + describe(m_reason));
    m_process.kill();
}

void SimulatedLead::stop(bool isNow)
{
    if (m_end || !m_process.isAlive())
        return;
    ++m_world.stopsAsked;
    ++m_wishesToEnd;
    trace("is asked to stop");
    m_course.stopping({code::UserStopped, {}, {}});
    for (const Shared& remote : m_remotes) {
        sendTo(*remote, StopRun{.now = isNow || m_wishesToEnd > 1});
        const bool isConnected = remote->connection && remote->hasAnswered;
        if (!isConnected && isNow)
            gone(remote, about(code::HostNotWaitedFor, remote->host));
        else if (!isConnected)
            stopTrying(remote);
    }
}

void SimulatedLead::restart()
{
    if (m_end || !m_process.isAlive())
        return;
    trace("is asked to restart");
    m_course.restart({code::UserRestarted, {}, {}}, now());
}

void SimulatedLead::userSignals(Random& random)
{
    if (m_remotes.empty() || !m_process.isAlive())
        return;
    const Shared& remote = m_remotes[static_cast<size_t>(
        random.between(0, static_cast<std::int64_t>(m_remotes.size()) - 1))];
    const int signal = random.chance(50) ? SIGTERM : SIGKILL;
    const int rank =
        static_cast<int>(random.between(0, m_world.scenario.hosts * m_world.scenario.workers));
    if (!remote->connection || !remote->hasAnswered)
        return;
    trace("sends signal " + std::to_string(signal) + " to rank " + std::to_string(rank) +
          " through agent " + remote->agent);
    sendTo(*remote, SignalWorker{.globalRank = rank, .signal = signal});
}

void SimulatedLead::kill()
{
    trace("is killed");
    m_process.kill();
    for (const Shared& remote : m_remotes)
        letGo(*remote);
}

SimulatedLead::Remote* SimulatedLead::find(const std::string& agent)
{
    const auto found = std::ranges::find_if(
        m_remotes, [&](const Shared& remote) { return remote->agent == agent; });
    return found != m_remotes.end() ? found->get() : nullptr;
}

void SimulatedLead::send(const std::string& agent, const Command& command)
{
    if (Remote* remote = find(agent))
        sendTo(*remote, command);
}

void SimulatedLead::sendTo(Remote& remote, const Command& command)
{
    if (!remote.connection)
        return;
    m_network.toAgent(remote.connection,
                      [agent = remote.connection->agent, command, generation = m_generation] {
                          if (agent->isAlive())
                              agent->process().post([agent, command, generation] {
                                  agent->execute(generation, command);
                              });
                      });
}

void SimulatedLead::connect(const Shared& remote)
{
    m_network.connect(remote->host, remote->agent, remote->wasStarted, m_generation,
                      [this, remote, number = remote->number](const Network::Answer& answer) {
                          m_process.post([this, remote, number, answer] {
                              if (number == remote->number && !remote->isOver)
                                  connected(remote, answer);
                          });
                      });
}

/// HostAgent::linkOpened() and linkEnded().
void SimulatedLead::connected(const Shared& remote, const Network::Answer& answer)
{
    if (answer.kind == Network::Answer::Kind::NotThere)
        return gone(remote, about(code::HostAgentKilled, remote->host));
    if (answer.kind == Network::Answer::Kind::Connected) {
        ++remote->number;
        remote->connection = answer.connection;
        return beat(remote);
    }
    if (remote->isReleased || remote->hasEnded) {
        letGo(*remote);
        remote->isReleased = true;
        return finished(*remote);
    }
    if (!remote->isTrying)
        return gone(remote, about(code::HostNotWaitedFor, remote->host));
    letGo(*remote);
    remote->again = m_loop.callAfter(ns(remote->delay), [this, remote] { connect(remote); });
    remote->delay = std::min(remote->delay * 2, 2 * Second);
}

void SimulatedLead::beat(const Shared& remote)
{
    const auto connection = remote->connection;
    const Hold hold{.generation = m_generation, .isReleased = remote->isReleased};
    const auto answered = [this, remote, connection](const Result<void>& answer) {
        m_network.toLead(connection, m_process, [this, remote, connection, answer] {
            if (remote->connection == connection)
                held(remote, answer);
        });
    };
    remote->patience = m_loop.callAfter(ns(m_world.scenario.patience), [this, remote] {
        if (remote->isReleased)
            return finished(*remote);
        cut(remote, about(code::HostCut, remote->host));
    });
    const auto gone = [this, remote, connection] {
        m_network.toLead(connection, m_process, [this, remote, connection] {
            if (remote->connection == connection)
                connectionEnded(remote);
        });
    };
    m_network.toAgent(connection, [agent = connection->agent, hold, answered, gone] {
        if (agent->hasRecord())
            return answered({}); // another process reads what it kept
        if (!agent->isAlive())
            return gone();
        agent->process().post([agent, hold, answered] {
            const auto result = agent->hold(hold);
            answered(result ? Result<void>() : tl::unexpected(result.error()));
        });
    });
}

void SimulatedLead::held(const Shared& remote, const Result<void>& answer)
{
    remote->patience.cancel();
    if (remote->isReleased)
        return finished(*remote);
    if (!answer)
        return gone(remote, answer.error());
    remote->delay = Second / 2;
    remote->again.cancel();
    if (remote->connection->agent->hasRecord() && !remote->hasEnded)
        return takeRecord(remote);
    if (!std::exchange(remote->hasAnswered, true)) {
        remote->wasStarted = true;
        remote->isCut = false;
        trace("reaches agent " + remote->agent);
        m_course.back(remote->agent, now());
        listen(remote);
        if (!remote->isTrying)
            sendTo(*remote, StopRun{});
    }
    if (!remote->isReleased)
        remote->beat = m_loop.callAfter(ns(Second), [this, remote] { beat(remote); });
}

void SimulatedLead::takeRecord(const Shared& remote)
{
    remote->wasStarted = true;
    if (!std::exchange(remote->isRecord, true))
        agentGone(remote, about(code::HostAgentGaveUp, remote->host));
    finished(*remote);
}

/// What it has said since, and what it will say.
void SimulatedLead::listen(const Shared& remote)
{
    const auto connection = remote->connection;
    m_network.toAgent(connection, [this, remote, connection] {
        const auto tell = [this, remote, connection](std::uint64_t sequence,
                                                     const EventBody& body) {
            m_network.toLead(connection, m_process, [this, remote, connection, sequence, body] {
                if (remote->connection == connection)
                    arrived(remote, sequence, body);
            });
        };
        if (!connection->isLeadOpen)
            return;
        const std::vector<EventBody>& events = connection->agent->events();
        for (std::uint64_t sequence = remote->sequence; sequence < events.size(); ++sequence)
            tell(sequence + 1, events[sequence]);
        connection->agent->told = tell;
        // The end of the process is the end of the connection.
        connection->agent->whenKilled = [this, remote, connection] {
            m_network.toLead(connection, m_process, [this, remote, connection] {
                if (remote->connection == connection)
                    connectionEnded(remote);
            });
        };
    });
}

void SimulatedLead::arrived(const Shared& remote, std::uint64_t sequence, const EventBody& body)
{
    if (sequence <= remote->sequence)
        return;
    remote->sequence = sequence;
    if (const auto* step = std::get_if<MeetingStep>(&body)) {
        if (step->step == MeetingStep::Step::Offers)
            m_course.offered(remote->agent, *step, now());
        else
            m_course.finished(remote->agent, step->round, now());
    }
    if (std::holds_alternative<Notice>(body))
        m_course.delayed(remote->agent, now());
    const auto* state = std::get_if<RunStateChanged>(&body);
    if (state != nullptr && state->state == RunState::Running)
        m_course.running(remote->agent);
    if (state == nullptr || !isFinal(state->state))
        return;
    remote->hasEnded = true;
    if (state->reason.code == code::LeadGone && !m_course.isEnding())
        agentGone(remote, about(code::HostAgentGaveUp, remote->host));
    else
        m_course.ended(remote->agent, state->state, state->reason, now());
    // Its logs come, and then it may go.
    remote->logs = m_loop.callAfter(ns(m_world.chance.between(0, Second)), [this, remote] {
        remote->isReleased = true;
        remote->beat.cancel();
        remote->patience.cancel();
        remote->connection ? beat(remote) : finished(*remote);
    });
}

void SimulatedLead::connectionEnded(const Shared& remote)
{
    if (remote->hasEnded || remote->isReleased)
        return;
    hangUp(*remote);
    remote->again = m_loop.callAfter(ns(Second), [this, remote] {
        cut(remote, about(code::HostConnectionEnded, remote->host));
    });
}

void SimulatedLead::cut(const Shared& remote, const Message& why)
{
    letGo(*remote);
    if (remote->hasEnded)
        return gone(remote, why);
    if (!remote->isTrying)
        return tryOnceMore(remote, why);
    if (remote->wasStarted && !remote->isRecord && !std::exchange(remote->isCut, true)) {
        trace("has lost agent " + remote->agent);
        m_course.lost(remote->agent, why, now());
        if (m_world.scenario.isSlurm)
            (void)askPlaces();
    }
    remote->again = m_loop.callAfter(ns(remote->delay), [this, remote] { connect(remote); });
    remote->delay = std::min(remote->delay * 2, 2 * Second);
}

void SimulatedLead::stopTrying(const Shared& remote)
{
    if (!std::exchange(remote->isTrying, false))
        return;
    if (!remote->connection && !remote->isOver)
        tryOnceMore(remote, about(code::HostNotWaitedFor, remote->host));
}

void SimulatedLead::tryOnceMore(const Shared& remote, const Message& why)
{
    if (!remote->wasStarted || std::exchange(remote->hasTriedLast, true))
        return gone(remote, why);
    letGo(*remote);
    connect(remote);
    remote->again = m_loop.callAfter(ns(6 * Second), [this, remote, why] { gone(remote, why); });
}

void SimulatedLead::gone(const Shared& remote, const Message& why)
{
    letGo(*remote);
    if (!std::exchange(remote->isOver, true) && !remote->isRecord)
        agentGone(remote, why);
}

void SimulatedLead::agentGone(const Shared& remote, const Message& why)
{
    trace("does without agent " + remote->agent + ": " + describe(why));
    if (!m_hasPlaces || !remote->wasStarted || m_course.isEnding())
        return m_course.gone(remote->agent, why, now());
    const int host = remote->host;
    const std::string next = std::to_string(host) + "." + std::to_string(m_starts[host] + 1);
    m_again[host] = m_loop.callAfter(ns(Second / 2), [this, host] {
        if (m_hasPlaces && !m_course.isEnding())
            connect(makeAgent(host));
    });
    m_course.replaced(remote->agent, next, why, now());
}

void SimulatedLead::finished(Remote& remote)
{
    letGo(remote);
    remote.isOver = true;
}

void SimulatedLead::hangUp(Remote& remote)
{
    ++remote.number;
    remote.beat.cancel();
    remote.patience.cancel();
    if (remote.connection) {
        remote.connection->isLeadOpen = false;
        remote.connection->arrivesLate = m_world.faults.chance(50);
    }
    remote.connection.reset();
}

void SimulatedLead::letGo(Remote& remote)
{
    hangUp(remote);
    remote.again.cancel();
    remote.hasAnswered = false;
}

void SimulatedLead::abandonAll()
{
    m_hasPlaces = false;
    m_again.clear();
    for (const Shared& remote : std::vector<Shared>(m_remotes))
        gone(remote, about(code::PlaceTakenBack, remote->host));
}

/// The jobs' processes are ended at once; the lead hears of it when it asks, or is told.
void SimulatedLead::takePlaces()
{
    if (!m_process.isAlive() || !m_isPlaced || m_course.isEnding())
        return;
    trace("loses all its places");
    ++m_world.placesTaken;
    m_arePlacesTaken = true;
    for (int host = 1; host <= m_world.scenario.hosts; ++host)
        m_network.killAgentsOf(host);
    m_places =
        m_loop.callAfter(ns(m_world.chance.between(0, 5 * Second)), [this] { placesAnswer(); });
}

bool SimulatedLead::askPlaces()
{
    if (!m_world.scenario.isSlurm)
        return false;
    if (!m_answer.isActive())
        m_answer = m_loop.callAfter(ns(m_world.chance.between(Second / 10, 3 * Second)),
                                    [this] { placesAnswer(); });
    return true;
}

void SimulatedLead::placesAnswer()
{
    if (!m_arePlacesTaken)
        return m_course.placesKnown(now());
    m_arePlacesTaken = false;
    m_isPlaced = false;
    trace("hears that its places are lost");
    m_course.displaced(about(code::PlaceTakenBack, 1), now());
    abandonAll();
    if (m_course.isEnding())
        return;
    m_places = m_loop.callAfter(ns(m_world.chance.between(Second, 10 * Second)), [this] {
        m_hasPlaces = true;
        if (!m_course.isEnding())
            place();
    });
}

void SimulatedLead::beginRound(const std::string& agent, const BeginRound& round)
{
    if (round.restartCount > m_world.scenario.maxRestarts)
        m_world.violated("more restarts than the budget has");
    trace("tells " + agent + " to begin round " + std::to_string(round.round));
    send(agent, round);
}

void SimulatedLead::leaveRound(const std::string& agent, const LeaveRound& leave)
{
    trace("tells " + agent + " to leave round " + std::to_string(leave.round) +
          (leave.recallsFinished ? ", though it has finished" : ""));
    send(agent, leave);
}

void SimulatedLead::spare(const std::string& agent, bool isSpare)
{
    trace(agent + (isSpare ? " stands by" : " stands by no more"));
}

void SimulatedLead::closeMeeting(const std::string& agent, const CloseMeeting& close)
{
    trace("tells " + agent + " that the job has " + (close.hasSucceeded ? "succeeded" : "failed"));
    send(agent, close);
}

void SimulatedLead::stateChanged(RunState state, const Message& reason)
{
    trace("is " + std::string(nameOf(state)) + " " + describe(reason));
}

void SimulatedLead::restarting(const GroupRestarting& restart)
{
    trace("restarts, budget " + std::to_string(restart.budgetBefore) + " to " +
          std::to_string(restart.budgetAfter) + ": " + describe(restart.cause));
    if (restart.budgetBefore == restart.budgetAfter)
        return;
    if (restart.budgetAfter != restart.budgetBefore - 1 || restart.budgetAfter < 0)
        m_world.violated("a restart was charged wrongly");
    if (!m_world.failedAttempts.contains(restart.attempt) && m_world.placesTaken == 0)
        m_world.violated("a restart was charged though nothing had failed");
    if (!m_world.chargedAttempts.insert(restart.attempt).second)
        m_world.violated("a failure was charged twice");
}

void SimulatedLead::over(RunState state, const Message& reason)
{
    if (m_outcome)
        m_world.violated("a run was over twice");
    if (state == RunState::Failed && reason.code == code::None)
        m_world.violated("a run failed without a reason");
    m_outcome = state;
    m_reason = reason;
}

} // namespace ringmaster::simulation
