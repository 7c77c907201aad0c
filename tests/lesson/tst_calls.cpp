#include "Steps.h"
#include "engine/lesson/Recording.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using Kind = LessonStep::Kind;

namespace {

/// Applies steps in their order.
class Scene
{
public:
    explicit Scene(int ranks) : m_calls(ranks) {}

    Scene& call(int rank, std::uint64_t id, const CallSetting& setting, int line = 1)
    {
        m_calls.apply(callStep(rank, id, setting, Kind::Call, line), m_index++);
        return *this;
    }
    Scene& back(int rank, std::uint64_t id, const CallSetting& setting)
    {
        m_calls.apply(callStep(rank, id, setting, Kind::Return), m_index++);
        return *this;
    }
    Scene& take(const LessonStep& step)
    {
        m_calls.apply(step, m_index++);
        return *this;
    }
    Scene& finish(int rank)
    {
        m_calls.apply({.globalRank = rank, .kind = Kind::Finish}, m_index++);
        return *this;
    }
    const lesson::Calls& calls() const { return m_calls; }

private:
    lesson::Calls m_calls;
    size_t m_index = 0;
};

const CallSetting sendTo1{.operation = "send", .peer = 1, .inputs = {tensorOf("t", {"2.0"})}};
const CallSetting sendTo0{.operation = "send", .peer = 0, .inputs = {tensorOf("t", {"3.0"})}};
const CallSetting receiveFrom0{.operation = "recv", .peer = 0, .outputs = {tensorOf("t", {})}};
const CallSetting receiveFromAny{.operation = "recv", .outputs = {tensorOf("t", {})}};
const CallSetting sum{.operation = "all_reduce",
                      .inputs = {tensorOf("t", {"2.0"})},
                      .outputs = {tensorOf("t", {"2.0"})},
                      .reduction = "SUM"};

} // namespace

class tst_calls : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachPairOfAnAllToAllHasItsOwnSize()
    {
        Scene scene(2);
        const auto uneven = [](std::vector<std::string> elements) {
            return CallSetting{.operation = "all_to_all_single",
                               .inputs = {tensorOf("t", std::move(elements))},
                               .outputs = {tensorOf("r", {"0.0"})}};
        };
        scene.call(0, 1, uneven({"2.0"})).call(1, 1, uneven({"2.0", "3.0", "5.0"}));
        QVERIFY(scene.calls().disagreements().empty());
        QVERIFY(scene.calls().waits().empty());
    }

    void whoIsNotInAGroupMeetsNobody()
    {
        Scene scene(2);
        LessonStep outside = callStep(1, 1, sum, Kind::Call, 7);
        outside.call.group = "not a member";
        outside.call.members = {};
        scene.take(outside).call(0, 1, sum);
        QCOMPARE(scene.calls().outsiders().size(), 1U);
        QCOMPARE(scene.calls().outsiders().front().rank, 1);
        QCOMPARE(scene.calls().outsiders().front().at.line, 7);
        QCOMPARE(scene.calls().collectives().size(), 1U);
        QCOMPARE(scene.calls().collectives().front().missing(), std::vector<int>{1});
        QVERIFY(!scene.calls().isBlocked(1));
    }

    void groupsAreMadeByAllInTheSameOrder()
    {
        const auto groupOf = [](std::vector<int> members) {
            return CallSetting{.operation = "new_group", .members = std::move(members)};
        };
        Scene scene(3);
        scene.call(0, 1, groupOf({0, 1})).call(1, 1, groupOf({1, 0}));
        QVERIFY(scene.calls().disagreements().empty());
        QVERIFY(scene.calls().skippedGroups().empty()); // Rank 2 may still come.
        scene.finish(2);
        QCOMPARE(scene.calls().skippedGroups().size(), 1U);
        QCOMPARE(scene.calls().skippedGroups().front().missing(), std::vector<int>{2});

        // With use_local_synchronization only the members need come.
        Scene alone(3);
        for (const int rank : {0, 1}) {
            LessonStep local = callStep(rank, 1, groupOf({0, 1}));
            local.call.group = "local [0, 1]";
            alone.take(local);
        }
        alone.finish(2);
        QVERIFY(alone.calls().skippedGroups().empty());
        QVERIFY(alone.calls().waits().empty());

        Scene other(2);
        other.call(0, 1, groupOf({0, 1})).call(1, 1, groupOf({1}));
        QCOMPARE(other.calls().disagreements().size(), 1U);
        QCOMPARE(other.calls().disagreements().front().disagreement(), std::string("members"));
        QVERIFY(other.calls().deadlock().has_value());
    }

    void whoReceivesAnotherSizeIsSeenWhenBothAreThere()
    {
        Scene scene(2);
        CallSetting receive = receiveFrom0;
        receive.outputs = {tensorOf("t", {"0.0", "0.0"})};
        scene.call(0, 1, sendTo1, 3);
        QVERIFY(scene.calls().otherSizes().empty());
        scene.call(1, 1, receive, 4);
        QCOMPARE(scene.calls().otherSizes().size(), 1U);
        QCOMPARE(scene.calls().otherSizes().front().data.bytes, 4U);
        QCOMPARE(scene.calls().otherSizes().front().room.bytes, 8U);
    }

    void aMessageIsOfferedThenInFlightThenDelivered()
    {
        Scene scene(2);
        scene.call(0, 1, sendTo1);
        QCOMPARE(scene.calls().messages().size(), 1U);
        QVERIFY(scene.calls().messages().front().phase == lesson::PeerMessage::Phase::Offered);
        QVERIFY(scene.calls().isBlocked(0));
        scene.call(1, 1, receiveFrom0);
        QVERIFY(scene.calls().messages().front().phase == lesson::PeerMessage::Phase::InFlight);
        QVERIFY(!scene.calls().isBlocked(0));
        QVERIFY(!scene.calls().isBlocked(1));
        scene.back(1, 1, receiveFrom0);
        const auto& message = scene.calls().messages().front();
        QVERIFY(message.phase == lesson::PeerMessage::Phase::Delivered);
        QCOMPARE(message.from, 0);
        QCOMPARE(message.to, 1);
        QCOMPARE(message.data.elements.front(), std::string("2.0"));
        QCOMPARE(scene.calls().bytesSentBy(0), 4U);
    }

    void whomAReceiveFromAnyTookIsKnownWhenItReturns()
    {
        Scene scene(3);
        scene.call(2, 1, receiveFromAny);
        QVERIFY(scene.calls().isBlocked(2));
        scene.call(0, 1, {.operation = "send", .peer = 2});
        QVERIFY(!scene.calls().isBlocked(2));
        QVERIFY(!scene.calls().isBlocked(0));
        scene.call(1, 1, {.operation = "send", .peer = 2});
        scene.back(2, 1, {.operation = "recv", .peer = 1});
        QCOMPARE(scene.calls().messages().size(), 2U);
        QVERIFY(scene.calls().isBlocked(0));
        QVERIFY(!scene.calls().isBlocked(1));
    }

    void twoSendsToEachOtherAreADeadlockWithItsLines()
    {
        Scene scene(2);
        scene.call(0, 1, sendTo1, 7);
        QVERIFY(!scene.calls().deadlock());
        scene.call(1, 1, sendTo0, 11);
        const auto deadlock = scene.calls().deadlock();
        QVERIFY(deadlock.has_value());
        QCOMPARE(deadlock->cycle, (std::vector{0, 1}));
        QCOMPARE(deadlock->waits[0].at.line, 7);
        QCOMPARE(deadlock->waits[1].at.line, 11);
    }

    void waitingForARankThatHasEndedIsADeadlockWithoutACycle()
    {
        Scene scene(2);
        scene.call(1, 1, receiveFrom0);
        QVERIFY(!scene.calls().deadlock());
        scene.finish(0);
        const auto deadlock = scene.calls().deadlock();
        QVERIFY(deadlock.has_value());
        QVERIFY(deadlock->cycle.empty());
        QCOMPARE(deadlock->waits.front().on, std::vector{0});
    }

    void aRankThatComputesKeepsOthersWaitingButIsNoDeadlock()
    {
        Scene scene(3);
        scene.call(0, 1, {.operation = "barrier", .members = {0, 1, 2}});
        scene.call(1, 1, {.operation = "barrier", .members = {0, 1, 2}});
        QCOMPARE(scene.calls().waits().size(), 2U);
        QCOMPARE(scene.calls().waits().front().on, std::vector{2});
        QVERIFY(!scene.calls().deadlock());
        scene.call(2, 1, {.operation = "barrier", .members = {0, 1, 2}});
        QVERIFY(scene.calls().waits().empty());
    }

    void aRequestIsWaitedForWithItsOwnCall()
    {
        Scene scene(2);
        CallSetting isend = sendTo1;
        isend.operation = "isend";
        isend.isAsync = true;
        scene.call(0, 1, isend);
        QVERIFY(!scene.calls().isBlocked(0));
        scene.back(0, 1, isend);
        QCOMPARE(scene.calls().requestsOf(0).size(), 1U);
        scene.call(0, 2, {.operation = "wait", .peer = 1, .waitsFor = 1});
        QVERIFY(scene.calls().isBlocked(0));
        scene.call(1, 1, receiveFrom0);
        QVERIFY(!scene.calls().isBlocked(0));
        scene.back(0, 2, {.operation = "wait", .peer = 1, .waitsFor = 1});
        QVERIFY(scene.calls().requestsOf(0).empty());
    }

    void whatTheMembersOfACollectiveDontAgreeAboutIsNamed()
    {
        const auto said = [](CallSetting other) {
            Scene scene(2);
            scene.call(0, 1, sum).call(1, 1, other);
            return scene.calls().collectives().front().disagreement();
        };
        QCOMPARE(said(sum), std::string());
        CallSetting other = sum;
        other.inputs.front().type = "float64";
        QCOMPARE(said(other), std::string("type"));
        other = sum;
        other.inputs.front().bytes = 8;
        QCOMPARE(said(other), std::string("size"));
        other = sum;
        other.reduction = "MAX";
        QCOMPARE(said(other), std::string("reduction"));
        other = sum;
        other.operation = "broadcast";
        QCOMPARE(said(other), std::string("operation"));
    }

    /// Also one that comes when it is known already that two of them don't agree.
    void everyMemberIsPartOfADisagreement()
    {
        Scene scene(3);
        for (const int rank : {0, 1, 2})
            scene.call(rank, 1, {.operation = "broadcast", .peer = rank});
        QCOMPARE(scene.calls().disagreements().size(), 1U);
        QCOMPARE(scene.calls().disagreements().front().parts.size(), 3U);
        QCOMPARE(scene.calls().disagreements().front().parts.at(2).call.peer, 2);
    }

    void aDeadlockOfTwoDoesNotHoldAThirdOneGuilty()
    {
        Scene scene(3);
        scene.call(0, 1, sendTo1).call(1, 1, sendTo0);
        scene.call(2, 1, {.operation = "recv", .peer = 1});
        const auto deadlock = scene.calls().deadlock();
        QVERIFY(deadlock.has_value());
        QCOMPARE(deadlock->waits.size(), 3U);
        QCOMPARE(deadlock->cycle, (std::vector{0, 1}));
    }

    void collectivesOfAGroupAreCounted()
    {
        Scene scene(2);
        scene.call(0, 1, sum).call(1, 1, sum).back(0, 1, sum).call(0, 2, sum);
        QCOMPARE(scene.calls().collectives().size(), 2U);
        QCOMPARE(scene.calls().collectives().back().number, 2U);
        QCOMPARE(scene.calls().collectives().back().missing(), std::vector{1});
        QVERIFY(scene.calls().isBlocked(0));
        QVERIFY(!scene.calls().isBlocked(1));
    }
};

QTEST_GUILESS_MAIN(tst_calls)
#include "tst_calls.moc"
