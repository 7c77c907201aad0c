#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/WorkersStore.h"
#include "engine/store/StoreThread.h"
#include "engine/store/TcpStoreClient.h"
#include "tests/TestMain.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

using Master = RoundExchange::Master;

constexpr int NobodysPort = 1;

/// Whoever is there may take long to answer on a busy machine.
std::unique_ptr<Store> connectPatiently(EventLoop& loop, TcpStoreClient::Options options)
{
    if (options.port != NobodysPort)
        options.connectTimeout = 60s;
    return connectStore(loop, std::move(options));
}

std::unique_ptr<StoreThread> aStore()
{
    return StoreThread::start({.addresses = {"127.0.0.1"}}).value();
}

/// What a call with a callback yields; its loop runs until then.
class Calls
{
public:
    explicit Calls(EventLoop& loop) : m_loop(loop) {}

    template <class T>
    Result<T> wait(const std::function<void(Store::Callback<T>)>& call)
    {
        std::optional<Result<T>> got;
        call([&](Result<T> result) {
            got = std::move(result);
            m_loop.stop();
        });
        const auto giveUp = m_loop.callAfter(60s, [&] { m_loop.stop(); });
        while (!got && giveUp.isActive())
            m_loop.run();
        return got ? *std::move(got) : fail(code::StoreKeyMissing);
    }

private:
    EventLoop& m_loop;
};

} // namespace

class tst_workers_store : public QObject
{
    Q_OBJECT

private:
    NodeDescription m_own{.address = "localhost", .pid = 20, .localId = FirstOwnLocalId};
    NodeDescription m_theirs{.address = "localhost", .pid = 10};
    std::unique_ptr<EventLoop> m_loop;
    std::unique_ptr<StoreThread> m_rendezvousStore;
    std::unique_ptr<Store> m_store;
    std::unique_ptr<WorkersStore> m_workers;

    WorkersStore::Round round(int number, int ownRank) const
    {
        return {number, {{m_own, ownRank}, {m_theirs, 1 - ownRank}}};
    }

    Result<Master> open(const WorkersStore::Round& round)
    {
        return Calls(*m_loop).wait<Master>(
            [&](Store::Callback<Master> done) { m_workers->open(round, std::move(done)); });
    }

    void clear()
    {
        QVERIFY(Calls(*m_loop).wait<void>([&](Store::Callback<void> done) {
            m_workers->clear([done = std::move(done)] { done({}); });
        }));
    }

    void put(const std::string& key, const std::string& value, int port = 0)
    {
        TcpStoreClient client(*m_loop, {.host = "127.0.0.1",
                                        .port = port > 0 ? static_cast<std::uint16_t>(port)
                                                         : m_rendezvousStore->port()});
        QVERIFY(Calls(*m_loop).wait<void>(
            [&](Store::Callback<void> done) { client.set(key, value, std::move(done)); }));
    }

    std::int64_t keysAt(int port)
    {
        TcpStoreClient client(*m_loop,
                              {.host = "127.0.0.1", .port = static_cast<std::uint16_t>(port)});
        return static_cast<std::int64_t>(
            Calls(*m_loop)
                .wait<std::vector<std::string>>(
                    [&](Store::Callback<std::vector<std::string>> done) {
                        client.listKeys(std::move(done));
                    })
                .value()
                .size());
    }

    /// As torchrun's agents do in their first round only.
    void publishTheirs(int number, int port)
    {
        const std::string prefix = "torch.rendezvous.job." + std::to_string(number) + "/";
        put(prefix + "MASTER_ADDR", "127.0.0.1");
        put(prefix + "MASTER_PORT", std::to_string(port));
    }

private Q_SLOTS:
    void init()
    {
        m_loop = std::make_unique<EventLoop>();
        m_rendezvousStore = aStore();
        m_store = m_rendezvousStore->localStore(*m_loop);
        m_workers =
            std::make_unique<WorkersStore>(WorkersStore::Options{.id = "job",
                                                                 .readTimeout = 30s,
                                                                 .node = m_own,
                                                                 .address = "localhost",
                                                                 .publishedSoon = 100ms,
                                                                 .connect = connectPatiently},
                                           *m_loop, *m_store);
    }

    void cleanup()
    {
        m_workers.reset();
        m_store.reset();
        m_rendezvousStore.reset();
        m_loop.reset();
    }

    void theOneThatTorchrunKnowsStaysAndIsCleared()
    {
        const int port = open(round(0, 0)).value().port;
        put("gloo", "an address of the first round", port);
        clear();
        QCOMPARE(keysAt(port), 1);
        QCOMPARE(open(round(1, 0)).value().port, port);
        clear();
        QCOMPARE(keysAt(port), 0);
    }

    void amongOurOwnEveryRoundHasAFreshOne()
    {
        const NodeDescription other{.address = "localhost", .pid = 30, .localId = FirstOwnLocalId};
        const int port = open({0, {{m_own, 0}, {other, 1}}}).value().port;
        QVERIFY(open({1, {{m_own, 0}, {other, 1}}}).value().port != port);
    }

    void torchrunsIsPublishedInItsPlaceAndCleared()
    {
        const auto theirs = aStore();
        publishTheirs(0, theirs->port());
        QCOMPARE(open(round(0, 1)).value().port, theirs->port());
        put("gloo", "an address of the first round", theirs->port());
        QCOMPARE(open(round(1, 1)).value().port, theirs->port());
        clear();
        QCOMPARE(keysAt(theirs->port()), 0);
    }

    void whoComesLaterFindsTorchrunsInAnEarlierRound()
    {
        const auto theirs = aStore();
        publishTheirs(1, theirs->port());
        publishTheirs(2, NobodysPort);
        put("gloo", "an address of an earlier round", theirs->port());
        QCOMPARE(open(round(4, 1)).value().port, theirs->port());
        clear();
        QCOMPARE(keysAt(theirs->port()), 0);
    }

    /// Their address is known to torchrun's agents for life.
    void whoLeadsLaterLeadsToTheStoreThatIsKnown()
    {
        const auto theirs = aStore();
        publishTheirs(0, theirs->port());
        QCOMPARE(open(round(1, 0)).value().port, theirs->port());
    }

    void aMasterThatIsNoAddressIsRefused()
    {
        publishTheirs(0, 70'000);
        QCOMPARE(open(round(0, 1)).error().code, code::RendezvousStateRefused);
    }
};

QTEST_GUILESS_MAIN(tst_workers_store)
#include "tst_workers_store.moc"
