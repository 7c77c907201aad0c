#include "engine/collective/Codes.h"
#include "engine/collective/ring/MessageMatch.h"
#include "engine/collective/ring/NetworkLinks.h"
#include "tests/collective/Groups.h"

#include <QtTest>

#include <latch>
#include <map>

#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

using namespace ringmaster;
using namespace ringmaster::ring;
using namespace ringmaster::ring::testing;
using namespace std::chrono_literals;

namespace {

/// The TCP sockets of this process, with what the kernel says of them.
std::map<int, tcp_info> tcpSockets()
{
    std::map<int, tcp_info> sockets;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int fd = std::stoi(entry.path().filename());
        tcp_info info{};
        socklen_t size = sizeof(info);
        if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
            sockets[fd] = info;
    }
    return sockets;
}

unsigned optionOf(int socket, int level, int name)
{
    unsigned value = 0;
    socklen_t size = sizeof(value);
    (void)::getsockopt(socket, level, name, &value, &size);
    return value;
}

bool setOption(int socket, int name, unsigned value)
{
    return ::setsockopt(socket, IPPROTO_TCP, name, &value, sizeof(value)) == 0;
}

/// For a peer that doesn't take what is sent.
bool hasLimit(int socket)
{
    return optionOf(socket, IPPROTO_TCP, TCP_USER_TIMEOUT) != 0;
}

/// In milliseconds.
constexpr unsigned ShortLimit = 200;

/// Wherever the kernel gives up a peer, it does so soon.
void shortenPatience()
{
    for (const auto& [fd, info] : tcpSockets()) {
        if (hasLimit(fd))
            (void)setOption(fd, TCP_USER_TIMEOUT, ShortLimit);
        if (optionOf(fd, SOL_SOCKET, SO_KEEPALIVE) == 0)
            continue;
        // After a second of silence it asks, once, and waits for another second.
        for (const int name : {TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT})
            (void)setOption(fd, name, 1);
    }
}

/// A peer was asked for room three times, after 1.4 s the last, or it has been given up.
bool hasWaitedForRoom()
{
    return std::ranges::any_of(tcpSockets(), [](const auto& socket) {
        return socket.second.tcpi_backoff >= 3 || socket.second.tcpi_state == TCP_CLOSE;
    });
}

/// The two ends of a connection between rank 0 and rank 1, which are threads of this process.
struct Connection
{
    int ofRank0 = -1;
    int ofRank1 = -1;
};

std::vector<Connection> connections(MemoryStore& store)
{
    const int listener = std::stoi(store.get("address/0", in(0ms)).value_or("0"));
    std::map<int, Connection> byPort; // that rank 1 has connected from
    for (const auto& [fd, info] : tcpSockets()) {
        sockaddr_in own{};
        sockaddr_in other{};
        socklen_t size = sizeof(own);
        (void)::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size);
        (void)::getpeername(fd, reinterpret_cast<sockaddr*>(&other), &size);
        if (ntohs(own.sin_port) == listener)
            byPort[ntohs(other.sin_port)].ofRank0 = fd;
        else if (ntohs(other.sin_port) == listener)
            byPort[ntohs(own.sin_port)].ofRank1 = fd;
    }
    std::vector<Connection> found;
    for (const auto& [port, connection] : byPort)
        found.push_back(connection);
    return found;
}

/// That on which a rank sends for collectives; of messages if `sender` is -1.
std::optional<Connection> connectionOf(MemoryStore& store, int sender)
{
    for (const Connection& connection : connections(store)) {
        if (hasLimit(connection.ofRank0) == (sender != 0) &&
            hasLimit(connection.ofRank1) == (sender != 1))
            return connection;
    }
    return std::nullopt;
}

/// As a switch does that drops all packets of a connection and tells nobody.
bool dropPackets(const Connection& connection)
{
    sock_filter none{BPF_RET | BPF_K, 0, 0, 0};
    const sock_fprog filter{1, &none};
    const auto drop = [&](int socket) {
        return ::setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) == 0;
    };
    return drop(connection.ofRank0) && drop(connection.ofRank1);
}

Result<void> allReduce(Group& group)
{
    Buffer data(32'000'000);
    return group.collect([&](Collectives& all) {
        return all.allReduce(data, {DataType::Float32, Reduction::Sum}, {in(60s), Algorithm::Ring});
    });
}

/// A large message each way.
Result<void> exchange(Group& group)
{
    const int other = 1 - group.rank();
    const Buffer data(1'000'000);
    Buffer arrived(data.size());
    std::promise<Result<int>> sent;
    std::promise<Result<int>> received;
    group.send(other, 0, data, in(60s),
               [&](Result<int> result) { sent.set_value(std::move(result)); });
    group.receive(other, 0, arrived, in(60s),
                  [&](Result<int> result) { received.set_value(std::move(result)); });
    auto first = sent.get_future().get();
    auto second = received.get_future().get();
    RM_TRY(std::move(first));
    RM_TRY(std::move(second));
    return {};
}

/// What rank 0 and rank 1, on two hosts, have of each other.
std::vector<NetworkPeer> metRanks()
{
    MemoryStore store;
    std::vector<NetworkPeer> met(2);
    std::vector<std::jthread> threads;
    for (const int rank : {0, 1}) {
        threads.emplace_back([&, rank] {
            NetworkPlace place;
            place.rank = rank;
            place.peers = {1 - rank};
            place.interface = "127.0.0.1";
            auto peers = meetNetworkPeers(store, place, in(60s));
            if (peers)
                met[static_cast<size_t>(rank)] = std::move(peers->front());
        });
    }
    threads.clear();
    return met;
}

} // namespace

/// Slow isn't lost, and lost isn't slow.
class tst_ring_lost : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Who sends to it finds no room for longer than a host is given that doesn't answer.
    void aRankOnAnotherHostMayBeLate()
    {
        std::latch joined(2);
        std::latch late(1);
        auto failed = std::async(std::launch::async, [&] {
            return runGroup({"ab"}, [&](Group& group) -> Result<void> {
                Buffer data(32'000'000, static_cast<std::byte>(group.rank()));
                joined.arrive_and_wait();
                if (group.rank() == 1) {
                    shortenPatience();
                    late.wait();
                }
                RM_TRY(group.collect([&](Collectives& all) {
                    return all.broadcast(data, 0, {in(60s), Algorithm::Ring});
                }));
                return data == Buffer(data.size()) ? Result<void>{} : wrong("broadcast");
            });
        });
        const bool isLate =
            QTest::qWaitFor([&] { return joined.try_wait() && hasWaitedForRoom(); }, 60'000);
        late.count_down();
        QCOMPARE(failed.get(), QString());
        QVERIFY(isLate);
    }

    void aConnectionThatIsDroppedIsNoticed_data()
    {
        QTest::addColumn<int>("sender");
        QTest::newRow("of messages") << -1;
        QTest::newRow("on which rank 0 sends") << 0;
        QTest::newRow("on which rank 1 sends") << 1;
    }

    /// Long before the deadline, though both ranks send and the other connections go on.
    void aConnectionThatIsDroppedIsNoticed()
    {
        QFETCH(const int, sender);
        MemoryStore store;
        std::latch joined(2);
        std::latch dropped(1);
        auto ended = std::async(std::launch::async, [&] {
            return runRanks(store, {"ab"}, [&](Group& group) -> Result<void> {
                joined.arrive_and_wait();
                dropped.wait();
                return sender < 0 ? exchange(group) : allReduce(group);
            });
        });
        const bool haveJoined = QTest::qWaitFor([&] { return joined.try_wait(); }, 60'000);
        const auto connection = connectionOf(store, sender);
        shortenPatience();
        const bool isDropped = haveJoined && connection && dropPackets(*connection);
        dropped.count_down();
        const auto results = ended.get();
        QVERIFY(isDropped);
        int noticed = 0;
        for (size_t rank = 0; rank < results.size(); ++rank) {
            QVERIFY(!results[rank]);
            const Error& error = results[rank].error();
            QVERIFY2(error.code == code::CollectivePeerLost ||
                         error.code == code::CollectiveAborted,
                     describe(error).c_str());
            QCOMPARE(error.parameters.at("rank"), std::to_string(1 - rank));
            noticed += error.code == code::CollectivePeerLost ? 1 : 0;
        }
        QVERIFY(noticed > 0);
    }

    void whoIsLostForMessagesIsLostForCollectives()
    {
        class Nobody : public NetworkLinks::Host
        {
            void alarmArrived(const AlarmRecord&) override {}
            void messageChannelsChanged() override {}
        };
        Nobody nobody;
        auto met = metRanks();
        QVERIFY(
            setOption(met[0].connection(Purpose::Messages).get(), TCP_USER_TIMEOUT, ShortLimit));
        std::vector<NetworkPeer> peers;
        peers.push_back(std::move(met[0]));
        const auto links = NetworkLinks::make(std::move(peers), nobody);
        QVERIFY(links);
        Channel messages = (*links)->outgoing(1, Purpose::Messages);
        Channel outgoing = (*links)->outgoing(1, Purpose::CollectivesOut);
        Channel incoming = (*links)->incoming(1, Purpose::CollectivesIn);
        (*links)->start();
        // Nobody reads these, so that the kernel gives their receiver up.
        const Deadline deadline = in(60s);
        const auto goesOn = [&] { return messages.canSend() || messages.ending() != Ending::None; };
        while (messages.senderBell().wait(goesOn, deadline) && messages.ending() == Ending::None)
            messages.commit(makeHeader(1, messages.slotBytes(), Envelope{}));
        for (Channel* channel : {&outgoing, &incoming}) {
            Bell& bell = channel == &incoming ? incoming.receiverBell() : outgoing.senderBell();
            (void)bell.wait([&] { return channel->ending() != Ending::None; }, deadline);
        }
        (*links)->leave();
        QCOMPARE(messages.ending(), Ending::Lost);
        QCOMPARE(outgoing.ending(), Ending::Lost);
        QCOMPARE(incoming.ending(), Ending::Lost);
    }
};

QTEST_GUILESS_MAIN(tst_ring_lost)
#include "tst_ring_lost.moc"
