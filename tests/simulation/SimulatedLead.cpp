#include "tests/simulation/SimulatedLead.h"

#include "engine/agent/Codes.h"
#include "engine/event/AgentName.h"
#include "engine/event/Codes.h"
#include "engine/event/States.h"
#include "engine/hosts/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/lead/LinkTimes.h"
#include "engine/node/Codes.h"

#include <algorithm>
#include <csignal>

namespace ringmaster::simulation {
namespace {

std::chrono::nanoseconds ns(std::int64_t time)
{
    return std::chrono::nanoseconds(time);
}

ElasticCoordinator::Limits limitsOf(const Scenario& scenario)
{
    return {.nodes = {scenario.min, scenario.max},
            .maxRestarts = scenario.maxRestarts,
            .leaveHostOutAfter = scenario.leaveHostOutAfter,
            .lastCall = ns(scenario.lastCall),
            .joinTimeout = ns(scenario.joinTimeout),
            .reconnect = ns(scenario.reconnect),
            .runId = "run"};
}

std::string nameOf(int host)
{
    return "host" + std::to_string(host);
}

Message about(Code code, int host)
{
    return {code, {{"host", "host" + std::to_string(host)}, {"seconds", "3"}}, {}};
}

} // namespace

SimulatedLead::Remote::Remote(const Scenario& scenario)
    : retries(HostAgent::Setting().firstDelay,
              std::chrono::milliseconds(scenario.longestRetry / Millisecond))
{
}

SimulatedLead::SimulatedLead(World& world, Network& network, std::uint64_t generation,
                             Record record)
    : m_world(world)
    , m_network(network)
    , m_generation(generation)
    , m_process(world.time)
    , m_loop(m_process)
    , m_coordinator(limitsOf(world.scenario), static_cast<ElasticCoordinator::Host&>(*this))
    , m_record(std::move(record))
{
}

SimulatedLead::~SimulatedLead()
{
    m_process.kill();
    for (const Shared& remote : m_remotes) {
        for (EventLoop::Registration* timer :
             {&remote->patience, &remote->silence, &remote->beat, &remote->again, &remote->logs})
            timer->cancel();
        remote->connection.reset();
    }
}

void SimulatedLead::start()
{
    m_process.post([this] {
        if (m_record.empty()) {
            emit(RunStateChanged{.state = RunState::Starting});
            place();
        } else if (m_world.scenario.isSlurm) {
            resumeInSlurm();
        } else {
            resume();
        }
        look();
    });
}

/// Lead::keep(), where another lead may come.
void SimulatedLead::keep(const std::string& agent, std::uint64_t sequence, const EventBody& body)
{
    if (m_world.scenario.has(Fault::Takeover) || m_world.scenario.has(Fault::SecondLead))
        m_record.push_back({.id = {"run", agent, sequence}, .at = m_process.now(), .body = body});
}

void SimulatedLead::emit(const EventBody& body)
{
    m_world.fingerprint.add(m_generation);
    m_world.fingerprint.add(body);
    keep("0", ++m_sequence, body);
}

void SimulatedLead::emitHost(const Remote& remote, HostChanged::State state, const Message& reason)
{
    emit(HostChanged{.agent = remote.agent,
                     .host = "host" + std::to_string(remote.host),
                     .state = state,
                     .reason = reason});
}

/// SlurmNodes::resume(): Slurm is asked first.
void SimulatedLead::resumeInSlurm()
{
    const std::int64_t left =
        std::max<std::int64_t>(m_world.slurm.allEndedAt + Second - m_world.time.now(), 0);
    m_places = m_loop.callAfter(ns(left + m_world.chance.between(Second / 10, 3 * Second)), [this] {
        if (m_world.slurm.areTakenForGood)
            return m_coordinator.impossible(about(code::PlaceTakenBack, 1));
        const bool areOthersGiven = std::exchange(m_world.slurm.arePlacesTaken, false);
        if (areOthersGiven)
            m_world.slurm.lost.clear();
        const std::int64_t wait = areOthersGiven ? m_world.chance.between(Second, 10 * Second) : 0;
        m_places = m_loop.callAfter(ns(wait), [this] {
            if (m_world.slurm.arePlacesTaken)
                return resumeInSlurm();
            m_world.slurm.taken.clear();
            if (!m_coordinator.isEnding())
                resume();
        });
    });
}

bool SimulatedLead::mayLosePlaces() const
{
    return m_process.isAlive() || (m_world.scenario.has(Fault::Takeover) && !m_end);
}

/// Lead::resume().
void SimulatedLead::resume()
{
    RunStanding standing([this](const Message& end) {
        return m_world.scenario.isSlurm && end.code == code::SignalReceived;
    });
    for (const Event& event : m_record)
        standing.happened(event);
    m_sequence = standing.leadSequence();
    m_isPlaced = true;
    for (const auto& [number, starts] : standing.starts())
        m_starts[std::stoi(number)] = starts;
    const JobStanding coordinator = standing.coordinator();
    trace("goes on", (coordinator.stands ? " in round " : " after round "), coordinator.round);
    emit(standing.resumed());
    m_attempt.number = coordinator.attempt;
    m_attempt.isSettled = true; // as far as the former lead had come
    noteExcuse(coordinator.why.code);
    noteExcuse(code::LeadTookOver);
    m_coordinator.resume(coordinator, now());
    emit(RendezvousStep{.step = RendezvousStep::Step::Waiting, .round = m_coordinator.nextRound()});
    // All are known before the first one can fail.
    for (int host = 1; host <= m_world.scenario.hosts; ++host) {
        if (m_world.slurm.lost.contains(host))
            continue;
        m_given.insert(host);
        const auto known = std::ranges::find(standing.agents(), "host" + std::to_string(host),
                                             &RunStanding::Agent::host);
        if (known != standing.agents().end())
            resumeAgent(*known);
        else if (!m_coordinator.isLeftOut(nameOf(host)))
            m_coordinator.expected(makeAgent(host)->agent, nameOf(host), now());
    }
    for (const RunStanding::Agent& known : standing.agents())
        if (!m_given.contains(std::stoi(hostNumberOf(known.agent))))
            takenBack(known.agent);
    for (const Shared& remote : std::vector<Shared>(m_remotes)) {
        connect(remote);
        reconnecting(remote, {code::LeadTookOver, {}, {}});
    }
    if (coordinator.outcome && coordinator.outcome->state == RunState::Stopped) {
        ++m_stopRequests;
        for (const Shared& remote : m_remotes) {
            remote->stop = StopRun{};
            stopTrying(remote);
        }
    }
}

/// HostAgent::start(), of one that was started before.
void SimulatedLead::resumeAgent(const RunStanding::Agent& known)
{
    auto remote = std::make_shared<Remote>(m_world.scenario);
    remote->host = std::stoi(hostNumberOf(known.agent));
    remote->agent = known.agent;
    remote->sequence = known.lastSequence;
    remote->hasEnded = known.ended.has_value();
    remote->wasStarted = true;
    remote->heardNs = now();
    m_remotes.push_back(remote);
}

void SimulatedLead::place()
{
    m_world.slurm.lost.clear();
    m_isPlaced = true;
    std::vector<Shared> made;
    for (int host = 1; host <= m_world.scenario.hosts; ++host) {
        m_given.insert(host);
        if (m_coordinator.isLeftOut(nameOf(host)))
            continue;
        made.push_back(makeAgent(host));
        m_coordinator.expected(made.back()->agent, "host" + std::to_string(host), now());
    }
    for (const Shared& remote : made)
        connect(remote);
}

SimulatedLead::Shared SimulatedLead::makeAgent(int host)
{
    auto remote = std::make_shared<Remote>(m_world.scenario);
    remote->host = host;
    const int start = ++m_starts[host];
    remote->agent = std::to_string(host) + (start > 1 ? "." + std::to_string(start) : "");
    m_remotes.push_back(remote);
    emitHost(*remote, HostChanged::State::Connecting);
    return remote;
}

void SimulatedLead::look()
{
    m_look = m_loop.callAfter(ns(Second / 4), [this] { look(); });
    if (m_isPlaced)
        m_coordinator.look(now());
    if (m_coordinator.isEnding()) {
        m_again.clear();
        for (const Shared& remote : m_remotes)
            stopTrying(remote);
    }
    const bool isAlone =
        std::ranges::all_of(m_remotes, [](const Shared& remote) { return remote->isOver; });
    if (isAlone && m_coordinator.isEnding() && !m_outcome)
        m_coordinator.impossible({});
    if (!m_outcome || !isAlone)
        return;
    m_end = m_outcome;
    emit(RunStateChanged{.state = *m_end, .reason = m_reason});
    trace("is over: ", nameOf(*m_end), " ", m_reason);
    m_process.kill();
}

void SimulatedLead::stop(bool isNow)
{
    if (m_end || !m_process.isAlive())
        return;
    ++m_world.stopsAsked;
    ++m_stopRequests;
    trace("is asked to stop");
    m_coordinator.stopping({code::UserStopped, {}, {}});
    for (const Shared& remote : m_remotes) {
        remote->stop = StopRun{.now = isNow || m_stopRequests > 1};
        sendTo(*remote, *remote->stop);
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
    noteBreak(code::UserRestarted);
    m_coordinator.restart({code::UserRestarted, {}, {}}, now());
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
    trace("sends signal ", signal, " to rank ", rank, " through agent ", remote->agent);
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
    remote->triedNs = now();
    const auto isWanted = [this, remote, number = remote->number] {
        return m_process.isAlive() && number == remote->number && !remote->isOver;
    };
    m_network.connect(remote->host, remote->agent, remote->wasStarted, m_generation, isWanted,
                      [this, remote, isWanted](const Network::Answer& answer) {
                          m_process.post([this, remote, isWanted, answer] {
                              if (isWanted())
                                  connected(remote, answer);
                          });
                      });
}

/// HostAgent::linkOpened() and linkEnded().
void SimulatedLead::connected(const Shared& remote, const Network::Answer& answer)
{
    if (answer.kind == Network::Answer::Kind::NotThere)
        return gone(remote, about(code::HostAgentKilled, remote->host));
    if (answer.kind == Network::Answer::Kind::Replaced)
        return gone(remote, about(code::LeadReplaced, remote->host));
    if (answer.kind == Network::Answer::Kind::Connected) {
        ++remote->number;
        remote->connection = answer.connection;
        // The end of the process is the end of the connection.
        answer.connection->agent->whenKilled.push_back(
            [this, remote, connection = answer.connection] {
                m_network.toLead(connection, m_process, [this, remote, connection] {
                    if (remote->connection == connection)
                        connectionEnded(remote);
                });
            });
        return beat(remote);
    }
    linkEnded(remote, about(code::HostUnreachable, remote->host));
}

/// HostAgent::connectLater(), but for what an ended one has kept.
void SimulatedLead::connectLater(const Shared& remote)
{
    const auto took = ns(now() - remote->triedNs);
    remote->again =
        m_loop.callAfter(remote->retries.nextDelay(took), [this, remote] { connect(remote); });
}

void SimulatedLead::linkEnded(const Shared& remote, const Message& why)
{
    if (remote->isReleased || remote->hasEnded) {
        letGo(*remote);
        remote->isReleased = true;
        return finished(*remote);
    }
    if (remote->hasAnswered)
        return cut(remote, why);
    if (!remote->isTrying)
        return gone(remote, why);
    letGo(*remote);
    connectLater(remote);
}

void SimulatedLead::breakLink(int host)
{
    m_process.post([this, host] {
        for (const Shared& remote : std::vector<Shared>(m_remotes)) {
            if (remote->host != host || !remote->connection || remote->isOver)
                continue;
            trace("loses the connection to agent ", remote->agent);
            ++m_world.obstacles;
            linkEnded(remote, about(code::HostSshKilled, host));
        }
    });
}

void SimulatedLead::beat(const Shared& remote)
{
    const auto connection = remote->connection;
    const Heartbeat heartbeat{.generation = m_generation, .isReleased = remote->isReleased};
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
    const LinkTimes times(std::chrono::milliseconds(m_world.scenario.reconnect / Millisecond));
    remote->silence = m_loop.callAfter(times.shown, [this, remote] {
        if (remote->hasAnswered && remote->isTrying)
            reconnecting(remote, about(code::HostCut, remote->host));
    });
    const auto gone = [this, remote, connection] {
        m_network.toLead(connection, m_process, [this, remote, connection] {
            if (remote->connection == connection)
                connectionEnded(remote);
        });
    };
    m_network.toAgent(connection, [agent = connection->agent, heartbeat, answered, gone] {
        if (agent->hasRecord())
            return answered({}); // another process reads what it kept
        if (!agent->isAlive())
            return gone();
        agent->process().post([agent, heartbeat, answered] {
            const auto result = agent->heartbeat(heartbeat);
            answered(result ? Result<void>() : tl::unexpected(result.error()));
        });
    });
}

void SimulatedLead::held(const Shared& remote, const Result<void>& answer)
{
    remote->patience.cancel();
    remote->silence.cancel();
    if (remote->isReleased)
        return finished(*remote);
    if (!answer)
        return gone(remote, answer.error());
    remote->retries.answered();
    remote->again.cancel();
    if (remote->connection->agent->hasRecord() && !remote->hasEnded)
        return takeRecord(remote);
    remote->heardNs = now();
    if (remote->hasAnswered && std::exchange(remote->isCut, false)) {
        trace("hears agent again ", remote->agent);
        emitHost(*remote, HostChanged::State::Connected);
        noteBreak(code::HostReturns);
        m_coordinator.back(remote->agent, now());
    }
    if (!std::exchange(remote->hasAnswered, true)) {
        remote->wasStarted = true;
        if (std::exchange(remote->isCut, false))
            noteBreak(code::HostReturns);
        trace("reaches agent ", remote->agent);
        if (remote->stop)
            sendTo(*remote, *remote->stop);
        emitHost(*remote, HostChanged::State::Connected);
        m_coordinator.back(remote->agent, now());
        listen(remote);
        if (remote->hasEnded)
            release(remote);
    }
    if (!remote->isReleased)
        remote->beat = m_loop.callAfter(ns(Second), [this, remote] { beat(remote); });
}

void SimulatedLead::takeRecord(const Shared& remote)
{
    remote->wasStarted = true;
    if (!std::exchange(remote->isRecord, true)) {
        emitHost(*remote, HostChanged::State::Gone, about(code::HostAgentGaveUp, remote->host));
        agentGone(remote, about(code::HostAgentGaveUp, remote->host));
    }
    finished(*remote);
}

/// What it has said since, and what it will say.
void SimulatedLead::listen(const Shared& remote)
{
    const auto connection = remote->connection;
    m_network.toAgent(connection, [this, remote, connection] {
        const auto tell = [this, remote, connection](std::uint64_t sequence,
                                                     const EventBody& body) {
            if (!connection->isLeadOpen)
                return false;
            m_network.toLead(connection, m_process, [this, remote, connection, sequence, body] {
                if (remote->connection == connection)
                    arrived(remote, sequence, body);
            });
            return true;
        };
        if (!connection->isLeadOpen)
            return;
        const std::vector<EventBody>& events = connection->agent->events();
        for (std::uint64_t sequence = remote->sequence; sequence < events.size(); ++sequence)
            tell(sequence + 1, events[sequence]);
        connection->agent->told.emplace_back(tell);
    });
}

void SimulatedLead::arrived(const Shared& remote, std::uint64_t sequence, const EventBody& body)
{
    if (sequence <= remote->sequence)
        return;
    remote->sequence = sequence;
    keep(remote->agent, sequence, body);
    if (const auto* exit = std::get_if<WorkerExited>(&body))
        m_ends.exited(remote->agent, *exit, m_process.now(), "host" + std::to_string(remote->host));
    if (const auto* step = std::get_if<RendezvousReport>(&body)) {
        trace("hears that ", remote->agent,
              (step->step == RendezvousReport::Step::Offers ? " offers for" : " has finished"),
              " round ", step->round);
        if (step->step == RendezvousReport::Step::Offers)
            noteOffer(*remote);
        if (step->step == RendezvousReport::Step::Offers)
            m_coordinator.offered(remote->agent, *step, now());
        else
            m_coordinator.finished(remote->agent, step->round, now());
    }
    if (std::holds_alternative<Notice>(body))
        m_coordinator.delayed(remote->agent, now());
    const auto* state = std::get_if<RunStateChanged>(&body);
    if (state != nullptr && state->state == RunState::Running)
        m_coordinator.running(remote->agent);
    if (state == nullptr || !isFinal(state->state))
        return;
    remote->hasEnded = true;
    if (state->reason.code == code::LeadGone && !m_coordinator.isEnding()) {
        agentGone(remote, about(code::HostAgentGaveUp, remote->host));
    } else if (m_coordinator.isEnding() || !m_world.scenario.isSlurm ||
               state->reason.code != code::SignalReceived) {
        agentEnded(remote->agent, *state);
    } else {
        m_unexplained.emplace_back(remote->agent, *state);
        (void)askPlaces();
    }
    release(remote);
}

/// Its logs come, and then it may go.
void SimulatedLead::release(const Shared& remote)
{
    remote->logs = m_loop.callAfter(ns(m_world.chance.between(0, Second)), [this, remote] {
        remote->isReleased = true;
        remote->beat.cancel();
        remote->patience.cancel();
        remote->silence.cancel();
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
    connectLater(remote);
    reconnecting(remote, why);
}

/// Its connection may still be there.
void SimulatedLead::reconnecting(const Shared& remote, const Message& why)
{
    if (!remote->wasStarted || remote->isRecord || remote->hasEnded ||
        std::exchange(remote->isCut, true))
        return;
    trace("has lost agent ", remote->agent);
    emitHost(*remote, HostChanged::State::Reconnecting, why);
    noteExcuse(why.code);
    noteBreak(code::HostLeftOut);
    m_coordinator.lost(remote->agent, why, now(), ns(now() - remote->heardNs));
    if (m_world.scenario.isSlurm)
        (void)askPlaces();
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
    const bool isOnlyOutput = remote->hasEnded && why.code != code::LeadReplaced;
    if (!std::exchange(remote->isOver, true) && !remote->isRecord && !isOnlyOutput) {
        emitHost(*remote, HostChanged::State::Gone, why);
        agentGone(remote, why);
    }
}

void SimulatedLead::agentGone(const Shared& remote, const Message& why)
{
    trace("does without agent ", remote->agent, ": ", why);
    if (why.code == code::LeadReplaced)
        return replaced(why);
    noteBreak(why.code);
    if (!m_given.contains(remote->host) || !remote->wasStarted || m_coordinator.isEnding() ||
        m_coordinator.isLeftOut(nameOf(remote->host)))
        return m_coordinator.gone(remote->agent, why, now());
    const int host = remote->host;
    const std::string next = std::to_string(host) + "." + std::to_string(m_starts[host] + 1);
    m_again[host] = m_loop.callAfter(ns(Second / 2), [this, host] {
        if (m_given.contains(host) && !m_coordinator.isEnding())
            connect(makeAgent(host));
    });
    m_coordinator.replaced(remote->agent, next, why, now());
}

void SimulatedLead::agentEnded(const std::string& agent, const RunStateChanged& state)
{
    const bool isLeftOut = m_coordinator.isLeftOut("host" + hostNumberOf(agent));
    if (isLeftOut || state.reason.code == code::HostFailedTooOften)
        noteBreak(code::HostFailedTooOften);
    m_coordinator.ended(agent, state.state, state.reason, now());
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
    remote.silence.cancel();
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

void SimulatedLead::replaced(const Message& why)
{
    m_isPlaced = false;
    m_coordinator.handOver(why);
    abandonAll(code::LeadReplaced);
}

void SimulatedLead::abandonAll(Code why)
{
    m_given.clear();
    m_unexplained.clear();
    m_again.clear();
    for (const Shared& remote : std::vector<Shared>(m_remotes))
        gone(remote, about(why, remote->host));
}

/// The processes are ended, perhaps with a warning.
void SimulatedLead::endAgents(int host)
{
    const auto agent = m_network.runningAgent(host);
    if (!agent)
        return;
    if (m_world.faults.chance(50))
        return agent->kill();
    const std::int64_t wait = m_world.faults.between(0, 30 * Second);
    m_world.slurm.allEndedAt = std::max(m_world.slurm.allEndedAt, m_world.time.now() + wait);
    agent->process().post([agent] { agent->signalled(SIGTERM); });
    m_world.time.after(wait, [agent] { agent->kill(); });
}

/// The lead hears of it when it asks, or is told.
void SimulatedLead::takePlaces(bool isForGood)
{
    if (!mayLosePlaces() || !m_isPlaced || m_coordinator.isEnding() || m_world.slurm.arePlacesTaken)
        return;
    trace("loses all its places", isForGood ? " for good" : "");
    ++m_world.placesTaken;
    m_world.isJobCancelled |= isForGood;
    m_world.slurm.arePlacesTaken = true;
    m_world.slurm.areTakenForGood = isForGood;
    for (int host = 1; host <= m_world.scenario.hosts; ++host)
        endAgents(host);
    m_places =
        m_loop.callAfter(ns(m_world.chance.between(0, 5 * Second)), [this] { placesAnswer(); });
}

void SimulatedLead::takePlace(int host)
{
    if (!mayLosePlaces() || !m_given.contains(host) || m_world.slurm.arePlacesTaken)
        return;
    trace("loses its place on host ", host);
    m_world.hostsLost.insert(host);
    m_world.slurm.taken.insert(host);
    m_world.slurm.lost.insert(host);
    endAgents(host);
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
    // Slurm says nothing of a job while that is being ended.
    if (const std::int64_t left = m_world.slurm.allEndedAt - m_world.time.now();
        left > 0 && (m_world.slurm.arePlacesTaken || !m_world.slurm.taken.empty())) {
        m_answer = m_loop.callAfter(ns(left + Second), [this] { placesAnswer(); });
        return;
    }
    if (m_world.slurm.arePlacesTaken)
        return withdrawn();
    for (const int host : std::exchange(m_world.slurm.taken, {}))
        hostTaken(host);
    for (const auto& [agent, state] : std::exchange(m_unexplained, {}))
        agentEnded(agent, state);
    m_coordinator.placesKnown(now());
}

void SimulatedLead::hostTaken(int host)
{
    trace("hears that its place on host ", host, " is lost");
    m_given.erase(host);
    for (const Shared& remote : std::vector<Shared>(m_remotes))
        if (remote->host == host) {
            takenBack(remote->agent);
            gone(remote, about(code::PlaceTakenBack, host));
        }
}

void SimulatedLead::takenBack(const std::string& agent)
{
    const Message why = about(code::PlaceTakenBack, std::stoi(hostNumberOf(agent)));
    noteExcuse(why.code);
    m_coordinator.taken(agent, why, now());
}

void SimulatedLead::displaced()
{
    noteExcuse(code::PlaceTakenBack);
    m_attempt.isSettled = true;
    m_coordinator.displaced(about(code::PlaceTakenBack, 1), now());
}

void SimulatedLead::withdrawn()
{
    m_world.slurm.arePlacesTaken = false;
    m_world.slurm.taken.clear();
    m_isPlaced = false;
    trace("hears that its places are lost");
    if (m_world.slurm.areTakenForGood)
        m_coordinator.impossible(about(code::PlaceTakenBack, 1));
    else
        displaced();
    abandonAll(code::PlaceTakenBack);
    if (m_coordinator.isEnding())
        return;
    m_places = m_loop.callAfter(ns(m_world.chance.between(Second, 10 * Second)), [this] {
        if (!m_coordinator.isEnding())
            place();
    });
}

void SimulatedLead::beginRound(const std::string& agent, const BeginRound& round)
{
    if (round.restartCount > m_world.scenario.maxRestarts)
        m_world.violated("more restarts than the budget has");
    if (m_generation == 1 && round.restartCount != m_charged)
        m_world.violated("a round counts other restarts than were charged");
    if (round.attempt > m_attempt.number) { // else one is told again
        checkSettled();
        m_attempt = {.number = round.attempt};
    }
    m_attempt.agents.insert(agent);
    if (const Remote* remote = find(agent); remote && m_coordinator.isLeftOut(nameOf(remote->host)))
        m_world.violated("a host that was left out takes part");
    trace("tells ", agent, " to begin round ", round.round);
    m_world.fingerprint.add(round);
    send(agent, round);
}

void SimulatedLead::leaveRound(const std::string& agent, const LeaveRound& leave)
{
    trace("tells ", agent, " to leave round ", leave.round,
          (leave.recallsFinished ? ", though it has finished" : ""));
    send(agent, leave);
}

void SimulatedLead::spare(const std::string& agent, bool isSpare)
{
    trace(agent, (isSpare ? " stands by" : " stands by no more"));
    if (const Remote* remote = find(agent))
        emitHost(*remote, isSpare ? HostChanged::State::StandingBy : HostChanged::State::Connected);
}

void SimulatedLead::closeRendezvous(const std::string& agent, const CloseRendezvous& close)
{
    trace("tells ", agent, " that the job has ", (close.hasSucceeded ? "succeeded" : "failed"));
    send(agent, close);
}

void SimulatedLead::stateChanged(RunState state, const Message& reason)
{
    trace("is ", nameOf(state), " ", reason);
    emit(RunStateChanged{.state = state, .reason = reason});
}

void SimulatedLead::restarting(const GroupRestarting& restart)
{
    trace("restarts, budget ", restart.budgetBefore, " to ", restart.budgetAfter, ": ",
          restart.cause);
    emit(restart);
    m_attempt.isSettled |= m_attempt.number == restart.attempt;
    if (restart.budgetBefore == restart.budgetAfter)
        return checkUncharged(restart);
    ++m_charged;
    if (restart.budgetAfter != restart.budgetBefore - 1 || restart.budgetAfter < 0)
        m_world.violated("a restart was charged wrongly");
    // One that has been replaced, and doesn't know it, counts attempts that nobody makes.
    if (m_generation < m_world.newestLead)
        return;
    if (!m_world.failedAttempts.contains({0, restart.attempt}) &&
        ++m_world.placesCharged > m_world.placesTaken)
        m_world.violated("a restart was charged though nothing had failed");
    const bool isBesideAnother = m_world.scenario.has(Fault::SecondLead);
    const int budget = isBesideAnother ? static_cast<int>(m_generation) : 0;
    if (!m_world.chargedAttempts.insert({budget, restart.attempt}).second)
        m_world.violated("a failure was charged twice");
}

/// What breaks an attempt up, and costs nothing, has happened.
void SimulatedLead::checkUncharged(const GroupRestarting& restart)
{
    if (m_generation < m_world.newestLead)
        return;
    const Code why = restart.cause.code;
    if (!m_attempt.told.contains(why))
        m_world.violated("a restart wasn't charged, for a cause that hadn't happened: " +
                         describe(restart.cause));
    if (m_attempt.hasFailedFirst && !m_attempt.excuse.contains(why))
        m_world.violated("a failure wasn't charged, for what came after it: " +
                         describe(restart.cause));
}

/// No attempt follows one that has failed before that was charged, or excused.
void SimulatedLead::checkSettled()
{
    if (m_attempt.isSettled || m_generation < m_world.newestLead)
        return;
    if (m_world.failuresUnder[m_generation].contains(m_attempt.number))
        m_world.violated("a failure wasn't charged");
}

/// Of who isn't in the attempt, or of one whose workers there have failed.
void SimulatedLead::noteOffer(const Remote& remote)
{
    if (!m_attempt.agents.contains(remote.agent)) {
        noteBreak(code::HostJoins);
        // It may have finished, and a former lead has had it run again.
        if (m_generation > 1)
            noteBreak(code::LeadTookOver);
        return;
    }
    const auto& failures = m_world.failuresUnder[m_generation];
    const auto found = failures.find(m_attempt.number);
    if (m_attempt.told.empty() && found != failures.end() && found->second.contains(remote.host))
        m_attempt.hasFailedFirst = true;
}

std::string SimulatedLead::guiltyHost(int attempt)
{
    const auto cause = m_ends.firstCause(attempt);
    const Remote* remote = cause ? find(m_ends.agentOf(*cause)) : nullptr;
    return remote != nullptr ? nameOf(remote->host) : std::string();
}

void SimulatedLead::hostFailed(const Notice& what)
{
    trace(what.message);
    emit(what);
    const int host = std::stoi(what.message.parameters.at("host").substr(4));
    const int count = std::stoi(what.message.parameters.at("count"));
    // One that has been replaced, and doesn't know it, counts what was counted elsewhere.
    const bool isReplaced = m_generation < m_world.newestLead;
    if (!isReplaced && count > static_cast<int>(m_world.failuresOn[host].size()))
        m_world.violated("more failures were counted for a host than it had");
    const bool isTooOften = count >= m_world.scenario.leaveHostOutAfter;
    if (isTooOften != (what.message.code == code::HostFailedTooOften))
        m_world.violated("a host was left out too early, or too late");
    if (isTooOften)
        m_world.hostsLeftOut.insert(host);
}

void SimulatedLead::over(RunState state, const Message& reason)
{
    if (state == RunState::Succeeded && !m_world.hasAnyRoundSucceeded())
        m_world.violated("a run succeeded though no round's workers all did");
    if (m_outcome)
        m_world.violated("a run was over twice");
    if (state == RunState::Failed && reason.code == code::None)
        m_world.violated("a run failed without a reason");
    const bool isBudgetSpent = reason.code == code::HostWorkersFailed;
    // Another lead may have counted some, or told an agent so.
    const bool isOnlyLead = m_generation == 1 && !m_world.scenario.has(Fault::SecondLead);
    if (isOnlyLead && isBudgetSpent && m_charged != m_world.scenario.maxRestarts)
        m_world.violated("a run failed though it had restarts left");
    m_outcome = state;
    m_reason = reason;
}

} // namespace ringmaster::simulation
