#include "engine/rendezvous/StaticRendezvous.h"

#include "engine/machine/LocalAddresses.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RankExchange.h"
#include "engine/store/TcpStoreClient.h"

#include <charconv>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Every store client that knows its world size adds one here; the key has no slash before it on
/// the wire.
constexpr std::string_view ClientCountKey = "init/";

} // namespace

StaticRendezvous::StaticRendezvous(RendezvousOptions options, EventLoop& loop, Host& host)
    : m_options(std::move(options)), m_loop(loop), m_host(host)
{
}

StaticRendezvous::~StaticRendezvous()
{
    *m_alive = false;
}

void StaticRendezvous::join(const NodeOffer& offer)
{
    m_offer = offer;
    m_timer = m_loop.callAfter(0ns, [this] { m_store ? exchange() : start(); });
}

Result<void> StaticRendezvous::serve()
{
    StoreServer::Options options;
    options.addresses = listenAddresses(m_options.masterAddress);
    options.port = static_cast<std::uint16_t>(m_options.masterPort);
    m_served = RM_TRY(StoreThread::start(std::move(options)));
    return {};
}

void StaticRendezvous::start()
{
    if (m_options.nodeRank == 0) {
        if (const Result<void> served = serve(); !served)
            return m_host.rendezvousFailed(served.error());
    }
    m_deadline = std::chrono::steady_clock::now() + m_options.settings.staticTimeout;
    m_store = std::make_unique<TcpStoreClient>(
        m_loop, TcpStoreClient::Options{.host = m_served ? "127.0.0.1" : m_options.masterAddress,
                                        .port = static_cast<std::uint16_t>(m_options.masterPort),
                                        .connectTimeout = m_options.settings.staticTimeout,
                                        .announcesItself = true});
    m_exchange = std::make_unique<RoundExchange>(m_options.settings.id, *m_store,
                                                 m_options.settings.staticTimeout);
    m_store->connect([this](const Result<void>& connected) {
        if (!connected)
            return m_host.rendezvousFailed(connected.error());
        m_served ? waitForNodes() : exchange();
    });
}

void StaticRendezvous::waitForNodes()
{
    m_served->server().execute([this, alive = m_alive, &loop = m_loop](KeySpace& keys) {
        const std::string* text = keys.find(ClientCountKey);
        int present = 0;
        if (text != nullptr)
            std::from_chars(text->data(), text->data() + text->size(), present);
        loop.post([this, alive, present] {
            if (*alive)
                countNodes(present);
        });
    });
}

void StaticRendezvous::countNodes(int present)
{
    if (present >= m_options.settings.maxNodes)
        return exchange();
    if (std::chrono::steady_clock::now() > m_deadline) {
        return m_host.rendezvousFailed(
            Error{{code::RendezvousTimedOut,
                   {{"seconds", std::to_string(m_options.settings.staticTimeout.count())},
                    {"present", std::to_string(present)},
                    {"needed", std::to_string(m_options.settings.maxNodes)}},
                   {}},
                  {}});
    }
    m_timer = m_loop.callAfter(20ms, [this] { waitForNodes(); });
}

void StaticRendezvous::exchange()
{
    const RoundExchange::Member member{.groupRank = m_options.nodeRank,
                                       .groupWorldSize = m_options.settings.maxNodes,
                                       .offer = m_offer};
    m_exchange->exchange(member, [this](const Result<std::vector<NodeOffer>>& offers) {
        if (!offers)
            return m_host.rendezvousFailed(offers.error());
        if (m_options.nodeRank != 0)
            return finishRound(*offers);
        m_exchange->assignRanks(*offers, [this, offers = *offers](const Result<void>& assigned) {
            assigned ? finishRound(offers) : m_host.rendezvousFailed(assigned.error());
        });
    });
}

void StaticRendezvous::finishRound(const std::vector<NodeOffer>& offers)
{
    Round round;
    round.number = m_nextRound++;
    round.groupRank = m_options.nodeRank;
    round.groupWorldSize = m_options.settings.maxNodes;
    round.worldSize = worldSizeOf(offers);
    round.places = placesOf(offers, m_options.nodeRank);
    round.runId = m_options.settings.id;
    round.masterAddress = m_options.masterAddress;
    round.masterPort = m_options.masterPort;
    m_host.rendezvousJoined(round);
}

void StaticRendezvous::enterExitBarrier(std::function<void(Result<void>)> done)
{
    m_exchange->enterExitBarrier(m_options.settings.maxNodes, m_options.settings.exitBarrier,
                                 std::move(done));
}

void StaticRendezvous::close(std::function<void()> done)
{
    m_loop.post(std::move(done));
}

} // namespace ringmaster
