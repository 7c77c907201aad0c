#include "engine/machine/LocalAddresses.h"
#include "engine/rendezvous/RankExchange.h"
#include "engine/rendezvous/StateMachine.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

NodeDescription node(int pid)
{
    return {"127.0.0.1", pid, 0};
}

constexpr StateTime Start{std::chrono::seconds(1'000'000)};

/// The state that a few nodes share, with each node's moves made in turn and time in our hands.
struct StateMachines
{
    RendezvousSettings settings{.id = "t", .minNodes = 2, .maxNodes = 2};
    RendezvousState state{};
    StateTime now = Start;
    StateTime deadline = Start + 600s;

    Move join(const NodeDescription& who)
    {
        for (;;) {
            sanitise(state, settings, now, who);
            const Move move = nextJoinMove(state, who, settings, now, deadline);
            if (move == Move::Wait || move == Move::Finish || move == Move::FailClosed ||
                move == Move::FailTimedOut)
                return move;
            apply(move, state, who, settings, now);
        }
    }

    /// Time goes by while these nodes go on trying to join, as their agents do.
    void pass(std::chrono::seconds duration, const std::vector<NodeDescription>& nodes)
    {
        for (const StateTime end = now + duration; now < end;) {
            now += 1s;
            for (const NodeDescription& each : nodes)
                join(each);
        }
    }

    void leave(const NodeDescription& who)
    {
        while (nextExitMove(state, who) != Move::Finish)
            apply(nextExitMove(state, who), state, who, settings, now);
    }
};

} // namespace

class tst_state_machine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void completesAtOnceWhenTheMaximumIsThere()
    {
        StateMachines shared;
        QCOMPARE(shared.join(node(20)), Move::Wait);
        QVERIFY(!shared.state.complete);
        QCOMPARE(shared.join(node(10)), Move::Finish);
        QCOMPARE(shared.join(node(20)), Move::Finish);
        QCOMPARE(shared.state.participants.at(node(10)), 0);
        QCOMPARE(shared.state.participants.at(node(20)), 1);
    }

    void waitsForTheLastCallBetweenMinimumAndMaximum()
    {
        StateMachines shared;
        shared.settings.minNodes = 1;
        QCOMPARE(shared.join(node(1)), Move::Wait);
        shared.pass(30s, {node(1)});
        QCOMPARE(shared.join(node(1)), Move::Wait);
        shared.pass(1s, {node(1)});
        QCOMPARE(shared.join(node(1)), Move::Finish);
        QVERIFY(!shared.state.deadline);
    }

    void putsALateNodeOnTheWaitListAndTakesItIntoTheNextRound()
    {
        StateMachines shared;
        shared.settings.minNodes = 1;
        shared.settings.maxNodes = 3;
        shared.join(node(1));
        shared.pass(31s, {node(1)});
        QCOMPARE(shared.join(node(1)), Move::Finish);
        QCOMPARE(shared.join(node(2)), Move::Wait);
        QVERIFY(shared.state.waitList.contains(node(2)));

        shared.leave(node(1));
        QCOMPARE(shared.state.round, 1);
        QCOMPARE(shared.join(node(2)), Move::Wait);
        QCOMPARE(shared.join(node(1)), Move::Wait);
        QVERIFY(shared.state.waitList.empty());
        shared.pass(31s, {node(1), node(2)});
        QCOMPARE(shared.join(node(1)), Move::Finish);
        QCOMPARE(shared.join(node(2)), Move::Finish);
    }

    void theLastCallIsNotOverForThoseWhoWait()
    {
        StateMachines shared{
            .settings = {.id = "t", .minNodes = 1, .maxNodes = 3, .lastCallTimeout = 1s}};
        shared.join(node(1));
        shared.pass(3s, {node(1)});
        QVERIFY(shared.state.complete);
        shared.join(node(2));
        shared.join(node(3));
        shared.leave(node(1));
        shared.pass(3s, {node(1)}); // and the others are slow
        QVERIFY(!shared.state.complete);
        shared.pass(3s, {node(1), node(2), node(3)});
        QVERIFY(shared.state.complete);
        QCOMPARE(shared.state.participants.size(), 3);
    }

    void keepsASpareAboveTheMaximumUntilThereIsRoom()
    {
        StateMachines shared;
        shared.join(node(1));
        shared.join(node(2));
        QCOMPARE(shared.join(node(3)), Move::Wait);
        QVERIFY(shared.state.redundancyList.contains(node(3)));
        shared.leave(node(2));
        QCOMPARE(shared.join(node(3)), Move::Wait);
        QVERIFY(shared.state.redundancyList.empty());
        QVERIFY(shared.state.waitList.contains(node(3)));
    }

    /// Else the others would restart for it, and again in every round.
    void whoStandsByDoesNotWaitAsWell()
    {
        StateMachines shared;
        for (const int each : {1, 2, 3})
            shared.join(node(each));
        shared.leave(node(2));
        shared.join(node(3));
        QVERIFY(shared.state.waitList.contains(node(3)));
        shared.leave(node(1));
        shared.join(node(1));
        shared.join(node(2));
        QVERIFY(shared.state.complete);
        shared.join(node(3));
        QVERIFY(shared.state.redundancyList.contains(node(3)));
        QVERIFY(shared.state.waitList.empty());
    }

    void dropsANodeThatIsSilent()
    {
        StateMachines shared;
        shared.join(node(1));
        shared.join(node(2));
        shared.now += 14s;
        apply(Move::KeepAlive, shared.state, node(1), shared.settings, shared.now);
        QVERIFY(!sanitise(shared.state, shared.settings, shared.now, node(3)));
        shared.now += 2s;
        QVERIFY(sanitise(shared.state, shared.settings, shared.now, node(3)));
        QVERIFY(!shared.state.participants.contains(node(2)));
        QVERIFY(shared.state.complete);
        shared.now += 14s;
        sanitise(shared.state, shared.settings, shared.now, node(3));
        QVERIFY(!shared.state.complete);
        QCOMPARE(shared.state.round, 1);
    }

    /// Else it would find that it has left a round that it still is in, and join that a second
    /// time.
    void neverTakesItselfForSilent()
    {
        StateMachines shared;
        shared.join(node(1));
        shared.join(node(2));
        shared.now += 20s;
        QVERIFY(sanitise(shared.state, shared.settings, shared.now, node(1)));
        QVERIFY(!shared.state.participants.contains(node(2)));
        QCOMPARE(nextExitMove(shared.state, node(1)), Move::RemoveFromParticipants);
    }

    void givesUpAtItsDeadlineAndTakesItselfOut()
    {
        StateMachines shared;
        shared.join(node(1));
        for (int second = 0; second < 601; ++second) {
            shared.now += 1s;
            shared.join(node(1));
        }
        QCOMPARE(shared.join(node(1)), Move::FailTimedOut);
        QVERIFY(shared.state.participants.empty());
    }

    void refusesAClosedRendezvous()
    {
        StateMachines shared;
        apply(nextCloseMove(shared.state), shared.state, node(1), shared.settings, shared.now);
        QCOMPARE(shared.join(node(1)), Move::FailClosed);
        QCOMPARE(nextCloseMove(shared.state), Move::Finish);
    }

    void givesEachRoleItsPlaceOnEachNode()
    {
        const std::vector<NodeOffer> offers{
            {{{"trainer", 1}}}, {{{"reader", 2}}}, {{{"trainer", 3}, {"reader", 1}}}};
        QCOMPARE(worldSizeOf(offers), 7);
        const auto second = placesOf(offers, 1);
        QCOMPARE(second.at(0).globalRankBase, 1);
        QCOMPARE(second.at(0).roleRankBase, 0);
        QCOMPARE(second.at(0).roleWorldSize, 3);
        const auto third = placesOf(offers, 2);
        QCOMPARE(third.at(0).globalRankBase, 3);
        QCOMPARE(third.at(0).roleRankBase, 1);
        QCOMPARE(third.at(0).roleWorldSize, 4);
        QCOMPARE(third.at(1).globalRankBase, 6);
        QCOMPARE(third.at(1).roleRankBase, 2);
        QCOMPARE(assignedRanksText(offers, 1), std::string("[1,7,0,3]"));
    }

    void readsAndWritesRoleInfo()
    {
        const NodeOffer one{{{"default", 2}}};
        QCOMPARE(roleInfoText(one, 1),
                 std::string(R"({"role":"default","rank":1,"local_world_size":2})"));
        const NodeOffer two{{{"a", 2}, {"b", 3}}};
        const auto back = offerFromRoleInfo(roleInfoText(two, 0));
        QCOMPARE(back->roles.size(), size_t{2});
        QCOMPARE(back->roles.at(1).workers, 3);
        for (const char* bad :
             {"", "[]", "{}", R"({"role":1,"local_world_size":2})",
              R"({"role":"x","local_world_size":-1})", R"({"role":"x","local_world_size":9e99})"})
            QVERIFY(!offerFromRoleInfo(bad));
    }

    void readsEndpointsByTorchrunsRules()
    {
        QCOMPARE(parseEndpoint("", 29400)->host, std::string("localhost"));
        QCOMPARE(parseEndpoint("ws-01", 29400)->port, 29400);
        QCOMPARE(parseEndpoint("ws-01:1234", 29400)->port, 1234);
        QCOMPARE(parseEndpoint("[::1]:12", 29400)->host, std::string("::1"));
        for (const char* bad : {"a b", "a:", "a:70000", "a:x", "[::1", "[::1]x", ":1"})
            QVERIFY2(!parseEndpoint(bad, 1), bad);
        QVERIFY(isThisMachine("localhost"));
        QVERIFY(isThisMachine("127.0.0.1"));
        QVERIFY(!isThisMachine("no-such-host.invalid"));
    }

    void readsConfigurationStrictly()
    {
        RendezvousSettings settings;
        QVERIFY(applyConfiguration(
            {{"join_timeout", "4"}, {"keep_alive_max_attempt", "2"}, {"rank", "0"}}, settings));
        QCOMPARE(settings.joinTimeout, 4s);
        QCOMPARE(settings.deadAfter(), 10s);
        for (const char* bad : {"0", "-1", "x", "1.5", ""})
            QVERIFY(!applyConfiguration({{"last_call_timeout", bad}}, settings));
        QCOMPARE(hostingChoice({{"is_host", "Yes"}}).value(), std::optional(true));
        QVERIFY(!hostingChoice({{"is_host", "maybe"}}));
    }
};

QTEST_GUILESS_MAIN(tst_state_machine)
#include "tst_state_machine.moc"
