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
