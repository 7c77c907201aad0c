#include "LessonTest.h"

using namespace ringmaster;
using namespace ringmaster::test;
using Move = MoveLesson::Move;
using Phase = lesson::RankState::Phase;

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
