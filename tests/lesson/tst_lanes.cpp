#include "Steps.h"
#include "engine/lesson/Recording.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using Span = lesson::Lanes::Span;

namespace {

constexpr std::int64_t Ms = 1'000'000;
constexpr std::int64_t Start = 5'000 * Ms;

LessonStep at(std::int64_t ms, LessonStep step, bool isFree = true)
{
    step.atNs = Start + ms * Ms;
    step.isFree = isFree;
    return step;
}

lesson::Recording recordingOf(int ranks, const std::vector<LessonStep>& steps)
{
    lesson::Recording recording;
    recording.add(eventOf(AttemptStarted{.worldSize = ranks}));
    for (const LessonStep& step : steps)
        recording.add(eventOf(step));
    return recording;
}

/// Before a line, at which the rank is held.
LessonStep heldAt(std::int64_t ms, int rank, int line, std::vector<LessonLetGo> letGo = {})
{
    LessonStep step = at(ms, lineStep(rank, line), false);
    step.isHeld = true;
    step.letGo = std::move(letGo);
    return step;
}

/// Of rank 1.
LessonStep fault(std::int64_t ms, const char* kind)
{
    return {
        .globalRank = 1, .kind = LessonStep::Kind::Fault, .atNs = Start + ms * Ms, .text = kind};
}

LessonLetGo letGo(int rank, std::int64_t ms)
{
    return {rank, Start + ms * Ms};
}

bool isSpan(const Span& span, Span::Kind kind, std::int64_t fromMs, std::int64_t toMs)
{
    return span.kind == kind && span.fromNs == fromMs * Ms &&
           span.toNs == (toMs < 0 ? -1 : toMs * Ms);
}

} // namespace

/// What each rank did when, from steps with times.
class tst_lanes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoeverComesFirstWaitsForTheStraggler()
    {
        const CallSetting reduce{.operation = "all_reduce", .reduction = "SUM"};
        const auto recording =
            recordingOf(2, {at(0, lineStep(0, 3)), at(0, lineStep(1, 3)),
                            at(10, callStep(0, 1, reduce)), at(300, callStep(1, 1, reduce)),
                            at(304, callStep(0, 1, reduce, LessonStep::Kind::Return)),
                            at(305, callStep(1, 1, reduce, LessonStep::Kind::Return))});
        const auto& lanes = recording.lanes().byRank();
        QCOMPARE(lanes.size(), size_t(2));
        QCOMPARE(lanes[0].size(), size_t(4));
        QVERIFY(isSpan(lanes[0][0], Span::Kind::Computing, 0, 10));
        QVERIFY(isSpan(lanes[0][1], Span::Kind::Waiting, 10, 300));
        QVERIFY(isSpan(lanes[0][2], Span::Kind::Calling, 300, 304));
        QVERIFY(isSpan(lanes[0][3], Span::Kind::Computing, 304, -1));
        QCOMPARE(lanes[1].size(), size_t(3));
        QVERIFY(isSpan(lanes[1][0], Span::Kind::Computing, 0, 300));
        QVERIFY(isSpan(lanes[1][1], Span::Kind::Calling, 300, 305));
        QCOMPARE(recording.lanes().length(), 305 * Ms);
    }

    void requestsUnderWayOverlapWhatIsComputed()
    {
        const CallSetting send{.operation = "isend", .peer = 1, .isAsync = true};
        CallSetting wait{.operation = "wait", .peer = 1, .waitsFor = 1};
        const auto recording = recordingOf(
            2, {at(0, lineStep(0, 3)), at(0, lineStep(1, 3)), at(5, callStep(0, 1, send)),
                at(6, callStep(0, 1, send, LessonStep::Kind::Return)), at(7, lineStep(0, 4)),
                at(90, callStep(0, 2, wait))});
        const auto& lane = recording.lanes().byRank()[0];
        QVERIFY(isSpan(lane[2], Span::Kind::Computing, 6, 90));
        QVERIFY(lane[2].isOverlapped);
        QVERIFY(!lane[0].isOverlapped);
    }

    void theTimeAtTheGateIsCutShort()
    {
        const CallSetting send{.operation = "send", .peer = 1};
        const auto recording = recordingOf(
            2, {at(0, lineStep(0, 3), false), at(0, lineStep(1, 3), false),
                // The reader has thought for a minute; then a rank is in a call.
                at(60'000, lineStep(0, 4), false), at(60'001, callStep(0, 1, send), false),
                at(60'501, lineStep(1, 4), false)});
        const lesson::Lanes& lanes = recording.lanes();
        QCOMPARE(lanes.timeOf(2), 20 * Ms);
        QCOMPARE(lanes.timeOf(4), 521 * Ms);
        QCOMPARE(lanes.length(), 521 * Ms);
    }

    void soIsTheOneBeforeTheyRunOn()
    {
        const auto recording =
            recordingOf(2, {at(0, lineStep(0, 3), false), at(0, lineStep(1, 3), false),
                            at(60'000, lineStep(0, 4)), at(60'300, lineStep(1, 4))});
        QCOMPARE(recording.lanes().timeOf(2), 20 * Ms);
        QCOMPARE(recording.lanes().length(), 320 * Ms);
    }

    /// Both are held for a second; then rank 0 computes for 40 ms, and rank 1 for 300.
    void whatARankComputesIsToldFromWhereItIsHeld()
    {
        const auto recording = recordingOf(2, {heldAt(0, 0, 3), heldAt(0, 1, 3),
                                               heldAt(1040, 0, 4, {letGo(0, 1000), letGo(1, 1000)}),
                                               heldAt(1300, 1, 4)});
        const auto& lanes = recording.lanes().byRank();
        QCOMPARE(lanes[0].size(), size_t(3));
        QVERIFY(isSpan(lanes[0][0], Span::Kind::Held, 0, 20));
        QCOMPARE(lanes[0][0].lastedNs, 1000 * Ms);
        QVERIFY(isSpan(lanes[0][1], Span::Kind::Computing, 20, 60));
        QVERIFY(isSpan(lanes[0][2], Span::Kind::Held, 60, -1));
        QCOMPARE(lanes[0][2].lastedNs, 260 * Ms);
        QCOMPARE(lanes[1].size(), size_t(3));
        QVERIFY(isSpan(lanes[1][0], Span::Kind::Held, 0, 20));
        QVERIFY(isSpan(lanes[1][1], Span::Kind::Computing, 20, 320));
        QVERIFY(isSpan(lanes[1][2], Span::Kind::Held, 320, -1));
        QCOMPARE(recording.lanes().length(), 320 * Ms);
        QCOMPARE(recording.lanes().heldBefore(1), std::int64_t(0));
        QCOMPARE(recording.lanes().heldBefore(2), 1000 * Ms);
        QCOMPARE(recording.lanes().heldBefore(3), 1000 * Ms);
    }

    /// While the straggler still computes, it isn't drawn as one that is held.
    void whoWasLetGoComputesThoughItHasToldNothingYet()
    {
        const CallSetting reduce{.operation = "all_reduce", .reduction = "SUM"};
        LessonStep call = at(1010, callStep(0, 1, reduce), false);
        call.letGo = {letGo(0, 1000), letGo(1, 1005)};
        const auto recording =
            recordingOf(2, {heldAt(0, 0, 3), heldAt(0, 1, 3), call,
                            at(1015, callStep(0, 1, reduce, LessonStep::Kind::Return), false)});
        const auto& lane = recording.lanes().byRank()[1];
        QCOMPARE(lane.size(), size_t(2));
        QVERIFY(isSpan(lane[0], Span::Kind::Held, 0, 25));
        QVERIFY(isSpan(lane[1], Span::Kind::Computing, 25, -1));
    }

    /// Rank 1 waits for rank 0, which is held: that is the reader's time as well.
    void whoWaitsForOneThatIsHeldCostsNoTime()
    {
        const CallSetting receive{.operation = "recv", .peer = 0};
        LessonStep call = at(1000, callStep(1, 1, receive), false);
        call.letGo = {letGo(1, 1000)};
        const auto recording = recordingOf(
            2, {heldAt(0, 0, 3), heldAt(0, 1, 3), call, heldAt(61'005, 0, 4, {letGo(0, 61'000)})});
        const auto& lanes = recording.lanes().byRank();
        QVERIFY(isSpan(lanes[1][2], Span::Kind::Waiting, 20, -1));
        QCOMPARE(lanes[1][2].lastedNs, 60'005 * Ms);
        QVERIFY(isSpan(lanes[0][1], Span::Kind::Computing, 40, 45));
    }

    /// It is let go after its step was written, before that was read.
    void oneThatIsLetGoWhileItComesIsHeldForNoTime()
    {
        const auto recording = recordingOf(2, {heldAt(0, 0, 3), heldAt(0, 1, 3),
                                               heldAt(10, 0, 4, {letGo(0, 5), letGo(1, 30)}),
                                               at(20, lineStep(0, 5), false), heldAt(40, 1, 4)});
        const auto& lane = recording.lanes().byRank()[1];
        QVERIFY(isSpan(lane[0], Span::Kind::Held, 0, 30));
        QVERIFY(isSpan(lane[1], Span::Kind::Computing, 30, 40));
    }

    void whoHasToWaitAgainIsHeld()
    {
        LessonStep line = at(10, lineStep(0, 4));
        line.isHeld = false;
        line.letGo = {letGo(0, 5), letGo(1, 5)};
        const auto recording =
            recordingOf(2, {heldAt(0, 0, 3), heldAt(0, 1, 3), line,
                            heldAt(20, 0, 5, {{0, 0}, {1, 0}}), heldAt(60, 1, 4)});
        const auto& lanes = recording.lanes().byRank();
        QVERIFY(isSpan(lanes[0].back(), Span::Kind::Held, 20, -1));
        QVERIFY(isSpan(lanes[1][1], Span::Kind::Computing, 5, 60));
        QVERIFY(isSpan(lanes[1][2], Span::Kind::Held, 60, -1));
    }

    /// Rank 1 is stopped after 100 ms of computing, and goes on after 400.
    void whoIsStoppedComputesNothing()
    {
        const CallSetting reduce{.operation = "all_reduce", .reduction = "SUM"};
        const auto recording =
            recordingOf(2, {at(0, lineStep(0, 3)), at(0, lineStep(1, 3)), fault(100, "pause"),
                            at(150, callStep(0, 1, reduce)), fault(500, "resume"),
                            at(550, callStep(1, 1, reduce))});
        const auto& lanes = recording.lanes().byRank();
        QCOMPARE(lanes[1].size(), size_t(4));
        QVERIFY(isSpan(lanes[1][0], Span::Kind::Computing, 0, 100));
        QVERIFY(isSpan(lanes[1][1], Span::Kind::Stopped, 100, 500));
        QCOMPARE(lanes[1][1].lastedNs, 400 * Ms);
        QVERIFY(isSpan(lanes[1][2], Span::Kind::Computing, 500, 550));
        QVERIFY(isSpan(lanes[0][1], Span::Kind::Waiting, 150, 550));
        QCOMPARE(recording.lanes().length(), 550 * Ms);
    }

    /// The gate has let it go meanwhile.
    void whoIsStoppedWhereItIsHeldComputesAfterwards()
    {
        LessonStep other = at(200, lineStep(0, 4));
        other.isHeld = false;
        other.letGo = {letGo(0, 150), letGo(1, 150)};
        const auto recording =
            recordingOf(2, {heldAt(0, 0, 3), heldAt(0, 1, 3), fault(100, "pause"), other,
                            fault(500, "resume"), heldAt(600, 1, 4)});
        const auto& lane = recording.lanes().byRank()[1];
        QCOMPARE(lane.size(), size_t(4));
        QCOMPARE(lane[0].kind, Span::Kind::Held);
        QCOMPARE(lane[1].kind, Span::Kind::Stopped);
        QCOMPARE(lane[1].lastedNs, 400 * Ms);
        QCOMPARE(lane[2].kind, Span::Kind::Computing);
        QCOMPARE(lane[2].lastedNs, 100 * Ms);
        QCOMPARE(lane[3].kind, Span::Kind::Held);
    }

    void inAFreeRunNothingIsHeld()
    {
        std::vector<LessonStep> steps;
        for (int line = 3; line < 6; ++line) {
            steps.push_back(at(line * 100, lineStep(0, line)));
            steps.back().isHeld = false;
        }
        const auto recording = recordingOf(1, steps);
        const auto& lane = recording.lanes().byRank()[0];
        QCOMPARE(lane.size(), size_t(1));
        QVERIFY(isSpan(lane[0], Span::Kind::Computing, 0, -1));
        QCOMPARE(recording.lanes().length(), 200 * Ms);
    }

    /// It doesn't say whether a rank was held, and nothing is made up.
    void anOlderRecordingIsDrawnAsItWas()
    {
        const auto recording =
            recordingOf(1, {at(0, lineStep(0, 3), false), at(500, lineStep(0, 4), false),
                            at(1000, lineStep(0, 5))});
        const auto& lane = recording.lanes().byRank()[0];
        QCOMPARE(lane.size(), size_t(2));
        QVERIFY(isSpan(lane[0], Span::Kind::ComputingOrHeld, 0, 40));
        QVERIFY(isSpan(lane[1], Span::Kind::Computing, 40, -1));
    }

    void anAttemptGoesOnWhereTheOneBeforeEnded()
    {
        lesson::Recording recording;
        for (const int attempt : {0, 1}) {
            recording.add(eventOf(AttemptStarted{.attempt = attempt, .worldSize = 1}));
            for (const int ms : {0, 100}) {
                LessonStep step =
                    heldAt(ms + 5000 * attempt, 0, 3, {letGo(0, ms + 5000 * attempt - 70)});
                step.attempt = attempt;
                recording.add(eventOf(step));
            }
        }
        const lesson::Lanes& lanes = recording.lanes();
        QCOMPARE(lanes.timeOf(0), std::int64_t(0));
        QCOMPARE(lanes.timeOf(1), 90 * Ms);
        QCOMPARE(lanes.timeOf(2), 90 * Ms);
        QCOMPARE(lanes.timeOf(3), 180 * Ms);
        QCOMPARE(lanes.heldBefore(3), 30 * Ms);
        // The one before is still there.
        QCOMPARE(lanes.restarts(), std::vector<std::int64_t>{90 * Ms});
        const auto& lane = lanes.byRank()[0];
        QCOMPARE(lane.front().fromNs, std::int64_t(0));
        const auto second = std::ranges::find(lane, 90 * Ms, &Span::fromNs);
        QVERIFY(second != lane.begin() && second != lane.end());
        QCOMPARE(std::prev(second)->toNs, 90 * Ms);
        QCOMPARE(lane.back().toNs, std::int64_t(-1));
    }

    void aTimeLeadsToItsStep()
    {
        const auto recording =
            recordingOf(2, {at(0, lineStep(0, 3)), at(10, lineStep(1, 3)), at(20, lineStep(0, 4))});
        QCOMPARE(recording.lanes().stepAt(0), size_t(0));
        QCOMPARE(recording.lanes().stepAt(15 * Ms), size_t(1));
        QCOMPARE(recording.lanes().stepAt(99 * Ms), size_t(2));
    }

    void aLaneEndsWithItsRank()
    {
        LessonStep finish = lineStep(0, 9);
        finish.kind = LessonStep::Kind::Finish;
        const auto recording = recordingOf(2, {at(0, lineStep(0, 3)), at(0, lineStep(1, 3)),
                                               at(8, finish), at(20, lineStep(1, 4))});
        QCOMPARE(recording.lanes().byRank()[0].size(), size_t(1));
        QVERIFY(isSpan(recording.lanes().byRank()[0][0], Span::Kind::Computing, 0, 8));
    }
};

QTEST_GUILESS_MAIN(tst_lanes)
#include "tst_lanes.moc"
