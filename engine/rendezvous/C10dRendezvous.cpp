#include "engine/rendezvous/C10dRendezvous.h"

#include "engine/machine/LocalAddresses.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RendezvousStateValidator.h"
#include "engine/rendezvous/WorkersStore.h"
#include "engine/store/Codes.h"

#include <algorithm>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Others can change the state without telling us; torchrun's agents look as often.
constexpr auto WatchPoll = 1s;

/// The name under which the other agents know this one; their order is the ranks'.
std::string publishedName(const RendezvousOptions& options, const RendezvousEndpoint& endpoint)
{
    if (!options.localAddress.empty())
        return options.localAddress;
    return isLoopbackName(endpoint.host) ? "localhost" : fullHostName();
}

/// Where the others' workers find a store of this machine. Not every network resolves its hosts'
/// names: the endpoint is a name by which they came here, and who came to it has an address there.
std::string reachedAddress(const RendezvousOptions& options, const RendezvousEndpoint& endpoint)
{
    if (!options.localAddress.empty() || isLoopbackName(endpoint.host))
        return publishedName(options, endpoint);
    if (isThisMachine(endpoint.host))
        return endpoint.host;
    return addressTowards(endpoint.host).value_or(fullHostName());
}

Parameters whoIs(const NodeDescription& node)
{
    return {{"node", node.address + " (process " + std::to_string(node.pid) + ")"}};
}

} // namespace

C10dRendezvous::Environment C10dRendezvous::Environment::real()
{
    return {.pid = ::getpid(),
            .now =
                [] {
                    return std::chrono::time_point_cast<std::chrono::microseconds>(
                        std::chrono::system_clock::now());
                },
            .openStore = StoreThread::start,
            .connect = connectStore};
}

C10dRendezvous::C10dRendezvous(RendezvousOptions options, RendezvousEndpoint endpoint,
                               EventLoop& loop, Host& host, Environment environment)
    : m_options(std::move(options))
    , m_endpoint(std::move(endpoint))
    , m_environment(std::move(environment))
    , m_loop(loop)
    , m_host(host)
    , m_node{.address = publishedName(m_options, m_endpoint),
             .pid = m_environment.pid,
             .localId = FirstOwnLocalId + m_options.localId}
{
}

C10dRendezvous::~C10dRendezvous() = default;

void C10dRendezvous::join(const NodeOffer& offer)
{
    m_offer = offer;
    m_watch.cancel();
    m_opening.reset();
    m_exchange.reset();
    m_finished = m_givenUp = 0;
    m_hasFinished = m_hasComeTooLate = false;
    if (m_workersStore)
        m_workersStore->cancel();
    m_joinDeadline = m_environment.now() + m_options.settings.joinTimeout;
    if (m_executor) {
        m_executor->forgetOthers();
        return joinState();
    }
    ++m_pursuit;
    m_connecting = m_loop.callAfter(0ns, [this] { openState(); });
}

/// An answer that comes late has no say in what follows: what it was for is gone.
template <class T>
Store::Callback<T> C10dRendezvous::whilePursued(Store::Callback<T> done) const
{
    return [this, pursuit = m_pursuit, done = std::move(done)](Result<T> result) {
        if (pursuit == m_pursuit)
            done(std::move(result));
    };
}

void C10dRendezvous::joinState()
{
    ++m_pursuit;
    m_executor->join(m_joinDeadline);
}

/// Serves the store where the endpoint is this machine and the port is free; else somebody else
/// serves it.
Result<void> C10dRendezvous::connect()
{
    const auto hosting = RM_TRY(hostingChoice(m_options.configuration));
    if (hosting ? *hosting : isThisMachine(m_endpoint.host)) {
        StoreServer::Options options;
        options.addresses = listenAddresses(m_endpoint.host);
        options.port = static_cast<std::uint16_t>(m_endpoint.port);
        options.writeFilter = isHarmlessWrite;
        auto served = m_environment.openStore(std::move(options));
        if (!served && (hosting || served.error().code != code::StorePortBusy))
            return tl::unexpected(std::move(served).error());
        if (served) {
            m_served = *std::move(served);
            m_endpoint.port = m_served->port();
        } else {
            m_busy = std::move(served).error();
        }
    }
    m_store = m_environment.connect(
        m_loop, TcpStoreClient::Options{.host = m_served ? "127.0.0.1" : m_endpoint.host,
                                        .port = static_cast<std::uint16_t>(m_endpoint.port),
                                        .connectTimeout = m_options.settings.readTimeout});
    m_shared = std::make_unique<SharedState>(*m_store, m_options.settings.id,
                                             m_options.settings.readTimeout);
    m_executor = std::make_unique<RendezvousOpExecutor>(
        m_loop, *m_shared, static_cast<RendezvousOpExecutor::Listener&>(*this),
        RendezvousOpExecutor::Setting{
            .node = m_node, .settings = m_options.settings, .now = m_environment.now});
    m_workersStore = std::make_unique<WorkersStore>(
        WorkersStore::Options{.id = m_options.settings.id,
                              .readTimeout = m_options.settings.readTimeout,
                              .node = m_node,
                              .address = reachedAddress(m_options, m_endpoint),
                              .isShared = m_options.shareStore,
                              .openStore = m_environment.openStore,
                              .connect = m_environment.connect},
        m_loop, *m_store);
    return {};
}

void C10dRendezvous::openState()
{
    if (const Result<void> connected = connect(); !connected)
        return failed(connected.error());
    m_shared->open(whilePursued<void>([this](const Result<void>& opened) {
        // Who has the port isn't a store.
        if (!opened && m_busy && opened.error().code == code::StoreUnreachable)
            return failed(*m_busy);
        if (!opened)
            return failed(opened.error());
        joinState();
    }));
}

void C10dRendezvous::joinRefused(Move why)
{
    const RendezvousState& state = m_shared->state();
    const Message closedMessage{code::RendezvousClosed, {{"id", m_options.settings.id}}, {}};
    if (why == Move::FailClosed && state.redundancyList.contains(m_node))
        return m_host.rendezvousClosed(closedMessage); // A spare that wasn't needed has not failed.
    if (why == Move::FailClosed)
        return m_host.rendezvousFailed(Error{closedMessage, {}});
    m_hasComeTooLate = true;
    m_host.rendezvousFailed(
        Error{{code::RendezvousTimedOut,
               {{"seconds", std::to_string(m_options.settings.joinTimeout.count())},
                {"present", std::to_string(state.participants.size())},
                {"needed", std::to_string(m_options.settings.minNodes)}},
               {}},
              {}});
}

void C10dRendezvous::stateJoined()
{
    m_round = JoinedRound(m_node, m_shared->state());
    if (!m_round.isWhole())
        return beginAnew();
    m_isJoined = m_toldOfChange = false;
    m_exchange =
        std::make_unique<RoundExchange>(prefixOfRound(m_options.settings.id, m_round.number()),
                                        *m_store, m_options.settings.readTimeout);
    stateSeen();
    m_opening = std::make_unique<RoundOpening>(m_round, m_offer, *m_workersStore, *m_exchange);
    m_opening->begin([this](Result<std::optional<Round>> opened) {
        if (!opened)
            return failed(opened.error());
        *opened ? roundOpened(**std::move(opened)) : beginAnew();
    });
}

void C10dRendezvous::roundOpened(Round round)
{
    round.runId = m_options.settings.id;
    round.useAgentStore = m_options.shareStore;
    m_isJoined = true;
    m_host.rendezvousJoined(round);
}

void C10dRendezvous::watch()
{
    m_watch = m_loop.callAfter(WatchPoll, [this] {
        m_shared->read(whilePursued<void>(
            [this](const Result<void>& got) { got ? stateSeen() : storeLost(got.error()); }));
    });
}

void C10dRendezvous::stateSeen()
{
    m_seenAt = m_environment.now();
    keepAlive();
}

/// Before anything else is asked: where the store is far away, the others would think it gone.
void C10dRendezvous::keepAlive()
{
    RendezvousState state = m_shared->state();
    sanitise(state, m_options.settings, m_seenAt, m_node);
    const StateTime now = m_environment.now();
    const Move move = nextKeepAliveMove(state, m_node, m_options.settings, now);
    if (move == Move::Finish)
        return countEnds();
    apply(move, state, m_node, m_options.settings, now);
    m_shared->replace(state, whilePursued<bool>([this](const Result<bool>& taken) {
                          taken ? stateSeen() : storeLost(taken.error());
                      }));
}

/// Before it is asked what follows: the store may go with the next node that leaves. After the
/// state was read: who closes the rendezvous has said before how it ended.
void C10dRendezvous::countEnds()
{
    m_exchange->countFinished([this](const Result<std::int64_t>& finished) {
        if (finished) // else the next answer is an error, too
            m_finished = *finished;
    });
    m_exchange->countGivenUp(
        whilePursued<std::int64_t>([this](const Result<std::int64_t>& givenUp) {
            if (!givenUp)
                return storeLost(givenUp.error());
            m_givenUp = *givenUp;
            lookAround();
        }));
}

void C10dRendezvous::lookAround()
{
    // At the time when it was read: nobody is gone because the answers since took long.
    RendezvousState state = m_shared->state();
    sanitise(state, m_options.settings, m_seenAt, m_node);
    if (state.closed && m_barrier)
        return endBarrier({});
    // A node that succeeds and doesn't wait for the others closes the rendezvous, too, as
    // torchrun's do: that is no reason to end them.
    if (state.closed && (m_finished == 0 || m_givenUp > 0)) {
        const Message closed{code::RendezvousClosed, {{"id", m_options.settings.id}}, {}};
        // Who was to begin with this round is no spare.
        return m_isJoined ? m_host.rendezvousClosed(closed)
                          : m_host.rendezvousFailed(Error{closed, {}});
    }
    const bool isAnybodyMissed = !state.closed && !haveOthersFinished();
    if (const NodeDescription* node = isAnybodyMissed ? m_round.missing(state) : nullptr) {
        if (m_barrier)
            return endBarrier(fail(code::RendezvousNodeNotWaitedFor, whoIs(*node)));
        if (!m_isJoined)
            return beginAnew();
        const bool comesBack = state.waitList.contains(*node) || state.participants.contains(*node);
        tellMembershipChanged({comesBack ? code::RendezvousNodeRestarts : code::RendezvousNodeGone,
                               whoIs(*node),
                               {}});
    }
    if (!state.waitList.empty() && !state.closed)
        tellMembershipChanged(
            {code::RendezvousNodesWaiting, {{"count", std::to_string(state.waitList.size())}}, {}});
    watch();
}

/// Then one that is silent has left, and its workers are no loss.
bool C10dRendezvous::haveOthersFinished() const
{
    const std::int64_t nodes = m_round.groupWorldSize();
    return nodes > 1 && m_finished - (m_hasFinished ? 1 : 0) >= nodes - 1;
}

/// One of the round has gone before its ranks were given: its offer may never come, or others
/// count it.
void C10dRendezvous::beginAnew()
{
    m_watch.cancel();
    m_opening.reset();
    m_exchange.reset();
    m_workersStore->cancel();
    joinState();
}

/// With the node that served it. Where nodes of the round have finished, that may be one of them.
/// Or only the way there was cut: then the others still want to see this one's heartbeats.
void C10dRendezvous::storeLost(const Error& error)
{
    if (m_barrier || m_finished == 0)
        failed(error);
    else
        watch();
}

void C10dRendezvous::tellMembershipChanged(const Message& what)
{
    // Not while the group ends: those who wait will find the rendezvous closed. And whoever waits
    // while the round begins is told by the next look.
    if (m_barrier || !m_isJoined || std::exchange(m_toldOfChange, true))
        return;
    m_host.rendezvousMembershipChanged(what);
}

void C10dRendezvous::failed(const Error& error)
{
    cancel();
    m_watch.cancel();
    if (m_closed)
        return stateClosed();
    if (m_barrier)
        return endBarrier(tl::unexpected(error));
    Error lost = error;
    m_host.rendezvousFailed(std::move(lost).during(code::RendezvousLost));
}

void C10dRendezvous::enterExitBarrier(std::function<void(Result<void>)> done)
{
    m_barrier = std::move(done);
    m_hasFinished = true;
    m_exchange->enterExitBarrier(
        m_round.groupWorldSize(), m_options.settings.exitBarrier,
        [this](const Result<void>& passed) {
            if (!passed && passed.error().code == code::StoreKeyMissing) {
                const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
                    m_options.settings.exitBarrier);
                return endBarrier(fail(code::RendezvousExitBarrierTimedOut,
                                       {{"seconds", std::to_string(seconds.count())}}));
            }
            endBarrier(passed);
        });
}

void C10dRendezvous::endBarrier(const Result<void>& result)
{
    if (const auto done = std::exchange(m_barrier, nullptr))
        done(result);
}

void C10dRendezvous::close(std::function<void()> done)
{
    cancel();
    m_closed = std::move(done);
    m_watch.cancel();
    // torchrun's agent ends the others' job because it came too late itself.
    if (!m_executor || (m_hasComeTooLate && m_executor->canOthersGoOn()))
        return static_cast<void>(m_loop.post([this] { stateClosed(); }));
    m_closeTimer = m_loop.callAfter(m_options.settings.closeTimeout, [this] { stateClosed(); });
    if (!m_exchange || m_hasFinished)
        return m_executor->close();
    m_exchange->giveUp([this](const Result<void>& /*said*/) {
        if (m_closed)
            m_executor->close();
    });
}

void C10dRendezvous::stateClosed()
{
    cancel();
    m_closeTimer.cancel();
    if (const auto done = std::exchange(m_closed, nullptr))
        done();
}

/// Whatever is under way has no say any more.
void C10dRendezvous::cancel()
{
    ++m_pursuit;
    m_connecting.cancel();
    m_opening.reset();
    if (m_executor)
        m_executor->cancel();
}

} // namespace ringmaster
