#include "engine/node/LeadConnection.h"

#include "engine/machine/LocalAddresses.h"
#include "engine/node/Codes.h"

#include <sstream>

namespace ringmaster {

namespace {

Message withSeconds(Code code, std::chrono::milliseconds time)
{
    return {code, {{"seconds", std::to_string(time.count() / 1000)}}, {}};
}

Round asRound(const BeginRound& begin)
{
    Round round{.number = begin.round,
                .groupRank = begin.groupRank,
                .groupWorldSize = begin.groupWorldSize,
                .worldSize = begin.worldSize,
                .runId = begin.runId,
                .masterAddress = begin.masterAddress,
                .masterPort = begin.masterPort,
                .attempt = begin.attempt,
                .restartCount = begin.restartCount};
    for (const BeginRound::RolePlace& place : begin.places)
        round.places.push_back(
            {place.role, place.globalRankBase, place.roleRankBase, place.roleWorldSize});
    return round;
}

} // namespace

LeadConnection::LeadConnection(EventLoop& loop, AgentLaunchRequest order,
                               CoordinatedRendezvous::Options rendezvousOptions, Host& host)
    : m_loop(loop)
    , m_order(std::move(order))
    , m_rendezvousOptions(std::move(rendezvousOptions))
    , m_host(host)
    , m_generation(m_order.generation)
{
    expectHold();
}

LeadConnection::~LeadConnection() = default;

std::unique_ptr<Rendezvous> LeadConnection::makeRendezvous(Rendezvous::Host& host)
{
    CoordinatedRendezvous::Lead& lead = *this;
    CoordinatedRendezvous::Options rendezvousOptions = m_rendezvousOptions;
    rendezvousOptions.address = m_order.address;
    auto rendezvous =
        std::make_unique<CoordinatedRendezvous>(std::move(rendezvousOptions), m_loop, lead, host);
    m_rendezvous = rendezvous.get();
    return rendezvous;
}

void LeadConnection::offered(std::uint64_t round, const NodeOffer& offer,
                             const std::string& address, int port)
{
    RendezvousReport step{
        .step = RendezvousReport::Step::Offers, .round = round, .address = address, .port = port};
    for (const NodeOffer::RoleCount& role : offer.roles)
        step.roles.push_back({role.role, role.workers});
    m_host.tell(step);
}

void LeadConnection::finished(std::uint64_t round)
{
    m_host.tell(RendezvousReport{.step = RendezvousReport::Step::Finished, .round = round});
}

std::optional<Result<void>> LeadConnection::execute(const Command& command)
{
    const auto* begin = std::get_if<BeginRound>(&command);
    const auto* leave = std::get_if<LeaveRound>(&command);
    const auto* close = std::get_if<CloseRendezvous>(&command);
    if (begin == nullptr && leave == nullptr && close == nullptr)
        return std::nullopt;
    if (m_rendezvous == nullptr || m_released)
        return Result<void>();
    if (begin != nullptr)
        m_rendezvous->begin(asRound(*begin));
    else if (leave != nullptr)
        m_rendezvous->leave(leave->round, leave->recallsFinished, leave->why);
    else
        m_rendezvous->closed(close->hasSucceeded, close->why);
    return Result<void>();
}

Result<void> LeadConnection::obeys(std::uint64_t generation) const
{
    if (generation < m_generation)
        return fail(code::LeadReplaced, {{"host", m_order.host}});
    return {};
}

Result<Moment> LeadConnection::heartbeat(const Heartbeat& heartbeat)
{
    RM_TRY(obeys(heartbeat.generation));
    const bool isNewLead = heartbeat.generation > m_generation;
    m_generation = heartbeat.generation;
    if (isNewLead && m_rendezvous != nullptr)
        m_rendezvous->leadChanged();
    m_lease.cancel();
    expectHold();
    if (std::exchange(m_isLost, false))
        m_host.tell(
            Notice{.severity = Notice::Severity::Info, .message = {code::LeadBack, {}, {}}});
    if (heartbeat.isReleased && !std::exchange(m_isReleased, true) && m_released)
        m_loop.post(std::exchange(m_released, [] {}));
    return SystemClock().now();
}

void LeadConnection::expectHold()
{
    m_beat = m_loop.callAfter(m_order.holdTimeout, [this] { leadLost(); });
}

void LeadConnection::leadLost()
{
    if (!std::exchange(m_isLost, true))
        m_host.tell(Notice{.severity = Notice::Severity::Warning,
                           .message = withSeconds(code::LeadLost, m_order.leadTimeout)});
    m_lease = m_loop.callAfter(m_order.leadTimeout, [this] {
        if (m_released)
            return std::exchange(m_released, [] {})();
        m_host.leadGone(Error{withSeconds(code::LeadGone, m_order.leadTimeout), {}});
        // Whoever can't be asked any more isn't waited for again.
        m_isReleased = true;
    });
}

void LeadConnection::finish(std::function<void()> released)
{
    m_rendezvous = nullptr;
    m_released = std::move(released);
    if (m_isReleased)
        m_loop.post(std::exchange(m_released, [] {}));
}

Result<std::string> reachableAddress(const AgentLaunchRequest& order,
                                     const std::map<std::string, std::string>& environment)
{
    if (!order.address.empty())
        return order.address;
    if (!order.interface.empty()) {
        if (const auto address = addressOfInterface(order.interface))
            return *address;
        return fail(code::InterfaceUnknown, {{"host", order.host}, {"interface", order.interface}});
    }
    // "client-address client-port server-address server-port"
    if (const auto ssh = environment.find("SSH_CONNECTION"); ssh != environment.end()) {
        std::istringstream words(ssh->second);
        std::string client;
        std::string port;
        std::string server;
        if (words >> client >> port >> server)
            return server;
    }
    return fullHostName();
}

} // namespace ringmaster
