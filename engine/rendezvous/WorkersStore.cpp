#include "engine/rendezvous/WorkersStore.h"

#include "engine/base/Log.h"
#include "engine/machine/LocalAddresses.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr Store::Duration AnswersSoon = 2s;

void deleteKeys(Store& store, std::vector<std::string> keys, std::function<void()> done)
{
    if (keys.empty())
        return done();
    const auto left = std::make_shared<std::size_t>(keys.size());
    for (std::string& key : keys) {
        store.deleteKey(std::move(key), [left, done](const Result<bool>&) {
            if (--*left == 0)
                done();
        });
    }
}

} // namespace

std::unique_ptr<Store> connectStore(EventLoop& loop, TcpStoreClient::Options options)
{
    return std::make_unique<TcpStoreClient>(loop, std::move(options));
}

WorkersStore::WorkersStore(Options options, EventLoop& loop, Store& rendezvousStore)
    : m_options(std::move(options)), m_loop(loop), m_rendezvousStore(rendezvousStore)
{
}

WorkersStore::~WorkersStore() = default;

std::unique_ptr<RoundExchange> WorkersStore::exchangeOf(std::int64_t round) const
{
    return std::make_unique<RoundExchange>(prefixOfRound(m_options.id, round), m_rendezvousStore,
                                           m_options.readTimeout);
}

void WorkersStore::cancel()
{
    m_done = nullptr;
    m_exchange.reset();
    m_earlier.reset();
    m_client.reset();
}

void WorkersStore::open(const Round& round, Store::Callback<Master> done)
{
    cancel();
    m_round = round;
    m_done = std::move(done);
    m_exchange = exchangeOf(round.number);
    m_isFresh = round.number == 0;
    m_hasTorchruns = std::any_of(round.participants.begin(), round.participants.end(),
                                 [](const auto& entry) { return !isOurs(entry.first); });
    for (const auto& [node, rank] : round.participants) {
        if (rank == 0)
            m_first = node;
    }
    if (m_first == m_options.node)
        return lead();
    if (!m_hasTorchruns)
        m_served.reset();
    if (isOurs(m_first) || !m_options.isShared)
        return read();
    findTorchruns();
}

void WorkersStore::lead()
{
    if (!m_hasTorchruns || !m_options.isShared || m_round.number == 0)
        return serve();
    if (m_served && m_isKnownToTorchruns)
        return publish({m_options.address, m_served->port()});
    if (m_served)
        return serve();
    inherit(m_round.number,
            [this](const std::optional<Master>& master) { master ? publish(*master) : serve(); });
}

void WorkersStore::serve()
{
    StoreServer::Options options;
    options.addresses = listenAddresses(m_options.address);
    auto store = m_options.openStore(std::move(options));
    if (!store)
        return opened(tl::unexpected(std::move(store).error()));
    const Master master{m_options.address, (*store)->port()};
    m_isFresh = true;
    // Not shared: the port is only found out here, and the first worker will listen on it.
    if (m_options.isShared)
        m_served = *std::move(store);
    publish(master);
}

void WorkersStore::publish(const Master& master)
{
    m_isKnownToTorchruns = m_hasTorchruns;
    m_exchange->publishMaster(master, [this, master](const Result<void>& published) {
        opened(published ? Result<Master>(master) : tl::unexpected(published.error()));
    });
}

void WorkersStore::findTorchruns()
{
    if (m_last && m_last->first == m_first)
        return offer(m_last->second);
    if (m_round.number == 0)
        return read();
    m_exchange->readMaster(m_options.publishedSoon, [this](Result<Master> published) {
        if (published || published.error().code != code::StoreKeyMissing)
            return opened(std::move(published));
        inherit(m_round.number,
                [this](const std::optional<Master>& master) { master ? offer(*master) : read(); });
    });
}

void WorkersStore::offer(const Master& master)
{
    m_exchange->offerMaster(master, [this](const Result<void>& offered) {
        offered ? read() : opened(tl::unexpected(offered.error()));
    });
}

void WorkersStore::read()
{
    m_exchange->readMaster(m_options.readTimeout,
                           [this](Result<Master> master) { opened(std::move(master)); });
}

void WorkersStore::opened(Result<Master> master)
{
    if (master)
        m_last = {m_first, *master};
    if (const auto done = std::exchange(m_done, nullptr))
        done(std::move(master));
}

/// The newest store of the rounds before this one that still answers.
void WorkersStore::inherit(std::int64_t round,
                           const std::function<void(std::optional<Master>)>& found)
{
    if (round == 0)
        return found(std::nullopt);
    m_earlier = exchangeOf(round - 1);
    m_earlier->findMaster([this, round, found](const Result<std::optional<Master>>& master) {
        if (!master)
            return opened(tl::unexpected(master.error()));
        if (!*master)
            return inherit(round - 1, found);
        tryMaster(**master, [this, round, found, master = **master](bool answers) {
            answers ? found(master) : inherit(round - 1, found);
        });
    });
}

void WorkersStore::tryMaster(const Master& master, const std::function<void(bool)>& answered)
{
    m_client = m_options.connect(m_loop, {.host = master.address,
                                          .port = static_cast<std::uint16_t>(master.port),
                                          .connectTimeout = AnswersSoon});
    m_client->keyCount(
        [answered](const Result<std::int64_t>& keys) { answered(keys.has_value()); });
}

void WorkersStore::clear(std::function<void()> done)
{
    const bool isOthersToClear = m_first != m_options.node && isOurs(m_first);
    if (!m_hasTorchruns || !m_options.isShared || m_isFresh || isOthersToClear)
        return done();
    tryMaster(m_last->second, [this, done = std::move(done)](bool) {
        m_client->listKeys([this, done](Result<std::vector<std::string>> keys) -> void {
            if (!keys) {
                log::warning("rendezvous", "the workers' store keeps what the last round left: " +
                                               describe(keys.error()));
                return done();
            }
            deleteKeys(*m_client, *std::move(keys), done);
        });
    });
}

} // namespace ringmaster
