#include "LessonTest.h"

using namespace ringmaster;
using namespace ringmaster::test;
using Move = MoveLesson::Move;
using Phase = lesson::RankState::Phase;
using SpanKind = lesson::Lanes::Span::Kind;

namespace {

const QByteArray sendAndReceive = R"(import torch
import torch.distributed as dist


def run(rank, size):
    tensor = torch.tensor([2.0, 3.0]) if rank == 0 else torch.zeros(2)
    if rank == 0:
        dist.send(tensor, dst=1)
    else:
        dist.recv(tensor, src=0)
    total = tensor * (rank + 5)
    dist.all_reduce(total)
    print(total.tolist())


dist.init_process_group("gloo")
run(dist.get_rank(), dist.get_world_size())
dist.destroy_process_group()
)";

int linesOf(const lesson::Recording& recording, int rank)
{
    return static_cast<int>(recording.latest().rank(rank).lines);
}

bool isAtFirstLine(const lesson::Recording& recording, int ranks)
{
    for (int rank = 0; rank < ranks; ++rank)
        if (recording.latest().rankCount() < ranks || linesOf(recording, rank) < 1)
            return false;
    return true;
}

/// Rank 1 is a straggler.
const QByteArray Slow = R"(import os
import time

rank = int(os.environ["RANK"])
ready = True
if rank == 1:
    time.sleep(0.5)
ready = False
after = True
)";

bool areAtLine(const lesson::Recording& recording, int line)
{
    return recording.latest().rankCount() == 2 && recording.latest().rank(0).line == line &&
           recording.latest().rank(1).line == line;
}

std::vector<SpanKind> kindsIn(const std::vector<lesson::Lanes::Span>& lane)
{
    std::vector<SpanKind> kinds;
    for (const lesson::Lanes::Span& span : lane)
        kinds.push_back(span.kind);
    return kinds;
}

} // namespace

/// Real workers at the step gate of a real agent.
class tst_step_gate : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void aSendIsSteppedThroughLineByLine()
    {
        LessonRun run({.program = sendAndReceive});
        QVERIFY(run.waitFor([](const auto& seen) { return isAtFirstLine(seen, 2); }));
        QVERIFY(run.send(MoveLesson{.move = Move::Step}));
        QVERIFY(run.waitFor(
            [](const auto& seen) { return linesOf(seen, 0) == 2 && linesOf(seen, 1) == 2; }));
        QVERIFY(run.send(MoveLesson{.move = Move::Step, .ranks = {0}}));
        QVERIFY(run.waitFor([](const auto& seen) { return linesOf(seen, 0) == 3; }));
        QCOMPARE(linesOf(run.recording(), 1), 2);
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 8}));
        QVERIFY(run.waitFor([](const auto& seen) {
            return seen.latest().rank(0).line == 8 && seen.latest().rank(1).phase == Phase::InCall;
        }));
        const auto waits = run.recording().latest().calls().waits();
        QCOMPARE(waits.size(), 1U);
        QCOMPARE(waits.front().rank, 1);
        QCOMPARE(waits.front().on, std::vector{0});
        QCOMPARE(waits.front().at.line, 10);
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY(run.finish());
        QVERIFY(run.state() == RunState::Succeeded);
        const auto recording = run.recording();
        QVERIFY(!recording.step(0).isFree);
        QVERIFY(recording.step(recording.size() - 1).isFree);
        for (int rank = 0; rank < 2; ++rank)
            QVERIFY(recording.latest().rank(rank).phase == Phase::Finished);
        const auto atEnd = recording.firstStep([](const lesson::State& state) {
            const auto* total = state.rankCount() > 1 ? state.rank(0).find("total") : nullptr;
            return total != nullptr && total->value.elements.front() == "22.0";
        });
        QVERIFY(atEnd.has_value());
        QCOMPARE(recording.stateAt(*atEnd).rank(0).find("total")->value.elements.back(),
                 std::string("33.0"));
    }

    /// What a rank computes is measured from where the gate lets it go, not from where it came.
    void whatIsComputedIsToldFromWhatIsHeld()
    {
        LessonRun run({.program = Slow});
        QVERIFY(run.waitFor([](const auto& seen) { return isAtFirstLine(seen, 2); }));
        QVERIFY(run.send(MoveLesson{.move = Move::ToLine, .line = 8}));
        QVERIFY(run.waitFor([](const auto& seen) { return areAtLine(seen, 8); }));
        const auto recording = run.recording();
        for (int rank = 0; rank < 2; ++rank) {
            const auto& lane = recording.lanes().byRank()[static_cast<size_t>(rank)];
            const auto kinds = kindsIn(lane);
            QCOMPARE(kinds.front(), SpanKind::Held);
            QCOMPARE(kinds.back(), SpanKind::Held);
            for (size_t span = 0; span < lane.size(); ++span) {
                QCOMPARE(kinds[span], span % 2 == 0 ? SpanKind::Held : SpanKind::Computing);
                QVERIFY(span == 0 || lane[span].fromNs == lane[span - 1].toNs);
            }
            // A line each, but for the branch that only rank 1 goes.
            QCOMPARE(lane.size(), rank == 0 ? size_t(11) : size_t(13));
        }
        const auto& slow = recording.lanes().byRank()[1];
        const auto longest = std::ranges::max_element(slow, {}, [](const auto& span) {
            return span.kind == SpanKind::Computing ? span.lastedNs : 0;
        });
        QVERIFY(longest->lastedNs >= 500'000'000);
        QCOMPARE(longest->toNs - longest->fromNs, longest->lastedNs);
        QVERIFY(run.send(MoveLesson{.move = Move::ToEnd}));
        QVERIFY(run.finish());
        const auto whole = run.recording();
        for (size_t index = 0; index < whole.size(); ++index)
            if (whole.step(index).line == 9 && whole.step(index).kind == LessonStep::Kind::Line)
                QCOMPARE(whole.step(index).isHeld, std::optional(false));
        QCOMPARE(whole.lanes().byRank()[0].back().kind, SpanKind::Computing);
    }

    void inAFreeRunNobodyIsHeld()
    {
        const LessonRun run({.program = sendAndReceive, .isHeld = false});
        QVERIFY(run.finish());
        const auto recording = run.recording();
        for (size_t index = 0; index < recording.size(); ++index) {
            const LessonStep& step = recording.step(index);
            QCOMPARE(step.isHeld.value_or(false), false);
            QCOMPARE(step.isHeld.has_value(), step.kind == LessonStep::Kind::Line);
            QCOMPARE(recording.lanes().heldBefore(index), std::int64_t(0));
        }
        for (const auto& lane : recording.lanes().byRank())
            for (const SpanKind kind : kindsIn(lane))
                QVERIFY(kind != SpanKind::Held && kind != SpanKind::ComputingOrHeld);
    }

    void aRunThatNobodyWatchesEndsByItself()
    {
        LessonRun run({.program = sendAndReceive});
        QVERIFY(run.waitFor([](const auto& seen) { return isAtFirstLine(seen, 2); }));
        run.stopFollowing();
        QTRY_VERIFY(!run.isListedAsLive());
    }
};

QTEST_GUILESS_MAIN(tst_step_gate)
#include "tst_step_gate.moc"
