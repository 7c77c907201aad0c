#include "RawPeer.h"
#include "ServedStore.h"
#include "engine/store/Codes.h"

#include <QtTest>

#include <ctime>

#include <malloc.h>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;
using wire::Opcode;

namespace {

std::string text(std::string_view value)
{
    std::string bytes;
    wire::appendString(bytes, value);
    return bytes;
}

template <class T>
std::string integer(T value)
{
    std::string bytes;
    wire::appendInteger(bytes, value);
    return bytes;
}

} // namespace

class tst_store_server : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { allowManyDescriptors(); }

    void answersEveryOperation()
    {
        ServedStore store;
        RawPeer peer(store.port());
        QCOMPARE(peer.ask(hex("00 ce f7 85 3c 0d 0a 5d 00 00"), 4), hex("0a 5d 00 00"));
        QCOMPARE(peer.ask(hex("04 05.. 69 6e 69 74 2f 01.."), 8), hex("01.."));
        peer.send(hex("01 02.. 2f 6b 03.. 76 61 6c"));
        QCOMPARE(peer.ask(hex("06 01.. 02.. 2f 6b"), 1), hex("00"));
        QCOMPARE(peer.ask(hex("03 02.. 2f 6b"), 11), hex("03.. 76 61 6c"));
        QCOMPARE(peer.ask(hex("04 02.. 2f 6e 05.."), 8), hex("05.."));
        QCOMPARE(peer.ask(hex("04 02.. 2f 6e f9 ff ff ff ff ff ff ff"), 8),
                 hex("fe ff ff ff ff ff ff ff"));
        QCOMPARE(peer.ask(hex("03 02.. 2f 6e"), 10), hex("02.. 2d 32"));
        QCOMPARE(peer.ask(hex("05 02.. 02.. 2f 6b 03.. 2f 7a 7a"), 1), hex("01"));
        QCOMPARE(peer.ask(hex("06 01.. 03.. 2f 7a 7a 0c"), 1), hex("01"));
        QCOMPARE(peer.ask(hex("02 03.. 2f 63 73 00.. 01.. 41"), 9), hex("01.. 41"));
        QCOMPARE(peer.ask(hex("07"), 8), hex("04.."));
        QCOMPARE(peer.ask(hex("08 02.. 2f 6b"), 8), hex("01.."));
        QCOMPARE(peer.ask(hex("08 02.. 2f 6b"), 8), hex("00.."));
        peer.send(hex("09 02.. 2f 61 02.. 31 32 09 02.. 2f 61 02.. 33 34"));
        QCOMPARE(peer.ask(hex("03 02.. 2f 61"), 12), hex("04.. 31 32 33 34"));
        peer.send(hex("0b 02.. 03.. 2f 6d 31 01.. 78 03.. 2f 6d 32 02.. 79 79"));
        QCOMPARE(peer.ask(hex("0a 03.. 03.. 2f 6d 31 03.. 2f 6d 32 02.. 2f 3f"), 27),
                 hex("01.. 78 02.. 79 79 00.."));
        peer.send(hex("0e 02.. 2f 71 02.. 76 31"));
        QCOMPARE(peer.ask(hex("10 02.. 2f 71"), 8), hex("01.."));
        QCOMPARE(peer.ask(hex("0f 02.. 2f 71"), 18), hex("01.. 02.. 76 31"));
        QCOMPARE(peer.ask(hex("0f 02.. 2f 71"), 8), hex("00.."));
        QCOMPARE(peer.ask(hex("0d 01 02 03 04"), 4), hex("01 02 03 04"));
        QCOMPARE(peer.ask(hex("0c"), 1), hex("01"));
        const std::string keys = peer.ask(hex("11"), 8 + 6 * 8 + 5 + 2 + 3 + 2 + 3 + 3);
        QCOMPARE(keys.substr(0, 8), hex("06.."));
        for (const char* key : {"init/", "/n", "/cs", "/a", "/m1", "/m2"})
            QVERIFY2(keys.find(text(key)) != std::string::npos, key);
    }

    void understandsARequestThatComesByteByByte()
    {
        ServedStore store;
        RawPeer peer(store.port());
        for (const char byte : hex("00 ce f7 85 3c 0d 0a 5d 00 00"))
            QVERIFY(peer.send({&byte, 1}));
        QCOMPARE(peer.receive(4), hex("0a 5d 00 00"));
        const std::string requests = request(Opcode::Set, {"/k", "value"}) + addRequest("/n", 3) +
                                     keysRequest(Opcode::MultiGet, {"/k", "/n"});
        for (const char byte : requests)
            QVERIFY(peer.send({&byte, 1}));
        QCOMPARE(peer.receive(8 + 13 + 9), integer(std::int64_t{3}) + text("value") + text("3"));
    }

    void answersPipelinedRequestsInOrder()
    {
        ServedStore store;
        RawPeer peer = RawPeer::greeted(store.port());
        std::string requests;
        std::string replies;
        for (int i = 1; i <= 1000; ++i) {
            requests += addRequest("/n", 1) + request(Opcode::Get, {"/n"});
            replies += integer(std::int64_t{i}) + text(std::to_string(i));
        }
        QCOMPARE(peer.ask(requests, replies.size()), replies);
    }

    void wakesEverybodyWhoWaitsAndTheWriterFirst()
    {
        ServedStore store;
        std::vector<RawPeer> waiting;
        for (int i = 0; i < 20; ++i) {
            waiting.push_back(RawPeer::greeted(store.port()));
            waiting.back().send(keysRequest(Opcode::Wait, {"/a", "/b"}));
            // Answered at once though it waits.
            QCOMPARE(waiting.back().ask(pingRequest(7), 4), integer(7U));
        }
        RawPeer writer = RawPeer::greeted(store.port());
        writer.send(request(Opcode::Set, {"/a", ""}));
        QCOMPARE(writer.ask(addRequest("/b", 2), 8), integer(std::int64_t{2}));
        for (RawPeer& peer : waiting)
            QCOMPARE(peer.receive(1), hex("00"));
        // The same in one connection: the reply to ADD, then that to WAIT.
        QCOMPARE(writer.ask(keysRequest(Opcode::Wait, {"/c"}) + addRequest("/c", 9), 9),
                 integer(std::int64_t{9}) + hex("00"));
    }

    void aPeerThatLeavesWhileItWaitsHarmsNobody()
    {
        ServedStore store;
        RawPeer leaving = RawPeer::greeted(store.port());
        leaving.send(keysRequest(Opcode::Wait, {"/k"}) + pingRequest(1));
        QCOMPARE(leaving.receive(4).size(), size_t{4});
        leaving.close();
        RawPeer writer = RawPeer::greeted(store.port());
        QTRY_COMPARE(store.counters().connections, size_t{1});
        writer.send(request(Opcode::Set, {"/k", ""}));
        QCOMPARE(writer.ask(pingRequest(2), 4), integer(2U));
    }

    void setsManyKeysAtOnceInLinearTime()
    {
        ServedStore store;
        RawPeer peer = RawPeer::greeted(store.port());
        std::string bytes(1, static_cast<char>(Opcode::MultiSet));
        wire::appendInteger<std::uint64_t>(bytes, wire::KeysPerRequestLimit);
        for (size_t i = 0; i < wire::KeysPerRequestLimit; ++i)
            bytes += text("/key" + std::to_string(i)) + text("value");
        const std::clock_t begun = std::clock(); // The server is a thread of this process.
        peer.send(bytes);
        QCOMPARE(peer.ask(hex("07"), 8), integer(std::uint64_t{wire::KeysPerRequestLimit}));
        const std::clock_t used = std::clock() - begun;
        QVERIFY2(used < 5 * CLOCKS_PER_SEC, qPrintable(QString::number(used)));
    }

    void carriesTheLargestValueInAndOut()
    {
        ServedStore store;
        RawPeer peer = RawPeer::greeted(store.port());
        const std::string value(wire::ValueLimit, 'v');
        peer.send(request(Opcode::Set, {"/big", value}));
        QCOMPARE(peer.ask(request(Opcode::Get, {"/big"}), 8 + value.size()), text(value));
        QTRY_COMPARE(store.counters().bufferedBytes, size_t{0});
    }

    void closesOnMalformedInput_data()
    {
        QTest::addColumn<bool>("greets");
        QTest::addColumn<QByteArray>("input");
        const auto row = [](const char* name, bool greets, const std::string& input) {
            QTest::newRow(name) << greets
                                << QByteArray(input.data(), static_cast<int>(input.size()));
        };
        row("HTTP", false, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        row("TLS", false, hex("16 03 01 02 00"));
        row("no VALIDATE", false, request(Opcode::Set, {"/k", "v"}));
        row("half of a SET for a start", false, hex("01"));
        row("wrong magic", false, hex("00 ce f7 85 3d"));
        row("a second VALIDATE", true, hex("00 ce f7 85 3c"));
        row("opcode 18", true, hex("12 01.. 6b 02.."));
        row("opcode 255", true, hex("ff"));
        row("key of 8193 bytes", true, hex("03") + integer(std::uint64_t{8193}));
        row("value of 8 MiB and 1", true, hex("01 01.. 6b") + integer((8ULL << 20U) + 1));
        row("131073 keys", true, hex("05") + integer(std::uint64_t{131073}));
        row("length 2^63", true, hex("03") + integer(1ULL << 63U));
        row("length -1", true, hex("01 01.. 6b") + integer(~0ULL));
        row("count -1", true, hex("0b") + integer(~0ULL));
        row("ADD to text", true, request(Opcode::Set, {"/k", "text"}) + addRequest("/k", 1));
        row("ADD that overflows", true,
            request(Opcode::Set, {"/k", "9223372036854775807"}) + addRequest("/k", 1));
        row("two WAITs", true,
            keysRequest(Opcode::Wait, {"/x"}) + keysRequest(Opcode::Wait, {"/y"}));
    }

    void closesOnMalformedInput()
    {
        QFETCH(bool, greets);
        QFETCH(QByteArray, input);
        ServedStore store;
        RawPeer bystander = RawPeer::greeted(store.port());
        RawPeer peer = greets ? RawPeer::greeted(store.port()) : RawPeer(store.port());
        peer.send(input.toStdString());
        QVERIFY(peer.isClosed());
        QCOMPARE(bystander.ask(pingRequest(3), 4), integer(3U));
        QCOMPARE(store.counters().refused, size_t{1});
    }

    void acceptsAValidationInTwoSegments()
    {
        ServedStore store;
        RawPeer peer(store.port());
        peer.send(hex("00 ce f7"));
        // Another peer's round trip: the first segment has been read by then.
        QCOMPARE(RawPeer::greeted(store.port()).ask(pingRequest(1), 4), integer(1U));
        QCOMPARE(peer.ask(hex("85 3c 0d 01 02 03 04"), 4), hex("01 02 03 04"));
    }

    void allocatesNothingForAnAnnouncement()
    {
        if (IsSanitized)
            QSKIP("a sanitizer's heap tells no sizes");
        ServedStore store;
        std::vector<RawPeer> peers;
        for (int i = 0; i < 10; ++i)
            peers.push_back(RawPeer::greeted(store.port()));
        const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        for (RawPeer& peer : peers)
            peer.send(hex("01 01.. 6b") + integer(8ULL << 20U));
        QTRY_VERIFY(store.counters().bufferedBytes > 0);
        QVERIFY(mallinfo2().uordblks + mallinfo2().hblkhd - before < 100'000);
    }

    void halfARequestHoldsUpNobodyAndEndsInTime()
    {
        ServedStore store({.requestTimeout = 50ms});
        RawPeer half = RawPeer::greeted(store.port());
        RawPeer silent = RawPeer::greeted(store.port());
        half.send(hex("01 02.. 2f"));
        QCOMPARE(RawPeer::greeted(store.port()).ask(pingRequest(1), 4), integer(1U));
        QVERIFY(half.isClosed());
        // Whoever has nothing begun may be silent.
        QCOMPARE(silent.ask(pingRequest(2), 4), integer(2U));
    }

    void aHandshakeMustEndInTime()
    {
        ServedStore store({.handshakeTimeout = 50ms});
        RawPeer nothing(store.port());
        RawPeer onlyValidated(store.port());
        onlyValidated.send(hex("00 ce f7 85 3c"));
        QVERIFY(nothing.isClosed());
        QVERIFY(onlyValidated.isClosed());
    }

    void aPeerThatDoesNotReadIsNotReadFrom()
    {
        ServedStore store;
        RawPeer writer = RawPeer::greeted(store.port());
        const std::string value(1U << 20U, 'v');
        writer.send(request(Opcode::Set, {"/big", value}));
        QCOMPARE(writer.ask(pingRequest(1), 4), integer(1U));

        // 512 MiB of replies are asked for, and not read.
        RawPeer greedy = RawPeer::greeted(store.port());
        std::string requests;
        for (int i = 0; i < 512; ++i)
            requests += request(Opcode::Get, {"/big"});
        greedy.send(requests);
        QCOMPARE(writer.ask(pingRequest(2), 4), integer(2U));
        QTRY_VERIFY(store.counters().bufferedBytes > 0);
        QVERIFY(store.counters().bufferedBytes < 8U << 20U);
        // It can have all of them, in its own time.
        for (int i = 0; i < 512; ++i) {
            const std::string reply = greedy.receive(8 + value.size());
            QVERIFY(reply.size() == 8 + value.size() && reply.ends_with("vvv"));
        }
        QTRY_COMPARE(store.counters().bufferedBytes, size_t{0});
    }

    void oneReplyIsBounded()
    {
        ServedStore store;
        RawPeer peer = RawPeer::greeted(store.port());
        const std::string value(8U << 20U, 'v');
        peer.send(request(Opcode::Set, {"/big", value}));
        // What seven ranks have to say, each as much as fits a value.
        QCOMPARE(peer.ask(keysRequest(Opcode::MultiGet, std::vector<std::string>(7, "/big")),
                          7 * (8 + value.size()))
                     .size(),
                 7 * (8 + value.size()));
        peer.send(keysRequest(Opcode::MultiGet, std::vector<std::string>(40, "/big")));
        QVERIFY(peer.isClosed());
    }

    /// Whoever asks for all that it can, and reads nothing of it, leaves room for the others.
    void onePeerCannotUseUpWhatIsThereForAll()
    {
        ServedStore store;
        RawPeer greedy = RawPeer::greeted(store.port());
        greedy.send(request(Opcode::Set, {"/big", std::string(8U << 20U, 'v')}));
        const std::string all = keysRequest(Opcode::MultiGet, std::vector<std::string>(7, "/big"));
        greedy.send(all + all + all);
        QTRY_VERIFY(store.counters().bufferedBytes > 32U << 20U);
        // One of the three answers, and the room for it.
        QVERIFY(store.counters().bufferedBytes < 128U << 20U);
        QCOMPARE(RawPeer::greeted(store.port()).ask(pingRequest(1), 4), integer(1U));
        greedy.close();
        QTRY_COMPARE(store.counters().bufferedBytes, size_t{0});
    }

    void oneRequestIsBounded()
    {
        ServedStore store;
        RawPeer peer = RawPeer::greeted(store.port());
        std::string bytes(1, static_cast<char>(Opcode::MultiSet));
        wire::appendInteger<std::uint64_t>(bytes, 100);
        const std::string entry = text("/big") + text(std::string(8U << 20U, 'v'));
        for (int i = 0; i < 7; ++i)
            bytes += entry;
        QVERIFY(peer.send(bytes));
        QCOMPARE(RawPeer::greeted(store.port()).ask(pingRequest(1), 4), integer(1U));
        peer.send(entry.substr(0, 100));
        QVERIFY(peer.isClosed());
        QTRY_COMPARE(store.counters().bufferedBytes, size_t{0});
        QCOMPARE(store.counters().keys, size_t{0});
    }

    void allBuffersTogetherAreBounded()
    {
        ServedStore store({.bufferedBytes = 7U << 20U});
        RawPeer first = RawPeer::greeted(store.port());
        RawPeer second = RawPeer::greeted(store.port());
        const std::string part =
            request(Opcode::Set, {"/big", std::string(8U << 20U, 'v')}).substr(0, 3U << 20U);
        first.send(part);
        QTRY_VERIFY(store.counters().bufferedBytes >= 3U << 20U);
        second.send(part);
        QVERIFY(second.isClosed());
        QCOMPARE(store.counters().connections, size_t{1});
    }

    void refusesAWriteThatTheFilterRefuses()
    {
        ServedStore store({.writeFilter = [](std::string_view, std::string_view value) {
            return value == "plain";
        }});
        RawPeer good = RawPeer::greeted(store.port());
        good.send(request(Opcode::Set, {"/torch.rendezvous.id", "plain"}));
        QCOMPARE(good.ask(pingRequest(1), 4), integer(1U));
        RawPeer bad = RawPeer::greeted(store.port());
        bad.send(request(Opcode::CompareSet, {"/torch.rendezvous.id", "plain", "gASVcode"}));
        QVERIFY(bad.isClosed());
        QCOMPARE(good.ask(request(Opcode::Get, {"/torch.rendezvous.id"}), 13), text("plain"));
    }

    void limitsConnectionsInAllAndPerPeer()
    {
        ServedStore store({.connections = 3, .connectionsPerPeer = 2});
        RawPeer first = RawPeer::greeted(store.port());
        RawPeer second = RawPeer::greeted(store.port());
        QVERIFY(RawPeer(store.port()).isClosed());
        first.close();
        QTRY_COMPARE(store.counters().connections, size_t{1});
        QCOMPARE(RawPeer::greeted(store.port()).ask(pingRequest(1), 4), integer(1U));
    }

    void servesLocalhostUnderAllItsAddresses()
    {
        ServedStore store;
        QVERIFY(RawPeer(store.port(), "127.0.0.1").isConnected());
        QVERIFY(RawPeer(store.port(), "127.0.1.1").isConnected());
        QVERIFY(!RawPeer(store.port(), "127.0.0.2").isConnected());
        sockaddr_in6 six{};
        six.sin6_family = AF_INET6;
        six.sin6_port = htons(store.port());
        six.sin6_addr = in6addr_loopback;
        const FileDescriptor socket(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (!socket.isOpen() || !listenOn({"::1"}, 0))
            QSKIP("this machine has no IPv6");
        QCOMPARE(::connect(socket.get(), reinterpret_cast<sockaddr*>(&six), sizeof six), 0);
    }

    void saysWhoHasThePort()
    {
        ServedStore store;
        const auto second = StoreThread::start({.port = store.port()});
        QVERIFY(!second.has_value());
        QCOMPARE(second.error().code, code::StorePortBusy);
        QVERIFY(second.error().parameters.at("holder").find(std::to_string(::getpid())) !=
                std::string::npos);
        QVERIFY(second.error().parameters.at("holder").find("tst_store_server") !=
                std::string::npos);
    }

    void refusesToListenOnANameOrAForeignAddress()
    {
        QCOMPARE(StoreThread::start({.addresses = {"localhost"}}).error().code,
                 code::StoreAddressInvalid);
        QCOMPARE(StoreThread::start({.addresses = {"192.0.2.1"}}).error().code,
                 code::StoreNotListening);
        QVERIFY(StoreThread::start({.addresses = {"127.0.0.1", "192.0.2.1", "127.0.0.1"}}));
    }

    void anIdleConnectionCostsLessThanAKibibyte()
    {
        if (IsSanitized)
            QSKIP("a sanitizer's heap tells no sizes");
        constexpr size_t Count = 1000;
        ServedStore store;
        std::vector<RawPeer> peers;
        peers.reserve(Count);
        // All buffers have had something in them once.
        RawPeer first = RawPeer::greeted(store.port());
        first.send(request(Opcode::Set, {"/big", std::string(100'000, 'v')}));
        QCOMPARE(first.ask(pingRequest(1), 4), integer(1U));
        const size_t before = mallinfo2().uordblks;
        for (size_t i = 0; i < Count; ++i) {
            peers.push_back(RawPeer::greeted(store.port()));
            peers.back().send(keysRequest(Opcode::Wait, {"/k"}));
            peers.back().send(request(Opcode::Append, {"/a", std::string(100, 'x')}));
            peers.back().send(hex("0c"));
            QCOMPARE(peers.back().receive(1), hex("01"));
        }
        QCOMPARE(store.counters().connections, Count + 1);
        const double each = static_cast<double>(mallinfo2().uordblks - before) / Count;
        qInfo("%.0f bytes a connection", each);
        QVERIFY2(each < 1024, qPrintable(QString::number(each)));
    }
};

QTEST_GUILESS_MAIN(tst_store_server)
#include "tst_store_server.moc"
