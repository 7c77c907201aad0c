#include "engine/base/Log.h"
#include "engine/control/ByteChannel.h"
#include "engine/hosts/NamedHosts.h"
#include "engine/job/JobFile.h"
#include "engine/lead/Codes.h"
#include "engine/lead/Lead.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Codes.h"
#include "engine/slurm/SlurmNodes.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Before an agent is started in place of one that is gone.
constexpr auto AgainDelay = 500ms;

/// What is below a folder here is below another one there.
void moveRoles(JobSpec& spec, const std::string& from, const std::string& to)
{
    for (Role& role : spec.roles) {
        if (role.workingFolder == from)
            role.workingFolder = to;
        else if (role.workingFolder.starts_with(from + "/"))
            role.workingFolder = to + role.workingFolder.substr(from.size());
    }
}

} // namespace

Result<void> Lead::plan()
{
    JobSpec& spec = m_options.node.spec;
    RM_TRY(applyConfiguration(spec.rendezvous.configuration, m_options.rendezvous));
    m_options.ssh.aliveSeconds =
        LinkTimes(m_options.rendezvous.nodeTimeout).aliveSeconds(SshSettings::AliveQuestions);
    m_jobText = RM_TRY(jobFileText(spec));
    if (spec.runOn == RunOn::Slurm)
        m_places = std::make_unique<SlurmNodes>(m_loop, m_options.node.workingFolder);
    else
        m_places = std::make_unique<NamedHosts>(m_loop, m_options.hosts, m_options.ssh,
                                                m_options.node.workingFolder);
    return m_places->prepare(spec);
}

Result<AgentLaunchRequest> Lead::orderFor(const ringmaster::Host& host) const
{
    const NodeOptions& node = m_options.node;
    JobSpec spec = node.spec;
    spec.hosts.clear();
    spec.runOn = RunOn::Hosts;
    spec.nodes = {};
    if (host.slots > 0)
        spec.roles.front().workers = {WorkerCount::Kind::Number, host.slots};
    if (!host.code.empty())
        moveRoles(spec, codeFolderOf(spec, node.workingFolder), host.code);
    auto jobFile = RM_TRY(jobFileText(spec));
    // What was found here is there, too: nodes of Slurm have this machine's paths and variables.
    const bool isSame = host.isHere() || node.spec.runOn == RunOn::Slurm;
    AgentLaunchRequest order{
        .run = m_record.folder().id(),
        .host = host.name,
        .generation = m_generation,
        .jobFile = std::move(jobFile),
        .torchrunLine = node.torchrunLine,
        .workingFolder = host.code.empty() ? node.workingFolder.string() : host.code,
        .interpreter = isSame && host.interpreter.empty() ? node.interpreter : host.interpreter,
        .address = host.address,
        .interface = host.interface,
        .environment = host.environment,
        .leadTimeout = m_options.rendezvous.leadTimeout,
        .holdTimeout = LinkTimes(m_options.rendezvous.nodeTimeout).heldTimeout};
    if (!host.interface.empty()) {
        for (const char* name : {"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME", "TP_SOCKET_IFNAME"})
            order.environment.try_emplace(name, host.interface);
    }
    return order;
}

/// All are known before the first one can fail.
void Lead::placed(std::vector<ringmaster::Host> hosts)
{
    m_given = std::move(hosts);
    m_isPlaced = true;
    if (m_standing)
        return resume();
    std::vector<HostAgent*> agents;
    for (const ringmaster::Host& host : m_given) {
        if (HostAgent* agent = makeAgent(host)) {
            m_coordinator->expected(agent->agent(), host.name, m_clock.now().monotonicNs);
            agents.push_back(agent);
        }
    }
    for (HostAgent* agent : agents)
        agent->start();
}

/// What people see of the run is as it was: workers that ran do so still, until it is heard that
/// they don't.
void Lead::resumeRecord()
{
    emit(Notice{.severity = Notice::Severity::Warning, .message = {code::LeadTookOver, {}, {}}});
    emit(m_standing->resumed());
    if (m_standing->snapshot().state == RunState::Lost)
        for (const auto& [rank, worker] : m_standing->running())
            emit(worker);
    m_front.opened(m_record.folder());
}

/// Its agents are as they were; hosts that had none get one.
void Lead::resume()
{
    const RunStanding standing = *std::exchange(m_standing, std::nullopt);
    const std::int64_t now = m_clock.now().monotonicNs;
    m_starts = standing.starts();
    const JobStanding coordinator = standing.coordinator();
    m_coordinator->resume(coordinator, now);
    // For who takes over from this one before any agent has told of it.
    emit(
        RendezvousStep{.step = RendezvousStep::Step::Waiting, .round = m_coordinator->nextRound()});
    m_operations->resume(std::move(m_recordedOperations));
    for (const RunStanding::Agent& known : standing.agents())
        if (known.clock) {
            m_ends.measured(*known.clock);
            m_operations->measured(*known.clock, now);
        }
    for (const WorkerSnapshot& worker : standing.snapshot().workers)
        m_operations->happened(
            worker.agent, worker.node,
            AttemptStarted{.attempt = worker.attempt, .workers = {worker.assignment}});
    std::vector<HostAgent*> agents;
    for (const ringmaster::Host& host : m_given) {
        const auto known =
            std::ranges::find(standing.agents(), host.name, &RunStanding::Agent::host);
        const bool isKnown = known != standing.agents().end();
        HostAgent* agent = makeAgent(host, isKnown ? &*known : nullptr);
        if (agent == nullptr)
            continue;
        if (!isKnown)
            m_coordinator->expected(agent->agent(), host.name, now);
        agents.push_back(agent);
    }
    for (HostAgent* agent : agents)
        agent->start();
    if (coordinator.outcome && coordinator.outcome->state == RunState::Stopped)
        stop(false, coordinator.outcome->reason, 1);
}

HostAgent* Lead::makeAgent(const ringmaster::Host& host, const RunStanding::Agent* known)
{
    auto order = orderFor(host);
    if (!order) {
        emit(Notice{.severity = Notice::Severity::Error, .message = order.error()});
        return nullptr;
    }
    const auto index =
        std::ranges::find(m_given, host.name, &ringmaster::Host::name) - m_given.begin();
    order->agent = std::to_string(index + 1);
    if (known != nullptr)
        order->agent = known->agent;
    else if (const int start = ++m_starts[order->agent]; start > 1)
        order->agent += "." + std::to_string(start);
    HostLink::Options link = m_places->wayTo(host);
    HostLink::Options fresh = m_places->freshWayTo(host);
    link.sentinel = fresh.sentinel = ByteChannel::Sentinel;
    HostAgent::Setting setting{
        .order = *std::move(order),
        .open =
            [this, link, fresh](HostLink::Listener& listener, HostAgent::Connection connection) {
                return HostLink::open(m_loop, listener,
                                      connection == HostAgent::Connection::Shared ? link : fresh);
            },
        .times = LinkTimes(m_options.rendezvous.nodeTimeout)};
    if (known != nullptr) {
        setting.resumesFrom = known->lastSequence;
        setting.hasEnded = known->ended.has_value();
    }
    HostAgent::Lead& lead = *this;
    m_hosts.push_back(std::make_unique<HostAgent>(m_loop, m_queue, *m_logs, *m_operations, lead,
                                                  std::move(setting)));
    return m_hosts.back().get();
}

/// The agent of this host is gone while the job goes on.
void Lead::startAgain(const std::string& name)
{
    m_again[name] = m_loop.callAfter(AgainDelay, [this, name] {
        const auto host = std::ranges::find(m_given, name, &ringmaster::Host::name);
        if (host == m_given.end() || m_coordinator->isEnding())
            return;
        if (HostAgent* agent = makeAgent(*host))
            agent->start();
    });
}

HostAgent* Lead::find(const std::string& agent)
{
    const auto found =
        std::ranges::find_if(m_hosts, [&](const auto& host) { return host->agent() == agent; });
    return found != m_hosts.end() ? found->get() : nullptr;
}

void Lead::changed(HostAgent& host, HostChanged::State state, const Message& reason)
{
    // Its offer can come before the answer that says it is there: then it stands by already.
    if (state != HostChanged::State::Connected || !m_coordinator->isSpare(host.agent()))
        emit(HostChanged{
            .agent = host.agent(), .host = host.host(), .state = state, .reason = reason});
    const std::int64_t now = m_clock.now().monotonicNs;
    switch (state) {
    case HostChanged::State::Connecting:
    case HostChanged::State::Finished:
    case HostChanged::State::Lost: // the coordinator knows for how long it has been away
    case HostChanged::State::StandingBy: break;
    case HostChanged::State::Connected: m_coordinator->back(host.agent(), now); break;
    case HostChanged::State::Reconnecting:
        m_coordinator->lost(host.agent(), reason, now, host.silentFor());
        (void)m_places->look();
        break;
    case HostChanged::State::Gone: agentGone(host, reason); break;
    }
}

void Lead::agentGone(HostAgent& host, const Message& reason)
{
    const std::int64_t now = m_clock.now().monotonicNs;
    if (reason.code == code::LeadReplaced)
        return replacedBy(reason);
    const bool hasPlace =
        std::ranges::find(m_given, host.host(), &ringmaster::Host::name) != m_given.end();
    if (!hasPlace || !host.wasStarted() || m_coordinator->isEnding())
        return m_coordinator->gone(host.agent(), reason, now);
    const std::string number = hostNumberOf(host.agent());
    const std::string next = number + "." + std::to_string(m_starts[number] + 1);
    startAgain(host.host());
    m_coordinator->replaced(host.agent(), next, reason, now);
}

/// Nothing is told to the agents any more: they are another one's.
void Lead::replacedBy(const Message& reason)
{
    m_isPlaced = false;
    m_coordinator->impossible(reason);
    abandonAll(code::LeadReplaced);
}

void Lead::happened(HostAgent& host, Event event)
{
    const Event told = event;
    m_record.keep(std::move(event));
    m_operations->happened(host.agent(), host.host(), told.body);
    if (host.isRecord())
        return; // of rounds that are over
    const std::int64_t now = m_clock.now().monotonicNs;
    if (const auto* exit = std::get_if<WorkerExited>(&told.body))
        m_ends.exited(host.agent(), *exit, told.at, told.node);
    if (const auto* step = std::get_if<RendezvousReport>(&told.body)) {
        if (step->step == RendezvousReport::Step::Offers)
            m_coordinator->offered(host.agent(), *step, now);
        else
            m_coordinator->finished(host.agent(), step->round, now);
    }
    if (std::holds_alternative<Notice>(told.body)) // it fetches an image
        m_coordinator->delayed(host.agent(), now);
    const auto* state = std::get_if<RunStateChanged>(&told.body);
    if (state != nullptr && state->state == RunState::Running)
        m_coordinator->running(host.agent());
    if (state == nullptr || !isFinal(state->state))
        return;
    // It had given its lead up just when that came back.
    if (state->reason.code == code::LeadGone && !m_coordinator->isEnding())
        return agentGone(host, {code::HostAgentGaveUp, {{"host", host.host()}}, {}});
    if (m_coordinator->isEnding() || !m_places->mayExplain(state->reason))
        return agentEnded(host.agent(), *state);
    m_unexplained.emplace_back(host.agent(), *state);
    (void)m_places->look();
}

void Lead::agentEnded(const std::string& agent, const RunStateChanged& state)
{
    m_coordinator->ended(agent, state.state, state.reason, m_clock.now().monotonicNs);
}

void Lead::placesTold(Notice::Severity severity, const Message& what)
{
    emit(Notice{.severity = severity, .message = what});
}

void Lead::hostTaken(const std::string& host, const Message& why)
{
    std::erase_if(m_given, [&](const ringmaster::Host& given) { return given.name == host; });
    for (const auto& agent : m_hosts)
        if (agent->host() == host) {
            m_coordinator->taken(agent->agent(), why, m_clock.now().monotonicNs);
            agent->abandon(why);
        }
}

void Lead::abandonAll(Code why)
{
    m_given.clear();
    m_unexplained.clear();
    m_again.clear();
    for (const auto& agent : m_hosts)
        agent->abandon({why, {{"host", agent->host()}}, {}});
}

/// The coordinator hears of it before it hears of each agent, whose places are gone then.
void Lead::withdrawn(const Message& why, NodeProvider::Cost cost)
{
    m_isPlaced = false;
    const bool wasEnding = m_coordinator->isEnding();
    m_coordinator->displaced(why, m_clock.now().monotonicNs,
                             cost == NodeProvider::Cost::Nothing
                                 ? ElasticCoordinator::Charge::Free
                                 : ElasticCoordinator::Charge::Restart);
    abandonAll(code::PlaceTakenBack);
    if (!m_coordinator->isEnding())
        return;
    m_places->end();
    const int budget = m_options.node.spec.restart.maxRestarts;
    if (!wasEnding)
        emit(Notice{
            .severity = Notice::Severity::Warning,
            .message = {code::NoRestartForPlaces, {{"budget", std::to_string(budget)}}, {}}});
}

void Lead::placesLost(const Message& why)
{
    m_isPlaced = false;
    m_coordinator->impossible(why);
    abandonAll(code::PlaceTakenBack);
}

void Lead::placesStand()
{
    for (const auto& [agent, state] : std::exchange(m_unexplained, {}))
        agentEnded(agent, state);
    m_coordinator->placesKnown(m_clock.now().monotonicNs);
}

void Lead::placesUnknown()
{
    m_coordinator->placesKnown(m_clock.now().monotonicNs);
}

void Lead::measured(HostAgent& /*host*/, const ClockMeasured& clock)
{
    m_ends.measured(clock);
    m_operations->measured(clock, m_clock.now().monotonicNs);
    emit(clock);
}

} // namespace ringmaster
