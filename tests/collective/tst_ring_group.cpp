#include "engine/agent/Codes.h"
#include "engine/collective/Codes.h"
#include "engine/collective/RingOptions.h"
#include "engine/collective/ring/Mac.h"
#include "engine/collective/ring/Network.h"
#include "engine/collective/ring/PeerMessages.h"
#include "tests/collective/Groups.h"
#include "tests/collective/Values.h"

#include <QtTest>

#include <future>
#include <latch>
#include <set>

#include <netinet/in.h>
#include <sys/syscall.h>

using namespace ringmaster;
using namespace ringmaster::ring;
using namespace ringmaster::ring::testing;
using namespace std::chrono_literals;

namespace {

/// On the loopback; `address` says where.
FileDescriptor listenThere(sockaddr_in& address)
{
    FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener.get(), generic, length) != 0 || ::listen(listener.get(), 8) != 0 ||
        ::getsockname(listener.get(), generic, &length) != 0)
        listener.close();
    return listener;
}

/// A thread of this name waits for a lock.
bool waitsForLock(const std::string& thread)
{
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        if (readFile(entry.path() / "comm").value_or("") == thread + "\n")
            return readFile(entry.path() / "syscall")
                .value_or("")
                .starts_with(std::to_string(SYS_futex) + " ");
    }
    return false;
}

/// The messages of rank 0, and what rank 1 says and hears, slot by slot.
class PlayedPeer
{
public:
    PlayedPeer()
    {
        for (Channel* channel : {&m_toRank, &m_fromRank})
            channel->setPoke([this] { m_segment.rank(0).inbox.ring(); });
    }

    PeerMessages& messages() { return m_messages; }

    void say(MessageKind kind, const Envelope& envelope, ConstBytes payload = {})
    {
        std::ranges::copy(payload, m_toRank.slotToSend().begin());
        m_toRank.commit(makeHeader(static_cast<std::uint32_t>(kind), payload.size(), envelope));
    }

    struct Slot
    {
        Envelope envelope{};
        Buffer data{};
    };

    /// The next that rank 0 sends.
    std::optional<Slot> hear()
    {
        if (!m_fromRank.receiverBell().wait([&] { return m_fromRank.canReceive(); }, in(60s)))
            return std::nullopt;
        const ConstBytes data = m_fromRank.received();
        Slot slot{meaningOf<Envelope>(m_fromRank.header()), {data.begin(), data.end()}};
        m_fromRank.release();
        return slot;
    }

private:
    Channel channelOf(int from, int to) const
    {
        return {m_segment.messageChannel(from, to), Segment::MessageShape};
    }

    std::vector<Conversation> conversations() const
    {
        std::vector<Conversation> one(1);
        one[0].rank = 1;
        one[0].outgoing = channelOf(0, 1);
        one[0].incoming = channelOf(1, 0);
        return one;
    }

    Segment m_segment = *Segment::create(2);
    Channel m_toRank = channelOf(1, 0);
    Channel m_fromRank = channelOf(0, 1);
    PeerMessages m_messages{m_segment, 0, conversations(), [](int, const Error&) {}};
};

void addSpreads()
{
    QTest::addColumn<QString>("hosts");
    for (const char* hosts : {"aa", "aaaa", "ab", "aabb", "abab", "abc", "aaabbbcc"})
        QTest::newRow(hosts) << hosts;
}

} // namespace

class tst_ring_group : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCollectiveWorksWhereverTheRanksAre_data() { addSpreads(); }
    void everyCollectiveWorksWhereverTheRanksAre()
    {
        QFETCH(QString, hosts);
        const QByteArray name = hosts.toLatin1();
        const QString failed = runGroup({name.constData()}, [](Group& group) -> Result<void> {
            const int size = group.size();
            for (const Algorithm algorithm :
                 {Algorithm::Auto, Algorithm::Ring, Algorithm::Tree, Algorithm::Direct}) {
                for (const size_t count : {size_t{3}, size_t{100'003}}) {
                    auto values = samples(DataType::Int32, group.rank(), count);
                    const Collectives::Options options{in(60s), algorithm};
                    RM_TRY(group.collect([&](Collectives& all) {
                        return all.allReduce(values, {DataType::Int32, Reduction::Sum}, options);
                    }));
                    for (size_t i = 0; i < count; ++i) {
                        if (valueAt(DataType::Int32, values.data(), i) !=
                            reducedSample(DataType::Int32, Reduction::Sum, size, i))
                            return wrong("all_reduce");
                    }
                    auto shared = samples(DataType::UInt8, group.rank(), count);
                    RM_TRY(group.collect([&](Collectives& all) {
                        return all.broadcast(shared, size - 1, options);
                    }));
                    if (shared != samples(DataType::UInt8, size - 1, count))
                        return wrong("broadcast");
                    std::vector<Buffer> gathered(static_cast<size_t>(size), Buffer(count));
                    std::vector<Bytes> parts(gathered.begin(), gathered.end());
                    RM_TRY(group.collect([&](Collectives& all) {
                        return all.allGather(samples(DataType::UInt8, group.rank(), count), parts,
                                             options);
                    }));
                    for (int rank = 0; rank < size; ++rank) {
                        if (gathered[static_cast<size_t>(rank)] !=
                            samples(DataType::UInt8, rank, count))
                            return wrong("all_gather");
                    }
                    RM_TRY(group.collect([&](Collectives& all) { return all.barrier(options); }));
                }
            }
            return {};
        });
        QCOMPARE(failed, QString());
    }

    void messagesArriveInOrderOfTheirTag_data() { addSpreads(); }
    void messagesArriveInOrderOfTheirTag()
    {
        QFETCH(QString, hosts);
        const QByteArray name = hosts.toLatin1();
        const QString failed = runGroup({name.constData()}, [](Group& group) -> Result<void> {
            const int next = (group.rank() + 1) % group.size();
            const int previous = (group.rank() + group.size() - 1) % group.size();
            // Small and large, more than the channel holds; the other tag is received first.
            const std::array<size_t, 4> sizes{0, 5000, 3, 2'000'001};
            std::latch done(8);
            std::vector<Buffer> sent;
            std::vector<Buffer> received;
            for (const size_t bytes : sizes) {
                sent.push_back(samples(DataType::UInt8, group.rank(), bytes));
                received.emplace_back(bytes);
            }
            std::atomic<int> failures = 0;
            const auto finish = [&](const Result<int>& result) {
                failures += result ? 0 : 1;
                done.count_down();
            };
            for (const size_t i : {0, 1, 2, 3})
                group.send(next, i % 2, sent[i], in(60s), finish);
            for (const size_t i : {1, 3, 0, 2})
                group.receive(previous, i % 2, received[i], in(60s), finish);
            done.wait();
            for (size_t i = 0; i < sizes.size(); ++i) {
                if (received[i] != samples(DataType::UInt8, previous, sizes[i]))
                    return wrong("message");
            }
            return failures == 0 ? Result<void>{} : wrong("message failed");
        });
        QCOMPARE(failed, QString());
    }

    void receivesFromWhoeverSends()
    {
        for (const char* hosts : {"aaaa", "aabb"}) {
            const QString failed = runGroup({hosts}, [](Group& group) -> Result<void> {
                Buffer byte(1, static_cast<std::byte>(group.rank()));
                if (group.rank() != 0)
                    return send(group, 0, 7, byte, in(60s)).map([](int) {});
                std::set<int> senders;
                while (senders.size() < 3) {
                    const int from = RM_TRY(receive(group, -1, 7, byte, in(60s)));
                    if (static_cast<int>(byte[0]) != from)
                        return wrong("sender");
                    senders.insert(from);
                }
                return {};
            });
            QCOMPARE(failed, QString());
        }
    }

    void aSendIsDoneWhenItsReceiveIsMatched()
    {
        std::atomic<bool> isDone = false;
        const QString failed = runGroup({"aa"}, [&](Group& group) -> Result<void> {
            Buffer data(100);
            const Collectives::Options options{in(60s), Algorithm::Auto};
            std::promise<Result<int>> sent;
            if (group.rank() == 0)
                group.send(1, 0, data, in(60s), [&](Result<int> result) {
                    isDone = true;
                    sent.set_value(std::move(result));
                });
            // A second message with its own tag goes there and back: the first has arrived by then.
            if (group.rank() == 0)
                RM_TRY(send(group, 1, 1, data, in(60s)));
            else
                RM_TRY(receive(group, 0, 1, data, in(60s)));
            if (group.rank() == 1 && isDone)
                return wrong("done before it was received");
            RM_TRY(group.collect([&](Collectives& all) { return all.barrier(options); }));
            if (group.rank() == 1)
                return receive(group, 0, 0, data, in(60s)).map([](int) {});
            return sent.get_future().get().map([](int) {});
        });
        QCOMPARE(failed, QString());
        QVERIFY(isDone);
    }

    void bothSidesLearnThatTheirSizesDiffer()
    {
        for (const char* hosts : {"aa", "ab"}) {
            for (const size_t bytes : {size_t{10}, size_t{100'000}}) {
                const QString failed = runGroup({hosts}, [&](Group& group) -> Result<void> {
                    Buffer data(group.rank() == 0 ? bytes : bytes + 1);
                    const auto result = group.rank() == 0 ? send(group, 1, 0, data, in(60s))
                                                          : receive(group, 0, 0, data, in(60s));
                    if (result || result.error().code != code::MessageSizeDiffers)
                        return wrong("no error");
                    // The group goes on.
                    Buffer good(10);
                    return (group.rank() == 0 ? send(group, 1, 0, good, in(60s))
                                              : receive(group, 0, 0, good, in(60s)))
                        .map([](int) {});
                });
                QCOMPARE(failed, QString());
            }
        }
    }

    void messagesPassACollectiveThatWaits()
    {
        const QString failed = runGroup({"aa"}, [](Group& group) -> Result<void> {
            Buffer data(50'000);
            std::promise<Result<int>> early;
            if (group.rank() == 0)
                group.send(1, 0, data, in(60s),
                           [&](Result<int> result) { early.set_value(std::move(result)); });
            RM_TRY(group.collect([&](Collectives& all) {
                return all.barrier({in(60s), Algorithm::Auto});
            }));
            if (group.rank() == 0)
                return early.get_future().get().map([](int) {});
            return receive(group, 0, 0, data, in(60s)).map([](int) {});
        });
        QCOMPARE(failed, QString());
    }

    void aGroupOfOneNeedsNobody()
    {
        const QString failed = runGroup({"a"}, [](Group& group) -> Result<void> {
            auto values = samples(DataType::Float32, 0, 100);
            return group.collect([&](Collectives& all) {
                return all.allReduce(values, {DataType::Float32, Reduction::Average},
                                     {in(1s), Algorithm::Auto});
            });
        });
        QCOMPARE(failed, QString());
    }

    void aRankThatLeavesIsNamed_data() { addSpreads(); }
    void aRankThatLeavesIsNamed()
    {
        QFETCH(QString, hosts);
        const QByteArray name = hosts.toLatin1();
        const QString failed = runGroup({name.constData()}, [](Group& group) -> Result<void> {
            const Collectives::Options options{in(60s), Algorithm::Auto};
            const auto barrier = [&](Collectives& all) { return all.barrier(options); };
            auto result = group.collect(barrier);
            if (group.rank() == group.size() - 1)
                return result;
            // A rank that is late with the first one hears of it from those who are in the second.
            if (result)
                result = group.collect(barrier);
            if (result || result.error().code != code::CollectivePeerLeft ||
                result.error().parameters.at("rank") != std::to_string(group.size() - 1))
                return wrong(result ? "no error" : describe(result.error()));
            return {};
        });
        QCOMPARE(failed, QString());
    }

    void whoLeavesAfterItsLastOperationDisturbsNobody()
    {
        for (const char* hosts : {"aaaa", "aabb"}) {
            for (int round = 0; round < 8; ++round) {
                const QString failed = runGroup({hosts}, [](Group& group) -> Result<void> {
                    auto values = samples(DataType::Int32, group.rank(), 200'000);
                    return group.collect([&](Collectives& all) {
                        return all.allReduce(values, {DataType::Int32, Reduction::Sum},
                                             {in(60s), Algorithm::Ring});
                    });
                });
                QCOMPARE(failed, QString());
            }
        }
    }

    void oneRanksErrorEndsTheGroupForAll_data() { addSpreads(); }
    void oneRanksErrorEndsTheGroupForAll()
    {
        QFETCH(QString, hosts);
        const QByteArray name = hosts.toLatin1();
        const QString failed = runGroup({name.constData()}, [](Group& group) -> Result<void> {
            if (group.rank() == 0) {
                group.abort({{code::UserStopped, {}, {}}, {}});
                return {};
            }
            Buffer data(10);
            const auto result = group.collect([&](Collectives& all) {
                return all.broadcast(data, 0, {in(60s), Algorithm::Ring});
            });
            const auto code = result ? code::None : result.error().code;
            // Who comes late finds that rank 0 has left by then: both are true.
            if (code != code::CollectiveAborted && code != code::CollectivePeerLeft)
                return wrong(result ? "no error" : describe(result.error()));
            return {};
        });
        QCOMPARE(failed, QString());
    }

    void whatIsSentCompletesThoughTheNextIsGivenUp_data()
    {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<int>("bytes");
        for (const char* hosts : {"aaa", "aab", "abb", "abc"}) {
            for (const int bytes : {100, 2'000'000})
                QTest::addRow("%s, %d bytes", hosts, bytes) << hosts << bytes;
        }
    }

    void whatIsSentCompletesThoughTheNextIsGivenUp()
    {
        QFETCH(QString, hosts);
        QFETCH(int, bytes);
        const QByteArray name = hosts.toLatin1();
        // Rank 0 has done its part as soon as it has sent it, and gives up the barrier behind it
        // before rank 1 has even begun; rank 2 waits in the broadcast meanwhile.
        std::latch gaveUp(1);
        const QString failed = runGroup({name.constData()}, [&](Group& group) -> Result<void> {
            const auto size = static_cast<size_t>(bytes);
            Buffer data = samples(DataType::UInt8, group.rank(), size);
            const auto broadcast = [&](Collectives& all) {
                return all.broadcast(data, 0, {in(60s), Algorithm::Ring});
            };
            const auto barrier = [&](std::chrono::milliseconds time) {
                return group.collect([&](Collectives& all) {
                    return all.barrier({in(time), Algorithm::Auto});
                });
            };
            if (group.rank() == 0) {
                RM_TRY(group.collect(broadcast));
                const auto result = barrier(20ms);
                gaveUp.count_down();
                return result ? wrong("all came to the barrier") : Result<void>{};
            }
            if (group.rank() == 1)
                gaveUp.wait();
            RM_TRY(group.collect(broadcast));
            if (data != samples(DataType::UInt8, 0, size))
                return wrong("broadcast");
            const auto result = barrier(60s);
            const auto code = result ? code::None : result.error().code;
            if (code != code::CollectiveAborted && code != code::CollectivePeerLeft)
                return wrong(result ? "no error" : describe(result.error()));
            return {};
        });
        QCOMPARE(failed, QString());
    }

    void aPeerThatStopsReadingIsNamedAtTheDeadline_data()
    {
        QTest::addColumn<QString>("hosts");
        QTest::addColumn<Algorithm>("algorithm");
        for (const char* hosts : {"aaa", "abc"}) {
            for (const Algorithm algorithm : {Algorithm::Ring, Algorithm::Tree, Algorithm::Direct})
                QTest::addRow("%s, %s", hosts, nameOf(algorithm).data()) << hosts << algorithm;
        }
    }

    void aPeerThatStopsReadingIsNamedAtTheDeadline()
    {
        QFETCH(QString, hosts);
        QFETCH(Algorithm, algorithm);
        const QByteArray name = hosts.toLatin1();
        // Where the name is looked at, a pause of one of the two must be shorter.
        const std::chrono::milliseconds patience = hosts == "aaa" ? 3s : 1s;
        // More than all that lies between two ranks holds: the senders wait for room, too.
        std::latch begun(2);
        std::latch over(2);
        std::atomic<int> named = 0;
        const QString failed = runGroup({name.constData()}, [&](Group& group) -> Result<void> {
            if (group.rank() == 2) {
                over.wait();
                return {};
            }
            Buffer data(32'000'000);
            begun.arrive_and_wait(); // or the late one of the two is named
            const auto result = group.collect([&](Collectives& all) {
                return all.allReduce(data, {DataType::Float32, Reduction::Sum},
                                     {in(patience), algorithm});
            });
            over.count_down();
            if (result)
                return wrong("no error");
            const Error& error = result.error();
            if (error.code == code::CollectiveTimedOut && error.parameters.at("rank") == "2")
                ++named;
            const bool isGivenUp =
                error.code == code::CollectiveAborted || error.code == code::CollectiveTimedOut;
            return isGivenUp ? Result<void>{} : wrong(describe(error));
        });
        QCOMPARE(failed, QString());
        // On one host all see who hasn't come; over a network one may wait for whoever waits for
        // it.
        QVERIFY(named > 0 || hosts != "aaa");
    }

    void aMessageThatNobodyReceivesEndsAtItsDeadline()
    {
        const QString failed = runGroup({"aab"}, [](Group& group) -> Result<void> {
            Buffer data(10);
            const auto result = group.rank() == 0 ? send(group, 1, 5, data, in(30ms))
                                                  : receive(group, 0, 4, data, in(60s));
            const auto code = result ? code::None : result.error().code;
            if (code != code::CollectiveTimedOut && code != code::CollectiveAborted &&
                code != code::CollectivePeerLeft)
                return wrong(result ? "no error" : describe(result.error()));
            return {};
        });
        QCOMPARE(failed, QString());
    }

    void aMessageThatWasAnnouncedFailsWithItsSender_data()
    {
        QTest::addColumn<QString>("hosts");
        for (const char* hosts : {"aa", "ab"})
            QTest::newRow(hosts) << hosts;
    }

    void aMessageThatWasAnnouncedFailsWithItsSender()
    {
        QFETCH(QString, hosts);
        const QByteArray name = hosts.toLatin1();
        const Buffer announced(100'000);
        const QString failed = runGroup({name.constData()}, [&](Group& group) -> Result<void> {
            Buffer small(10);
            if (group.rank() == 1) {
                group.send(0, 7, announced, in(60s), [](const Result<int>&) {});
                return send(group, 0, 1, small, in(60s)).map([](int) {});
            }
            RM_TRY(receive(group, 1, 1, small, in(60s)));
            Buffer data(announced.size());
            // The first is told of the end, and nothing more happens after that.
            for (const std::uint32_t tag : {9U, 7U}) {
                const auto result = receive(group, 1, tag, data, in(60s));
                if (result || result.error().code != code::CollectivePeerLeft)
                    return wrong(result ? "no error" : describe(result.error()));
            }
            return {};
        });
        QCOMPARE(failed, QString());
    }

    void aMessageIsAsLongAsItIsAndNotAsItSays()
    {
        Buffer received(20);
        std::promise<Result<int>> done;
        PlayedPeer peer;
        peer.messages().receive(1, 0, Bytes(received).first(10), in(60s),
                                [&](Result<int> result) { done.set_value(std::move(result)); });
        peer.say(MessageKind::Announce, {1, 10, 0, 0, 1}, Buffer(20, std::byte{1}));
        const auto result = done.get_future().get();
        QVERIFY(!result);
        QCOMPARE(result.error().code, code::MessageSizeDiffers);
        QVERIFY(received == Buffer(20));
    }

    void aMessageThatIsGrantedTwiceIsSentOnce()
    {
        const Buffer large = samples(DataType::UInt8, 0, 1'000'000);
        std::promise<Result<int>> done;
        PlayedPeer peer;
        peer.messages().send(1, 0, large, in(60s),
                             [&](Result<int> result) { done.set_value(std::move(result)); });
        const auto announced = peer.hear();
        QVERIFY(announced);
        for (int times = 0; times < 2; ++times)
            peer.say(MessageKind::Grant, announced->envelope);
        Buffer received;
        while (received.size() < large.size()) {
            const auto slot = peer.hear();
            QVERIFY(slot);
            received.insert(received.end(), slot->data.begin(), slot->data.end());
        }
        QVERIFY(received == large);
        QVERIFY(done.get_future().get());
    }

    /// The first one's event is under way when the second gets its number.
    void whatASocketSaidIsNotTakenForTheNextOnes()
    {
        auto first = makeSocketPair(SOCK_STREAM);
        auto second = makeSocketPair(SOCK_STREAM);
        auto third = makeSocketPair(SOCK_STREAM);
        QVERIFY(first && second && third);
        const int number = first->first.get();
        std::atomic<bool> isSecondHeard = false;
        std::promise<void> thirdHeard;
        const auto started = Watch::start();
        QVERIFY(started);
        Watch& watch = **started;
        const auto id = watch.watch(number, [] {});
        QVERIFY(id);
        bool isUnderWay = false;
        const auto replace = [&] {
            (void)::send(first->second.get(), "!", 1, 0);
            isUnderWay = QTest::qWaitFor([] { return waitsForLock("rm-ring-watch"); }, 60'000);
            watch.stop(*id);
            (void)::dup2(second->first.get(), number);
            (void)watch.watch(number, [&] { isSecondHeard = true; });
        };
        // No process of that number began then: it is called at once, while the lock is held.
        QVERIFY(watch.watch(ProcessIdentity{::getpid(), 0}, replace));
        QVERIFY(isUnderWay);
        QVERIFY(watch.watch(third->first.get(), [&] { thirdHeard.set_value(); }));
        (void)::send(third->second.get(), "!", 1, 0);
        thirdHeard.get_future().wait();
        QVERIFY(!isSecondHeard);
    }

    void gloosFirstInterfaceIsTakenWhereThereIsNoOther_data()
    {
        QTest::addColumn<QString>("own");
        QTest::addColumn<QString>("gloos");
        QTest::addColumn<QString>("taken");
        QTest::newRow("none") << ""
                              << ""
                              << "";
        QTest::newRow("one of gloo's") << ""
                                       << "eth0"
                                       << "eth0";
        QTest::newRow("several of gloo's") << ""
                                           << "eth0,eth1"
                                           << "eth0";
        QTest::newRow("our own") << "eth2"
                                 << "eth0,eth1"
                                 << "eth2";
    }

    void gloosFirstInterfaceIsTakenWhereThereIsNoOther()
    {
        QFETCH(QString, own);
        QFETCH(QString, gloos);
        QFETCH(QString, taken);
        qputenv("RINGMASTER_RING_INTERFACE", own.toLatin1());
        qputenv("GLOO_SOCKET_IFNAME", gloos.toLatin1());
        const auto options = collective::RingOptions::fromEnvironment(1s);
        qunsetenv("RINGMASTER_RING_INTERFACE");
        qunsetenv("GLOO_SOCKET_IFNAME");
        QCOMPARE(options.interface, taken.toStdString());
    }

    void whoDoesNotJoinIsNamed()
    {
        MemoryStore store;
        Group::Options options = optionsFor({"aaa"}, 0);
        options.joinTime = 50ms;
        const auto group = Group::join(store, options);
        QVERIFY(!group);
        QCOMPARE(group.error().code, code::GroupJoinTimedOut);
        QCOMPARE(group.error().parameters.at("rank"), std::string("1"));
    }

    void anUnknownInterfaceIsNamed()
    {
        MemoryStore store;
        std::vector<std::optional<Error>> errors(2);
        {
            std::vector<std::jthread> threads;
            for (int rank = 0; rank < 2; ++rank) {
                threads.emplace_back([&, rank] {
                    Group::Options options = optionsFor({"ab"}, rank);
                    options.interface = "nosuch0";
                    auto group = Group::join(store, options);
                    if (!group)
                        errors[static_cast<size_t>(rank)] = group.error();
                });
            }
        }
        for (const auto& error : errors) {
            QVERIFY(error);
            QCOMPARE(error->code, code::GroupInterfaceUnknown);
        }
    }

    void aStrangerOnThePortIsTurnedAway()
    {
        // Somebody who reads the address but not the secret connects first and says the wrong
        // thing.
        class Eavesdropped : public MemoryStore
        {
        public:
            Result<void> set(const std::string& key, const std::string& value) override
            {
                if (key == "address/0")
                    stranger = std::jthread([value] { intrude(value); });
                return MemoryStore::set(key, value);
            }
            std::jthread stranger;

        private:
            static void intrude(const std::string& place)
            {
                const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
                sockaddr_in address{};
                address.sin_family = AF_INET;
                address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(place)));
                address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
                if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address),
                              sizeof(address)) != 0)
                    return;
                Buffer guess(1000, std::byte{42});
                (void)sendAll(socket.get(), guess, in(10s));
                Buffer rest(1000);
                (void)receiveAll(socket.get(), rest, in(10s)); // Until it is hung up on us.
            }
        };
        Eavesdropped store;
        std::array<Result<void>, 2> results;
        {
            std::vector<std::jthread> threads;
            for (int rank = 0; rank < 2; ++rank) {
                threads.emplace_back([&, rank] {
                    auto group = Group::join(store, optionsFor({"ab"}, rank));
                    results[static_cast<size_t>(rank)] =
                        group ? (*group)->collect([](Collectives& all) {
                            return all.barrier({in(60s), Algorithm::Auto});
                        })
                              : tl::unexpected(group.error());
                });
            }
        }
        QVERIFY(results[0] && results[1]);
    }

    /// As a rank is that got no turn in the time of a handshake.
    void whoIsHungUpOnConnectsAgain()
    {
        sockaddr_in address{};
        const FileDescriptor listener = listenThere(address);
        QVERIFY(listener.isOpen());
        MemoryStore store;
        QVERIFY(store.set("address/0", std::to_string(ntohs(address.sin_port)) + " 127.0.0.1"));
        std::atomic<int> hungUpOn = 0;
        std::jthread hangingUp([&] {
            for (int time = 0; time < 3; ++time) {
                const FileDescriptor met(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
                hungUpOn += met.isOpen() ? 1 : 0;
            }
            ::shutdown(listener.get(), SHUT_RDWR); // Nobody is reached there any more.
        });
        const auto met = meetNetworkPeers(
            store, {.rank = 1, .peers = {0}, .interface = "127.0.0.1", .handshakeTime = 0ms},
            in(60s));
        ::shutdown(listener.get(), SHUT_RDWR);
        hangingUp.join();
        QVERIFY(!met);
        QCOMPARE(met.error().code, code::GroupPeerUnreachable);
        QCOMPARE(hungUpOn.load(), 3);
    }

    void theAuthenticationCodeIsSipHash()
    {
        // The example of the paper's appendix.
        Secret secret{};
        std::array<std::byte, 15> message{};
        for (size_t i = 0; i < secret.size(); ++i)
            secret[i] = static_cast<std::uint8_t>(i);
        for (size_t i = 0; i < message.size(); ++i)
            message[i] = static_cast<std::byte>(i);
        QCOMPARE(authenticationCode(secret, message), std::uint64_t{0xa129ca6149be45e5});
    }
};

QTEST_GUILESS_MAIN(tst_ring_group)
#include "tst_ring_group.moc"
