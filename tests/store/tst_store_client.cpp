#include "Await.h"
#include "RawPeer.h"
#include "ServedStore.h"
#include "engine/store/Codes.h"
#include "engine/store/PrefixStore.h"
#include "engine/store/TcpStoreClient.h"
#include "tests/support/FreePort.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

using Strings = std::vector<std::string>;

/// A listening socket that a test answers on by hand.
class FakeServer
{
public:
    FakeServer() : m_listener(std::move(listenOn({"127.0.0.1"}, 0).value().front()))
    {
        (void)setNonBlocking(m_listener.get(), false);
        sockaddr_in address{};
        socklen_t length = sizeof address;
        getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
        m_port = ntohs(address.sin_port);
    }

    std::uint16_t port() const { return m_port; }
    FileDescriptor& listener() { return m_listener; }
    /// Nobody waits for a client any more.
    void stop() { ::shutdown(m_listener.get(), SHUT_RDWR); }

    /// Accepts, echoes the PING, reads `requestSize` bytes and answers with `reply`. Nothing is
    /// answered once the server is stopped.
    FileDescriptor answer(size_t requestSize, const std::string& reply)
    {
        FileDescriptor peer(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        const std::string greeting = read(peer, 10);
        if (greeting.size() < 10)
            return peer;
        (void)writeAll(peer.get(), greeting.substr(6));
        (void)read(peer, requestSize);
        (void)writeAll(peer.get(), reply);
        return peer;
    }

    static std::string read(const FileDescriptor& peer, size_t count)
    {
        std::string bytes(count, '\0');
        const ssize_t got = ::recv(peer.get(), bytes.data(), count, MSG_WAITALL);
        bytes.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
        return bytes;
    }

private:
    FileDescriptor m_listener;
    std::uint16_t m_port = 0;
};

/// Of nobody, until a test serves there.
std::uint16_t ownPort()
{
    return static_cast<std::uint16_t>(freePort());
}

enum class Kind { Tcp, Local, Prefixed };

/// One store of each kind on one server.
struct Fixture
{
    EventLoop loop;
    ServedStore served;
    TcpStoreClient tcp{loop, {.host = "localhost", .port = served.port()}};
    std::unique_ptr<Store> local = served.thread().localStore(loop);
    PrefixStore prefixed{"outer", tcp};

    Store& store(Kind kind)
    {
        switch (kind) {
        case Kind::Tcp: return tcp;
        case Kind::Local: return *local;
        case Kind::Prefixed: return prefixed;
        }
        return tcp;
    }
};

} // namespace

Q_DECLARE_METATYPE(Kind)

class tst_store_client : public QObject
{
    Q_OBJECT

private:
    static void addKinds()
    {
        QTest::addColumn<Kind>("kind");
        QTest::newRow("TcpStoreClient") << Kind::Tcp;
        QTest::newRow("LocalStore") << Kind::Local;
        QTest::newRow("PrefixStore") << Kind::Prefixed;
    }

private Q_SLOTS:
    void doesWhatTorchsStoreDoes_data() { addKinds(); }
    void doesWhatTorchsStoreDoes()
    {
        QFETCH(Kind, kind);
        Fixture fixture;
        EventLoop& loop = fixture.loop;
        Store& store = fixture.store(kind);
        const auto set = [&](auto... arguments) {
            return await<void>(loop, [&](auto done) { store.set(arguments..., done); });
        };
        const auto get = [&](std::string key) {
            return await<std::string>(loop, [&](auto done) { store.get(key, 5s, done); });
        };
        const auto check = [&](Strings keys) {
            return await<bool>(loop, [&](auto done) { store.check(keys, done); });
        };
        const auto add = [&](std::string key, std::int64_t delta) {
            return await<std::int64_t>(loop, [&](auto done) { store.add(key, delta, done); });
        };
        const auto compareSet = [&](auto... arguments) {
            return await<std::string>(loop,
                                      [&](auto done) { store.compareSet(arguments..., done); });
        };
        QVERIFY(set("k", "val"));
        QCOMPARE(get("k"), std::string("val"));
        QVERIFY(set("empty", ""));
        QCOMPARE(get("empty"), std::string());
        QCOMPARE(add("n", 5), 5);
        QCOMPARE(add("n", -7), -2);
        QCOMPARE(get("n"), std::string("-2"));
        QCOMPARE(check({"k", "n"}), true);
        QCOMPARE(check({"k", "zz"}), false);
        QCOMPARE(check({}), true);
        QCOMPARE(compareSet("cs", "", "A"), std::string("A"));
        QCOMPARE(compareSet("cs", "A", "B"), std::string("B"));
        QCOMPARE(compareSet("cs", "A", "C"), std::string("B"));
        QCOMPARE(compareSet("cs2", "X", "Y"), std::string("X"));
        QVERIFY(await<void>(loop, [&](auto done) { store.append("a", "12", done); }));
        QVERIFY(await<void>(loop, [&](auto done) { store.append("a", "34", done); }));
        QCOMPARE(get("a"), std::string("1234"));
        QVERIFY(await<void>(loop, [&](auto done) {
            store.multiSet({{"m1", "x"}, {"m2", "yy"}}, done);
        }));
        QCOMPARE(await<Strings>(loop,
                                [&](auto done) {
                                    store.multiGet({"m1", "m2"}, 5s, done);
                                }),
                 (Strings{"x", "yy"}));
        const auto erase = [&](std::string key) {
            return await<bool>(loop, [&](auto done) { store.deleteKey(key, done); });
        };
        QCOMPARE(erase("k"), true);
        QCOMPARE(erase("k"), false);
        QCOMPARE(await<std::int64_t>(loop, [&](auto done) { store.keyCount(done); }), 6);
        Strings keys = await<Strings>(loop, [&](auto done) { store.listKeys(done); }).value();
        std::sort(keys.begin(), keys.end());
        const std::string prefix = kind == Kind::Prefixed ? "outer/" : "";
        Strings expected{"a", "cs", "empty", "m1", "m2", "n"};
        for (std::string& key : expected)
            key = prefix + key;
        QCOMPARE(keys, expected);
    }

    void waitsForKeysOfOthers_data() { addKinds(); }
    void waitsForKeysOfOthers()
    {
        QFETCH(Kind, kind);
        Fixture fixture;
        Store& store = fixture.store(kind);
        int answers = 0;
        std::string got;
        store.get("later", 10s, [&](Result<std::string> value) {
            got = value.value_or("");
            ++answers;
        });
        store.multiGet({"later", "latest"}, 10s, [&](const Result<Strings>& values) {
            answers += values == Strings{"one", "two"} ? 1 : 100;
        });
        store.wait({"latest"}, 10s, [&](const Result<void>& there) { answers += there ? 1 : 100; });
        // The waits hold up nothing else.
        QCOMPARE(await<std::int64_t>(fixture.loop, [&](auto done) { store.add("n", 1, done); }), 1);
        QCOMPARE(answers, 0);
        store.set("later", "one", [](const Result<void>&) {});
        store.set("latest", "two", [](const Result<void>&) {});
        QVERIFY(runUntil(fixture.loop, [&] { return answers >= 3; }));
        QCOMPARE(answers, 3);
        QCOMPARE(got, std::string("one"));
    }

    void givesUpInTime_data() { addKinds(); }
    void givesUpInTime()
    {
        QFETCH(Kind, kind);
        Fixture fixture;
        Store& store = fixture.store(kind);
        QElapsedTimer timer;
        timer.start();
        const auto got =
            await<std::string>(fixture.loop, [&](auto done) { store.get("never", 100ms, done); });
        QCOMPARE(got.error().code, code::StoreKeyMissing);
        QCOMPARE(got.error().parameters.at("keys"),
                 std::string(kind == Kind::Prefixed ? "outer/never" : "never"));
        QVERIFY(timer.elapsed() >= 100); // and await() gives up after twenty seconds
        const auto now =
            await<void>(fixture.loop, [&](auto done) { store.wait({"never"}, 0ms, done); });
        QCOMPARE(now.error().code, code::StoreKeyMissing);
        // The connection that waited is good for the next wait.
        QVERIFY(await<void>(fixture.loop, [&](auto done) { store.set("k", "v", done); }));
        QVERIFY(await<void>(fixture.loop, [&](auto done) { store.wait({"k"}, 5s, done); }));
    }

    void refusesWhatAServerWouldCloseFor_data() { addKinds(); }
    void refusesWhatAServerWouldCloseFor()
    {
        QFETCH(Kind, kind);
        Fixture fixture;
        Store& store = fixture.store(kind);
        const std::string longKey(9000, 'k');
        const std::string longValue((8U << 20U) + 1, 'v');
        QCOMPARE(await<void>(fixture.loop, [&](auto done) { store.set(longKey, "", done); })
                     .error()
                     .code,
                 code::StoreLimitExceeded);
        QCOMPARE(await<void>(fixture.loop, [&](auto done) { store.set("k", longValue, done); })
                     .error()
                     .code,
                 code::StoreLimitExceeded);
        QCOMPARE(await<std::string>(fixture.loop, [&](auto done) { store.get(longKey, 1s, done); })
                     .error()
                     .code,
                 code::StoreLimitExceeded);
        QCOMPARE(
            await<bool>(fixture.loop, [&](auto done) { store.check(Strings(131073, "k"), done); })
                .error()
                .code,
            code::StoreLimitExceeded);
        QVERIFY(await<void>(fixture.loop, [&](auto done) { store.set("k", "v", done); }));
    }

    void aDestroyedStoreCallsNobody_data() { addKinds(); }
    void aDestroyedStoreCallsNobody()
    {
        QFETCH(Kind, kind);
        EventLoop loop;
        ServedStore served;
        TcpStoreClient other(loop, {.host = "127.0.0.1", .port = served.port()});
        bool called = false;
        {
            std::unique_ptr<Store> store;
            if (kind == Kind::Tcp)
                store = std::make_unique<TcpStoreClient>(
                    loop, TcpStoreClient::Options{.host = "127.0.0.1", .port = served.port()});
            else if (kind == Kind::Local)
                store = served.thread().localStore(loop);
            else
                store = std::make_unique<PrefixStore>("p", other);
            store->get("k", 10s, [&](const Result<std::string>&) { called = true; });
            store->set("n", "1", [&](const Result<void>&) { called = true; });
            store->set(std::string(9000, 'k'), "", [&](const Result<void>&) { called = true; });
        }
        QVERIFY(await<void>(loop, [&](auto done) { other.set("k", "v", done); }));
        QVERIFY(await<void>(loop, [&](auto done) { other.wait({"k"}, 5s, done); }));
        QVERIFY(!called);
    }

    void aCallbackMayDestroyItsStore()
    {
        EventLoop loop;
        ServedStore served;
        auto store = std::make_unique<TcpStoreClient>(
            loop, TcpStoreClient::Options{.host = "127.0.0.1", .port = served.port()});
        int called = 0;
        for (int i = 0; i < 3; ++i)
            store->add("n", 1, [&](const Result<std::int64_t>&) {
                ++called;
                store.reset();
            });
        QVERIFY(runUntil(loop, [&] { return called > 0; }));
        QCOMPARE(called, 1);
    }

    void localAndRemoteUsersWakeEachOther()
    {
        Fixture fixture;
        int answers = 0;
        fixture.local->get("fromTcp", 10s, [&](const Result<std::string>& value) {
            answers += value == "1" ? 1 : 100;
        });
        fixture.tcp.get("fromLocal", 10s, [&](const Result<std::string>& value) {
            answers += value == "2" ? 1 : 100;
        });
        QVERIFY(
            await<bool>(fixture.loop, [&](auto done) { fixture.tcp.check({"fromLocal"}, done); }));
        fixture.tcp.set("fromTcp", "1", [](const Result<void>&) {});
        fixture.local->set("fromLocal", "2", [](const Result<void>&) {});
        QVERIFY(runUntil(fixture.loop, [&] { return answers >= 2; }));
        QCOMPARE(answers, 2);
    }

    void nestsPrefixesAsTorchDoes()
    {
        Fixture fixture;
        PrefixStore pre("pre", fixture.tcp);
        PrefixStore outer("outer", pre);
        QVERIFY(await<void>(fixture.loop, [&](auto done) { outer.set("k", "v", done); }));
        QCOMPARE(await<Strings>(fixture.loop, [&](auto done) { fixture.tcp.listKeys(done); }),
                 Strings{"pre/outer/k"});
    }

    void countsItselfOnceWhenAsked()
    {
        Fixture fixture;
        TcpStoreClient::Options options{.host = "127.0.0.1", .port = fixture.served.port()};
        options.announcesItself = true;
        TcpStoreClient announced(fixture.loop, options);
        QVERIFY(await<void>(fixture.loop, [&](auto done) { announced.connect(done); }));
        QCOMPARE(await<std::int64_t>(fixture.loop, [&](auto done) { announced.keyCount(done); }),
                 1);
        RawPeer peer = RawPeer::greeted(fixture.served.port());
        QCOMPARE(peer.ask(request(wire::Opcode::Get, {"init/"}), 9), hex("01.. 31"));
    }

    void waitsForAStoreThatStartsLater()
    {
        EventLoop loop;
        const std::uint16_t port = ownPort();
        TcpStoreClient client(loop, {.host = "localhost", .port = port});
        std::optional<Result<void>> connected;
        client.connect([&](Result<void> result) { connected = std::move(result); });
        bool waited = false;
        const auto later = loop.callAfter(200ms, [&] { waited = true; });
        QVERIFY(runUntil(loop, [&] { return waited; }));
        QVERIFY(!connected);
        const ServedStore served({.port = port});
        QVERIFY(runUntil(loop, [&] { return connected.has_value(); }));
        QVERIFY(connected->has_value());
    }

    void saysThatNobodyIsThere()
    {
        EventLoop loop;
        const std::uint16_t port = ownPort();
        TcpStoreClient client(loop, {.host = "127.0.0.1", .port = port, .connectTimeout = 2000ms});
        const auto result = await<void>(loop, [&](auto done) { client.connect(done); });
        QCOMPARE(result.error().code, code::StoreUnreachable);
        QVERIFY(describe(result.error()).find("refused") != std::string::npos);
        TcpStoreClient nowhere(
            loop, {.host = "no-such-host.invalid", .port = 1, .connectTimeout = 2000ms});
        QCOMPARE(await<void>(loop, [&](auto done) { nowhere.connect(done); }).error().code,
                 code::StoreUnreachable);
    }

    void failsWhatWasPendingWhenTheServerEndsAndConnectsAnew()
    {
        EventLoop loop;
        const std::uint16_t port = ownPort();
        auto served = std::make_unique<ServedStore>(StoreServer::Options{.port = port});
        TcpStoreClient client(loop, {.host = "127.0.0.1", .port = port});
        QVERIFY(await<void>(loop, [&](auto done) { client.connect(done); }));
        std::optional<Result<void>> waited;
        client.wait({"never"}, 30s, [&](Result<void> result) { waited = std::move(result); });
        QVERIFY(runUntil(loop, [&] { return served->counters().connections == 2; }));
        served.reset();
        QVERIFY(runUntil(loop, [&] { return waited.has_value(); }));
        QCOMPARE(waited->error().code, code::StoreConnectionLost);
        const auto gone = await<void>(loop, [&](auto done) { client.set("k", "v", done); });
        QVERIFY(gone.error().code == code::StoreUnreachable ||
                gone.error().code == code::StoreConnectionLost);
        served = std::make_unique<ServedStore>(StoreServer::Options{.port = port});
        QVERIFY(await<void>(loop, [&](auto done) { client.set("k", "v", done); }));
    }

    void aServerThatDoesNotAnswerIsGivenUp()
    {
        EventLoop loop;
        FakeServer server;
        TcpStoreClient client(loop,
                              {.host = "127.0.0.1", .port = server.port(), .replyTimeout = 100ms});
        std::thread answering([&] {
            const FileDescriptor peer = server.answer(0, "");
            (void)FakeServer::read(peer, 1'000'000); // Until the client closes.
        });
        const auto result = await<std::int64_t>(loop, [&](auto done) { client.add("n", 1, done); });
        answering.join();
        QCOMPARE(result.error().code, code::StoreUnresponsive);
    }

    void aServersLengthsAreNotBelieved()
    {
        EventLoop loop;
        FakeServer server;
        TcpStoreClient client(loop, {.host = "127.0.0.1", .port = server.port()});
        std::thread answering([&] { (void)server.answer(1, hex("01.. ff ff ff ff ff ff ff 7f")); });
        const auto result = await<Strings>(loop, [&](auto done) { client.listKeys(done); });
        answering.join();
        QCOMPARE(result.error().code, code::StoreProtocolViolation);
    }

    void whoeverIsNoStoreIsNotMistakenForOne()
    {
        EventLoop loop;
        FakeServer server;
        TcpStoreClient client(
            loop, {.host = "127.0.0.1", .port = server.port(), .connectTimeout = 300ms});
        std::thread answering([&] {
            const FileDescriptor peer(
                ::accept4(server.listener().get(), nullptr, nullptr, SOCK_CLOEXEC));
            (void)writeAll(peer.get(), "SSH-2.0-OpenSSH_9.2\r\n");
            server.listener().close();
        });
        const auto result = await<void>(loop, [&](auto done) { client.connect(done); });
        answering.join();
        QCOMPARE(result.error().code, code::StoreUnreachable);
    }

    /// The keys come while the client's CANCEL_WAIT is on its way: the server answers both.
    void aWaitThatIsOverWhileItIsCancelledSucceeds()
    {
        EventLoop loop;
        FakeServer server;
        std::optional<TcpStoreClient> client(
            std::in_place, loop,
            TcpStoreClient::Options{.host = "127.0.0.1", .port = server.port()});
        std::thread answering([&] {
            const std::string ping = pingRequest(0);
            const std::string check = keysRequest(wire::Opcode::Check, {"/k"});
            const FileDescriptor quick = server.answer(ping.size(), ping.substr(1));
            (void)FakeServer::read(quick, check.size());
            (void)writeAll(quick.get(), hex("01"));
            // The WAIT and the CANCEL_WAIT behind it, answered with 0 and 1.
            const FileDescriptor waiting = server.answer(check.size() + 1, hex("00 01"));
            (void)FakeServer::read(quick, 1'000'000);
        });
        // Only the CHECK has to be answered in the time of the wait.
        const auto connected = await<void>(loop, [&](auto done) { client->connect(done); });
        const auto result = await<void>(loop, [&](auto done) { client->wait({"k"}, 2s, done); });
        // Which end the thread, wherever it is.
        client.reset();
        server.stop();
        answering.join();
        QVERIFY(connected.has_value());
        QVERIFY(result.has_value());
    }
};

QTEST_GUILESS_MAIN(tst_store_client)
#include "tst_store_client.moc"
