#include "engine/rendezvous/StaticRendezvous.h"

#include "engine/machine/LocalAddresses.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RankExchange.h"

#include <charconv>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Every store client that knows its world size adds one here; the key has no slash before it on
/// the wire.
constexpr std::string_view ClientCountKey = "init/";

class CountingStore : public StaticRendezvous::ServedStore
{
public:
    CountingStore(EventLoop& loop, std::unique_ptr<StoreThread> store)
        : m_loop(loop), m_store(std::move(store))
    {
    }
    ~CountingStore() override { *m_alive = false; }

    void countClients(std::function<void(int)> counted) override
    {
        m_store->server().execute(
            [&loop = m_loop, alive = m_alive, counted = std::move(counted)](KeySpace& keys) {
                const std::string* text = keys.find(ClientCountKey);
                int present = 0;
                if (text != nullptr)
                    std::from_chars(text->data(), text->data() + text->size(), present);
                loop.post([alive, counted, present] {
                    if (*alive)
                        counted(present);
                });
            });
    }

private:
    EventLoop& m_loop;
    std::unique_ptr<StoreThread> m_store;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace

StaticRendezvous::Environment StaticRendezvous::Environment::real()
{
    return {.now = std::chrono::steady_clock::now,
            .serve = [](EventLoop& loop,
                        StoreServer::Options options) -> Result<std::unique_ptr<ServedStore>> {
                auto store = RM_TRY(StoreThread::start(std::move(options)));
                return std::make_unique<CountingStore>(loop, std::move(store));
            },
            .connect = [](EventLoop& loop, TcpStoreClient::Options options,
                          Store::Callback<void> connected) -> std::unique_ptr<Store> {
                auto store = std::make_unique<TcpStoreClient>(loop, std::move(options));
                store->connect(std::move(connected));
                return store;
            }};
}

StaticRendezvous::StaticRendezvous(RendezvousOptions options, EventLoop& loop, Host& host,
                                   Environment environment)
    : m_options(std::move(options))
    , m_environment(std::move(environment))
    , m_loop(loop)
    , m_host(host)
{
}

StaticRendezvous::~StaticRendezvous() = default;

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
    m_served = RM_TRY(m_environment.serve(m_loop, std::move(options)));
    return {};
}

void StaticRendezvous::start()
{
    if (m_options.nodeRank == 0) {
        if (const Result<void> served = serve(); !served)
            return m_host.rendezvousFailed(served.error());
    }
    m_deadline = m_environment.now() + m_options.settings.staticTimeout;
    m_store = m_environment.connect(m_loop,
                                    {.host = m_served ? "127.0.0.1" : m_options.masterAddress,
                                     .port = static_cast<std::uint16_t>(m_options.masterPort),
                                     .connectTimeout = m_options.settings.staticTimeout,
                                     .announcesItself = true},
                                    [this](const Result<void>& connected) {
                                        if (!connected)
                                            return m_host.rendezvousFailed(connected.error());
                                        m_served ? waitForNodes() : exchange();
                                    });
    m_exchange = std::make_unique<RoundExchange>(m_options.settings.id, *m_store,
                                                 m_options.settings.staticTimeout);
}

void StaticRendezvous::waitForNodes()
{
    m_served->countClients([this](int present) { countNodes(present); });
}

void StaticRendezvous::countNodes(int present)
{
    if (present >= m_options.settings.maxNodes)
        return exchange();
    if (m_environment.now() > m_deadline) {
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
