#include "engine/base/Log.h"
#include "engine/control/ByteChannel.h"
#include "engine/job/JobFile.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Codes.h"
#include "engine/node/Lead.h"
#include "engine/rendezvous/LocalAddresses.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Before an agent is started in place of one that is gone.
constexpr auto AgainDelay = 500ms;

} // namespace

/// What would be wrong for every host is found before anything is started.
Result<void> Lead::planHosts()
{
    JobSpec& spec = m_options.node.spec;
    RM_TRY(applyConfiguration(spec.rendezvous.configuration, m_options.rendezvous));
    m_jobText = RM_TRY(jobFileText(spec));
    const int hosts = static_cast<int>(m_options.hosts.size());
    if (spec.nodes == NodeRange{})
        spec.nodes = {hosts, hosts};
    if (spec.nodes.min > hosts)
        return fail(code::TooFewHosts,
                    {{"hosts", std::to_string(hosts)}, {"needed", std::to_string(spec.nodes.min)}});
    const bool isAnyFar = std::ranges::any_of(
        m_options.hosts, [](const ringmaster::Host& host) { return !host.isHere(); });
    if (isAnyFar)
        m_bundle = RM_TRY(agentBundle());
    // The others reach this machine at the address that it has on the way to them.
    for (ringmaster::Host& here : m_options.hosts) {
        if (!here.isHere() || !here.address.empty() || !here.interface.empty())
            continue;
        here.address = "localhost";
        for (const ringmaster::Host& other : m_options.hosts) {
            if (other.isHere())
                continue;
            const SshResolved resolved = RM_TRY(resolveSsh(m_options.ssh, other));
            here.address = addressTowards(resolved.hostName).value_or(fullHostName());
            break;
        }
    }
    return {};
}

Result<Order> Lead::orderFor(const ringmaster::Host& host) const
{
    const NodeOptions& node = m_options.node;
    JobSpec spec = node.spec;
    spec.hosts.clear();
    spec.nodes = {};
    if (host.slots > 0)
        spec.roles.front().workers = {WorkerCount::Kind::Number, host.slots};
    auto jobFile = RM_TRY(jobFileText(spec));
    Order order{.run = m_folder->id(),
                .host = host.name,
                .jobFile = std::move(jobFile),
                .torchrunLine = node.torchrunLine,
                .workingFolder = host.code.empty() ? node.workingFolder.string() : host.code,
                .interpreter =
                    host.interpreter.empty() && host.isHere() ? node.interpreter : host.interpreter,
                .address = host.address,
                .interface = host.interface,
                .environment = host.environment,
                .leadTimeout = m_options.rendezvous.leadTimeout,
                .holdTimeout = m_options.rendezvous.nodeTimeout + 1s};
    if (!host.interface.empty()) {
        for (const char* name : {"GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME", "TP_SOCKET_IFNAME"})
            order.environment.try_emplace(name, host.interface);
    }
    return order;
}

/// All are known before the first one can fail.
void Lead::startAgents()
{
    std::vector<HostAgent*> agents;
    for (const ringmaster::Host& host : m_options.hosts) {
        if (HostAgent* agent = makeAgent(host)) {
            m_course->expected(agent->agent(), host.name, m_clock.now().monotonicNs);
            agents.push_back(agent);
        }
    }
    for (HostAgent* agent : agents)
        agent->start();
}

HostAgent* Lead::makeAgent(const ringmaster::Host& host)
{
    auto order = orderFor(host);
    if (!order) {
        emit(Notice{.severity = Notice::Severity::Error, .message = order.error()});
        return nullptr;
    }
    const auto index = std::ranges::find(m_options.hosts, host.name, &ringmaster::Host::name) -
                       m_options.hosts.begin();
    const int start = ++m_starts[host.name];
    order->agent = std::to_string(index + 1);
    if (start > 1)
        order->agent += "." + std::to_string(start);
    const std::vector<std::string> words{"agent", "host"};
    HostLink::Options link =
        host.isHere() ? localLink(host, words) : sshLink(m_options.ssh, host, m_bundle, words);
    link.sentinel = ByteChannel::Sentinel;
    HostAgent::Setting setting{.order = *std::move(order),
                               .open = [this, link](HostLink::Listener& listener) {
                                   return HostLink::open(m_loop, listener, link);
                               }};
    setting.holdPatience =
        std::max<std::chrono::milliseconds>(m_options.rendezvous.nodeTimeout - 1s, 1s);
    HostAgent::Lead& lead = *this;
    m_hosts.push_back(std::make_unique<HostAgent>(m_loop, m_queue, *m_logs, *m_operations, lead,
                                                  std::move(setting)));
    return m_hosts.back().get();
}

/// The agent of this host is gone while the job goes on.
void Lead::startAgain(const std::string& name)
{
    m_again[name] = m_loop.callAfter(AgainDelay, [this, name] {
        const auto host = std::ranges::find(m_options.hosts, name, &ringmaster::Host::name);
        if (host == m_options.hosts.end() || m_course->isEnding())
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
    emit(HostChanged{.agent = host.agent(), .host = host.host(), .state = state, .reason = reason});
    const std::int64_t now = m_clock.now().monotonicNs;
    switch (state) {
    case HostChanged::State::Connecting:
    case HostChanged::State::Finished: break;
    case HostChanged::State::Connected: m_course->back(host.agent(), now); break;
    case HostChanged::State::Lost: m_course->lost(host.agent(), reason, now); break;
    case HostChanged::State::Gone:
        if (host.wasStarted() && !m_course->isEnding()) {
            const size_t dot = std::min(host.agent().find('.'), host.agent().size());
            const std::string next =
                host.agent().substr(0, dot) + "." + std::to_string(m_starts[host.host()] + 1);
            startAgain(host.host());
            m_course->replaced(host.agent(), next, reason, now);
        } else {
            m_course->gone(host.agent(), reason, now);
        }
        break;
    }
}

void Lead::happened(HostAgent& host, Event event)
{
    const Event told = event;
    keep(std::move(event));
    m_operations->happened(host.agent(), told.body);
    const std::int64_t now = m_clock.now().monotonicNs;
    if (const auto* exit = std::get_if<WorkerExited>(&told.body))
        m_ends.exited(host.agent(), *exit, told.at);
    if (const auto* step = std::get_if<MeetingStep>(&told.body)) {
        if (step->step == MeetingStep::Step::Offers)
            m_course->offered(host.agent(), *step, now);
        else
            m_course->finished(host.agent(), now);
    }
    const auto* state = std::get_if<RunStateChanged>(&told.body);
    if (state != nullptr && state->state == RunState::Running)
        m_course->running(host.agent());
    if (state != nullptr && isFinal(state->state))
        m_course->ended(host.agent(), state->state, state->reason, now);
}

void Lead::measured(HostAgent& /*host*/, const ClockMeasured& clock)
{
    m_ends.measured(clock);
    m_operations->measured(clock, m_clock.now().monotonicNs);
    emit(clock);
}

} // namespace ringmaster
