#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RendezvousOptions.h"
#include "engine/rendezvous/StateCodec.h"
#include "engine/store/Codes.h"
#include "engine/store/TcpStoreClient.h"
#include "tests/support/FreePort.h"

#include <QtTest>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using ringmaster::test::freePort;
using namespace std::chrono_literals;

namespace {

/// Runs the loop until something holds; false when it doesn't within thirty seconds.
bool runUntil(EventLoop& loop, const std::function<bool()>& holds)
{
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (!holds() && std::chrono::steady_clock::now() < end) {
        const auto tick = loop.callAfter(5ms, [&] { loop.stop(); });
        loop.run();
    }
    return holds();
}

struct JoinedNode : Rendezvous::Host
{
    JoinedNode(EventLoop& loop, RendezvousOptions options, int workers = 2)
        : offer{{{"default", workers}}}
        , rendezvous(makeRendezvous(std::move(options), loop, *this).value())
    {
        rendezvous->join(offer);
    }

    void rendezvousJoined(const Round& round) override { rounds.push_back(round); }
    void rendezvousFailed(const Error& error) override { errors.push_back(error); }
    void rendezvousMembershipChanged(const Message& what) override { changes.push_back(what); }
    void rendezvousRecalled(const Message& /*why*/) override {}
    void rendezvousClosed(const Message& why) override { closures.push_back(why); }

    NodeOffer offer;
    std::vector<Round> rounds;
    std::vector<Error> errors;
    std::vector<Message> changes;
    std::vector<Message> closures;
    std::unique_ptr<Rendezvous> rendezvous;
};

RendezvousOptions elastic(int port, int localId, int min, int max)
{
    RendezvousOptions options{.method = RendezvousOptions::Method::C10d,
                              .endpoint = "localhost:" + std::to_string(port),
                              .localId = localId};
    options.settings.id = "job";
    options.settings.minNodes = min;
    options.settings.maxNodes = max;
    options.settings.lastCallTimeout = 1s;
    return options;
}

/// Enters the exit barrier, waits there in vain, and closes as an agent does.
void finishAlone(EventLoop& loop, JoinedNode& node)
{
    bool hasGivenUp = false;
    bool isClosed = false;
    node.rendezvous->enterExitBarrier([&](const Result<void>& passed) { hasGivenUp = !passed; });
    QVERIFY(runUntil(loop, [&] { return hasGivenUp; }));
    node.rendezvous->close([&] { isClosed = true; });
    QVERIFY(runUntil(loop, [&] { return isClosed; }));
}

bool waitForState(EventLoop& loop, int port,
                  const std::function<bool(const RendezvousState&)>& holds)
{
    TcpStoreClient reader(loop, {.host = "127.0.0.1", .port = static_cast<std::uint16_t>(port)});
    bool isSeen = false;
    bool isAsked = false;
    return runUntil(loop, [&] {
        if (!std::exchange(isAsked, true))
            reader.get("torch.rendezvous.job", 5s, [&](const Result<std::string>& text) {
                isAsked = false;
                if (!text)
                    return;
                const auto state = decodeState(*text);
                isSeen = isSeen || (state && holds(*state));
            });
        return isSeen;
    });
}

StateTime lastBeat(EventLoop& loop, int port)
{
    StateTime beat{};
    (void)waitForState(loop, port, [&](const RendezvousState& state) {
        for (const auto& [node, at] : state.lastHeartbeats)
            beat = std::max(beat, at);
        return true;
    });
    return beat;
}

} // namespace

class tst_rendezvous : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void twoNodesMeetAndPassTheExitBarrier()
    {
        EventLoop loop;
        const int port = freePort();
        JoinedNode first(loop, elastic(port, 0, 2, 2), 1);
        JoinedNode second(loop, elastic(port, 1, 2, 2), 3);
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 1 && second.rounds.size() == 1; }));
        QCOMPARE(first.rounds[0].groupRank, 0);
        QCOMPARE(second.rounds[0].groupRank, 1);
        QCOMPARE(second.rounds[0].places.at(0).globalRankBase, 1);
        QCOMPARE(first.rounds[0].worldSize, 4);
        QCOMPARE(first.rounds[0].masterPort, second.rounds[0].masterPort);
        QVERIFY(first.rounds[0].masterPort != port);

        int passed = 0;
        first.rendezvous->enterExitBarrier([&](Result<void> result) { passed += result ? 1 : 0; });
        second.rendezvous->enterExitBarrier([&](Result<void> result) { passed += result ? 1 : 0; });
        QVERIFY(runUntil(loop, [&] { return passed == 2; }));
        bool closed = false;
        second.rendezvous->close([&] { closed = true; });
        QVERIFY(runUntil(loop, [&] { return closed; }));
    }

    void aRestartOfOneTakesTheOtherAlongToAFreshStore()
    {
        EventLoop loop;
        const int port = freePort();
        JoinedNode first(loop, elastic(port, 0, 2, 2));
        JoinedNode second(loop, elastic(port, 1, 2, 2));
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 1 && second.rounds.size() == 1; }));
        second.rendezvous->join(second.offer);
        QVERIFY(runUntil(loop, [&] { return first.changes.size() == 1; }));
        QVERIFY(first.changes[0].code == code::RendezvousNodeRestarts ||
                first.changes[0].code == code::RendezvousNodeGone);
        first.rendezvous->join(first.offer);
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 2 && second.rounds.size() == 2; }));
        QCOMPARE(first.rounds[1].number, std::uint64_t{1});
        QCOMPARE(first.rounds[1].masterPort, second.rounds[1].masterPort);
        QVERIFY(first.rounds[1].masterPort != first.rounds[0].masterPort);
    }

    void aLateNodeIsTakenIntoTheNextRound()
    {
        EventLoop loop;
        const int port = freePort();
        JoinedNode first(loop, elastic(port, 0, 1, 2));
        QVERIFY(runUntil(loop, [&] { return first.rounds.size() == 1; }));
        QCOMPARE(first.rounds[0].worldSize, 2);
        JoinedNode second(loop, elastic(port, 1, 1, 2));
        QVERIFY(runUntil(loop, [&] { return first.changes.size() == 1; }));
        QVERIFY(first.changes[0].code == code::RendezvousNodesWaiting);
        first.rendezvous->join(first.offer);
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 2 && second.rounds.size() == 1; }));
        QCOMPARE(second.rounds[0].worldSize, 4);
        QVERIFY(second.rounds[0].number == first.rounds[1].number);
    }

    void aNodeThatGoesSilentIsNoticed()
    {
        EventLoop loop;
        const int port = freePort();
        RendezvousOptions options = elastic(port, 0, 1, 2);
        options.settings.lastCallTimeout = 60s; // Nobody is waited for once there are two.
        options.configuration = {{"keep_alive_interval", "1"}, {"keep_alive_max_attempt", "2"}};
        JoinedNode first(loop, options);
        options.localId = 1;
        auto second = std::make_unique<JoinedNode>(loop, options);
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 1 && second->rounds.size() == 1; }));
        second.reset();
        QVERIFY(runUntil(loop, [&] { return first.changes.size() == 1; }));
        QVERIFY(first.changes[0].code == code::RendezvousNodeGone);
    }

    void closingEndsTheOthersAndKeepsLaterOnesOut()
    {
        EventLoop loop;
        const int port = freePort();
        JoinedNode first(loop, elastic(port, 0, 2, 2));
        JoinedNode second(loop, elastic(port, 1, 2, 2));
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 1 && second.rounds.size() == 1; }));
        bool closed = false;
        second.rendezvous->close([&] { closed = true; });
        QVERIFY(runUntil(loop, [&] { return closed && first.closures.size() == 1; }));
        JoinedNode late(loop, elastic(port, 2, 2, 2));
        QVERIFY(runUntil(loop, [&] { return late.errors.size() == 1; }));
        QVERIFY(late.errors[0].code == code::RendezvousClosed);
    }

    void aNodeThatHasFinishedAndLeavesEndsNobody()
    {
        EventLoop loop;
        const int port = freePort();
        RendezvousOptions options = elastic(port, 0, 2, 2);
        // Nobody is dropped for a pause of this process.
        options.configuration = {{"keep_alive_interval", "1"}, {"keep_alive_max_attempt", "5"}};
        JoinedNode first(loop, options);
        options.localId = 1;
        options.settings.exitBarrier = 100ms;
        auto second = std::make_unique<JoinedNode>(loop, options);
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 1 && second->rounds.size() == 1; }));
        finishAlone(loop, *second);
        second.reset();
        // It is dropped for its silence, and the first one has looked around after that.
        const auto isDropped = [&](const RendezvousState& state) {
            return state.closed && state.participants.size() == 1;
        };
        QVERIFY(waitForState(loop, port, isDropped));
        const auto beat = lastBeat(loop, port);
        QVERIFY(waitForState(loop, port, [&](const RendezvousState& state) {
            return state.lastHeartbeats.begin()->second > beat;
        }));
        QVERIFY(first.closures.empty() && first.changes.empty() && first.errors.empty());
        bool passed = false;
        first.rendezvous->enterExitBarrier([&](const Result<void>&) { passed = true; });
        QVERIFY(runUntil(loop, [&] { return passed; }));
    }

    void whoServesTheStoreMayFinishAndLeaveToo()
    {
        EventLoop loop;
        const int port = freePort();
        RendezvousOptions options = elastic(port, 0, 2, 2);
        options.settings.exitBarrier = 3s;
        auto first = std::make_unique<JoinedNode>(loop, options);
        options.localId = 1;
        JoinedNode second(loop, options);
        QVERIFY(
            runUntil(loop, [&] { return first->rounds.size() == 1 && second.rounds.size() == 1; }));
        finishAlone(loop, *first);
        first.reset();
        // Beyond its next look at the store.
        bool hasLooked = false;
        const auto look = loop.callAfter(1500ms, [&] { hasLooked = true; });
        QVERIFY(runUntil(loop, [&] { return hasLooked; }));
        QVERIFY(second.closures.empty() && second.changes.empty() && second.errors.empty());
        bool hasEnded = false;
        second.rendezvous->enterExitBarrier([&](const Result<void>&) { hasEnded = true; });
        QVERIFY(runUntil(loop, [&] { return hasEnded; }));
        QVERIFY(second.closures.empty() && second.changes.empty() && second.errors.empty());
    }

    void aFailureAfterOthersHaveFinishedEndsTheRest()
    {
        EventLoop loop;
        const int port = freePort();
        JoinedNode first(loop, elastic(port, 0, 3, 3));
        JoinedNode second(loop, elastic(port, 1, 3, 3));
        JoinedNode third(loop, elastic(port, 2, 3, 3));
        QVERIFY(runUntil(loop, [&] {
            return first.rounds.size() == 1 && second.rounds.size() == 1 &&
                   third.rounds.size() == 1;
        }));
        bool hasEnded = false;
        second.rendezvous->enterExitBarrier([&](const Result<void>&) { hasEnded = true; });
        third.rendezvous->close([] {});
        QVERIFY(runUntil(loop, [&] { return hasEnded && first.closures.size() == 1; }));
        QVERIFY(first.closures[0].code == code::RendezvousClosed);
    }

    void aPeerThatDiesIsNoticedInTheExitBarrierToo()
    {
        EventLoop loop;
        RendezvousOptions options = elastic(freePort(), 0, 2, 2);
        options.configuration = {{"keep_alive_interval", "1"}, {"keep_alive_max_attempt", "2"}};
        JoinedNode first(loop, options);
        options.localId = 1;
        auto second = std::make_unique<JoinedNode>(loop, options);
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 1 && second->rounds.size() == 1; }));
        std::optional<Result<void>> ended;
        first.rendezvous->enterExitBarrier([&](const Result<void>& result) { ended = result; });
        second.reset();
        QVERIFY(runUntil(loop, [&] { return ended.has_value(); }));
        QVERIFY(!*ended && ended->error().code == code::RendezvousNodeNotWaitedFor);
    }

    void aNodeThatWaitsInVainSaysHowManyWereThere()
    {
        EventLoop loop;
        RendezvousOptions options = elastic(freePort(), 0, 2, 2);
        options.configuration = {{"join_timeout", "1"}};
        JoinedNode alone(loop, options);
        QVERIFY(runUntil(loop, [&] { return alone.errors.size() == 1; }));
        QVERIFY(alone.errors[0].code == code::RendezvousTimedOut);
        QCOMPARE(alone.errors[0].parameters.at("needed"), std::string("2"));
    }

    void whoHoldsThePortOfTheStoreIsNamed()
    {
        EventLoop loop;
        const int port = freePort();
        // As a connection to elsewhere has one: nobody can listen there, and nobody answers.
        const int holder = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        QCOMPARE(::bind(holder, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        RendezvousOptions options = elastic(port, 0, 1, 1);
        options.configuration = {{"read_timeout", "1"}};
        JoinedNode node(loop, options);
        QVERIFY(runUntil(loop, [&] { return !node.errors.empty(); }));
        ::close(holder);
        QVERIFY2(node.errors[0].code == code::StorePortBusy, describe(node.errors[0]).c_str());
        QCOMPARE(node.errors[0].parameters.at("port"), std::to_string(port));
    }

    void aHostedStoreRefusesAStateThatIsNotPlain()
    {
        EventLoop loop;
        const int port = freePort();
        JoinedNode node(loop, elastic(port, 0, 1, 1));
        QVERIFY(runUntil(loop, [&] { return node.rounds.size() == 1; }));
        TcpStoreClient attacker(loop,
                                {.host = "127.0.0.1", .port = static_cast<std::uint16_t>(port)});
        bool refused = false;
        attacker.set("torch.rendezvous.job",
                     "gASVHwAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAR0cnVllIWUUpQu",
                     [&](const Result<void>& stored) { refused = !stored; });
        QVERIFY(runUntil(loop, [&] { return refused; }));
        std::string state;
        TcpStoreClient reader(loop,
                              {.host = "127.0.0.1", .port = static_cast<std::uint16_t>(port)});
        reader.get("torch.rendezvous.job", 5s,
                   [&](const Result<std::string>& text) { state = text.value_or(""); });
        QVERIFY(runUntil(loop, [&] { return !state.empty(); }));
        QVERIFY(decodeState(state).has_value());
        QVERIFY(node.errors.empty());
    }

    void staticNodesMeetAtTheMaster()
    {
        EventLoop loop;
        RendezvousOptions options{.masterAddress = "127.0.0.1", .masterPort = freePort()};
        options.settings.id = "none";
        options.settings.minNodes = options.settings.maxNodes = 2;
        options.nodeRank = 1;
        JoinedNode second(loop, options);
        options.nodeRank = 0;
        JoinedNode first(loop, options);
        QVERIFY(
            runUntil(loop, [&] { return first.rounds.size() == 1 && second.rounds.size() == 1; }));
        QCOMPARE(second.rounds[0].groupRank, 1);
        QCOMPARE(second.rounds[0].places.at(0).globalRankBase, 2);
        QCOMPARE(first.rounds[0].masterPort, options.masterPort);
        int passed = 0;
        first.rendezvous->enterExitBarrier([&](Result<void> result) { passed += result ? 1 : 0; });
        second.rendezvous->enterExitBarrier([&](Result<void> result) { passed += result ? 1 : 0; });
        QVERIFY(runUntil(loop, [&] { return passed == 2; }));
    }

    void aStaticMasterSaysWhoIsMissing()
    {
        EventLoop loop;
        RendezvousOptions options{.masterAddress = "127.0.0.1", .masterPort = freePort()};
        options.configuration = {{"timeout", "5"}}; // To reach its own store in, too.
        options.settings.maxNodes = 2;
        JoinedNode alone(loop, options);
        QVERIFY(runUntil(loop, [&] { return alone.errors.size() == 1; }));
        QVERIFY(alone.errors[0].code == code::RendezvousTimedOut);
        QCOMPARE(alone.errors[0].parameters.at("present"), std::string("1"));
    }
};

QTEST_GUILESS_MAIN(tst_rendezvous)
#include "tst_rendezvous.moc"
