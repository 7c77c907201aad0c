#include "engine/lead/HostAgents.h"

#include "engine/agent/Codes.h"
#include "engine/control/ByteChannel.h"
#include "engine/event/AgentName.h"
#include "engine/event/Codes.h"
#include "engine/event/DrilledHost.h"
#include "engine/event/States.h"
#include "engine/hosts/HostJob.h"
#include "engine/hosts/NamedHosts.h"
#include "engine/job/JobFile.h"
#include "engine/lead/Codes.h"
#include "engine/lead/GatheredStacks.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Codes.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Before an agent is started in place of one that is gone.
constexpr auto AgainDelay = 500ms;

/// Twice the time for each login that nothing came of, however long it was waited for.
std::chrono::milliseconds patienceAfter(int silentLogins, std::chrono::milliseconds patience)
{
    constexpr std::chrono::milliseconds Longest = 120s;
    const auto limit = std::max(Longest, patience);
    for (int i = 0; i < silentLogins && patience < limit; ++i)
        patience = std::min(patience * 2, limit);
    return patience;
}

} // namespace

HostAgents::HostAgents(Parts parts, const LeadOptions& options, std::string run,
                       std::uint64_t generation)
    : m_parts(std::move(parts)), m_options(options), m_run(std::move(run)), m_generation(generation)
{
}

/// Until one that nothing comes of is given up, and its shell left to itself. ssh ends sooner where
/// it can't connect.
std::chrono::milliseconds HostAgents::longestLogin(std::chrono::milliseconds patience) const
{
    return std::max(4 * patience, patience + std::chrono::seconds(m_options.ssh.connectSeconds));
}

Result<AgentLaunchRequest> HostAgents::orderFor(const Host& host) const
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
        .run = m_run,
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

std::string HostAgents::nameFor(const Host& host)
{
    const auto index = std::ranges::find(m_given, host.name, &Host::name) - m_given.begin();
    const std::string number = std::to_string(index + 1);
    return agentName(number, ++m_starts[number]);
}

HostAgent* HostAgents::make(const Host& host, const RunStanding::Agent* known)
{
    auto order = orderFor(host);
    if (!order) {
        m_parts.cannotMake(order.error());
        return nullptr;
    }
    order->agent = known != nullptr ? known->agent : nameFor(host);
    const LinkTimes times(m_options.rendezvous.nodeTimeout);
    const NodeProvider& places = m_parts.places;
    HostLink::Options link = places.wayTo(host);
    HostLink::Options fresh = places.freshWayTo(host, m_options.ssh.connectSeconds);
    HostLink::Options hurried = places.freshWayTo(host, times.connectSeconds());
    link.sentinel = fresh.sentinel = hurried.sentinel = ByteChannel::Sentinel;
    HostAgent::Setting setting{
        .order = *std::move(order),
        .open =
            [this, link, fresh, hurried](HostLink::Listener& listener,
                                         const ReconnectPolicy::Try& next) {
                const bool isShared = next.connection == ReconnectPolicy::Connection::Shared;
                HostLink::Options options = isShared ? link : next.isHurried ? hurried : fresh;
                options.patience = patienceAfter(next.silentLogins, options.patience);
                options.longestLogin = longestLogin(options.patience);
                return HostLink::open(m_parts.loop, listener, std::move(options));
            },
        .times = times};
    if (known != nullptr) {
        setting.resumesFrom = known->lastSequence;
        setting.hasEnded = known->ended.has_value();
    }
    m_agents.push_back(std::make_unique<HostAgent>(m_parts.loop, m_queue, m_parts.logs,
                                                   m_parts.operations, *m_parts.lead,
                                                   std::move(setting)));
    return m_agents.back().get();
}

void HostAgents::startAgain(const std::string& name)
{
    m_again[name] = m_parts.loop.callAfter(AgainDelay, [this, name] {
        const auto host = std::ranges::find(m_given, name, &Host::name);
        const bool isWanted = host != m_given.end() && m_parts.mayStart();
        if (HostAgent* agent = isWanted ? make(*host) : nullptr)
            agent->start();
    });
}

std::string HostAgents::nextAfter(const std::string& agent) const
{
    const std::string number = hostNumberOf(agent);
    const auto starts = m_starts.find(number);
    return agentName(number, (starts != m_starts.end() ? starts->second : 0) + 1);
}

bool HostAgents::isGiven(const std::string& host) const
{
    return std::ranges::find(m_given, host, &Host::name) != m_given.end();
}

void HostAgents::take(const std::string& host, const Message& why)
{
    std::erase_if(m_given, [&](const Host& given) { return given.name == host; });
    for (const auto& agent : m_agents)
        if (agent->host() == host)
            agent->abandon(why);
}

HostAgent* HostAgents::find(const std::string& agent) const
{
    const auto found =
        std::ranges::find_if(m_agents, [&](const auto& known) { return known->agent() == agent; });
    return found != m_agents.end() ? found->get() : nullptr;
}

std::string HostAgents::hostOf(const std::string& agent) const
{
    const HostAgent* found = find(agent);
    return found != nullptr ? found->host() : std::string();
}

void HostAgents::send(const std::string& agent, const Command& command) const
{
    if (HostAgent* host = find(agent))
        host->send(command);
}

Result<void> HostAgents::sendToRank(int globalRank, const Command& command,
                                    const RunSnapshot& run) const
{
    const auto worker = std::ranges::find(run.workers, globalRank, [](const WorkerSnapshot& known) {
        return known.assignment.globalRank;
    });
    HostAgent* host = worker != run.workers.end() ? find(worker->agent) : nullptr;
    if (host == nullptr || !host->isConnected())
        return fail(code::RankNotRunningHere, {{"rank", std::to_string(globalRank)}});
    host->send(command);
    return {};
}

Result<void> HostAgents::drill(const BeginDrill& drill, const RunSnapshot& run) const
{
    if (!drill.isOfHost())
        return sendToRank(drill.globalRank, drill, run);
    const HostSnapshot known = RM_TRY(hostToDrill(run, drill.host));
    HostAgent* host = find(known.agent);
    if (host == nullptr || !host->isConnected())
        return fail(code::DrillHostNotConnected,
                    {{"host", drill.host},
                     {"state", std::string(nameOf(HostChanged::State::Reconnecting))}});
    if (drill.kind == BeginDrill::Kind::KillHost) {
        host->send(drill);
        return {};
    }
    const auto given = std::ranges::find(m_given, drill.host, &Host::name);
    // Its agent is a child of the lead, and would end with the link.
    if (given != m_given.end() && given->isHere())
        return fail(code::DrillHostIsHere, {{"host", drill.host}});
    host->cutFor(drill.duration, {code::HostCutByDrill, {{"host", drill.host}}, {}});
    return {};
}

void HostAgents::stop(bool isNow) const
{
    for (const auto& host : m_agents) {
        host->stop({.now = isNow});
        if (!host->isConnected() && isNow)
            host->abandon({code::HostNotWaitedFor, {{"host", host->host()}}, {}});
        else if (!host->isConnected())
            host->stopTrying();
    }
}

void HostAgents::stopTrying()
{
    m_again.clear();
    for (const auto& host : m_agents)
        host->stopTrying();
}

bool HostAgents::areAllOver() const
{
    return std::ranges::all_of(m_agents, [](const auto& agent) { return agent->isOver(); });
}

void HostAgents::takeStacks(const Moment& at,
                            std::function<void(Result<KeptEvidence>)> answer) const
{
    const auto gathered = std::make_shared<GatheredStacks>(
        at, [answer = std::move(answer)](KeptEvidence taken) { answer(std::move(taken)); });
    for (const auto& agent : m_agents)
        if (agent->isConnected() && !agent->isOver())
            agent->takeStacks(
                [gathered](const Result<KeptEvidence>& part) { gathered->add(part); });
}

void HostAgents::abandonAll(Code why)
{
    m_given.clear();
    m_again.clear();
    for (const auto& agent : m_agents)
        agent->abandon({why, {{"host", agent->host()}}, {}});
}

} // namespace ringmaster
