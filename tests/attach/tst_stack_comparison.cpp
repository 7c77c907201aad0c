#include "engine/attach/Codes.h"
#include "engine/attach/StackComparison.h"
#include "engine/diagnose/Codes.h"

#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using diagnose::ProcessView;
using diagnose::Stack;

namespace {

const std::string TorchDistributed = "/venv/lib/python3.11/site-packages/torch/distributed/";

Stack::Frame own(int line)
{
    return {"step", "/home/ada/train.py", line};
}

/// In a call of torch.distributed, in that line of the program.
std::vector<Stack::Frame> in(const std::string& operation, int line)
{
    return {{operation, TorchDistributed + "distributed_c10d.py", 3075},
            {"wrapper", TorchDistributed + "c10d_logger.py", 83},
            own(line)};
}

SeenRank seen(int rank, std::vector<Stack::Frame> frames, bool hasMoved = false)
{
    SeenRank seen;
    seen.view.rank = rank;
    seen.view.process.state = ProcessView::State::Alive;
    seen.view.process.stack = Stack{.source = "py-spy", .frames = std::move(frames)};
    seen.hasMoved = hasMoved;
    return seen;
}

StackComparison compare(std::vector<SeenRank> ranks)
{
    return compareStacks({.spanNs = 2'000'000'000, .ranks = std::move(ranks)});
}

bool tells(const StackComparison& comparison, Code code)
{
    return std::ranges::count(comparison.evidence, code, &Message::code) != 0;
}

using Ranks = std::vector<int>;

} // namespace

/// The rule, rank by rank; tst_attach has real hangs.
class tst_stack_comparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoIsInNoOperationKeepsTheOthers()
    {
        auto idle = seen(2, {own(12)});
        const auto comparison = compare({seen(0, in("all_reduce", 8)), seen(1, in("all_reduce", 8)),
                                         idle, seen(3, in("all_reduce", 9))});
        QCOMPARE(comparison.odd, Ranks{2});
        QCOMPARE(comparison.others, (Ranks{0, 1, 3}));
        QCOMPARE(comparison.operation, "all_reduce");
        QCOMPARE(describe(comparison.statement),
                 "Ranks 0, 1 and 3 are in all_reduce; rank 2 is not.");
        QCOMPARE(describe(comparison.evidence[0]),
                 "Ranks 0 and 1 called all_reduce in step, /home/ada/train.py line 8.");
        QCOMPARE(describe(comparison.evidence[1]),
                 "Rank 3 called all_reduce in step, /home/ada/train.py line 9.");
        QCOMPARE(describe(comparison.evidence[2]),
                 "Rank 2 is in step, /home/ada/train.py line 12.");
    }

    /// On nccl ranks wait outside of torch.distributed: its RAS says who is behind.
    void ncclsRasNamesWhoIsBehind()
    {
        const auto ranks = [](std::uint64_t launched, bool isStill) {
            auto ahead = seen(0, {own(12)});
            auto behind = seen(1, {own(14)});
            ahead.view.process.nccl = {{"0xa", 0, 2, 31, true, false}};
            behind.view.process.nccl = {{"0xa", 1, 2, launched, isStill, false}};
            return std::vector{ahead, behind};
        };
        const auto comparison = compare(ranks(30, true));
        QCOMPARE(comparison.odd, Ranks{1});
        QCOMPARE(comparison.others, Ranks{0});
        QCOMPARE(describe(comparison.statement), "By NCCL's RAS, rank 1 has launched fewer "
                                                 "collectives (30) than rank 0 (31).");
        QVERIFY(tells(comparison, code::Stands));
        QVERIFY(compare(ranks(31, true)).odd.empty());
        QVERIFY(compare(ranks(30, false)).odd.empty());
    }

    void ncclsRasStandsBesideWhatStacksSay()
    {
        auto ahead = seen(0, in("all_reduce", 8));
        auto behind = seen(1, {own(14)});
        ahead.view.process.nccl = {{"0xa", 0, 2, 31, true, false}};
        behind.view.process.nccl = {{"0xa", 1, 2, 30, true, false}};
        const auto comparison = compare({ahead, behind});
        QCOMPARE(comparison.statement.code, code::ForeignRanksOutside);
        QVERIFY(tells(comparison, code::RasAgrees));
        behind.hasMoved = ahead.hasMoved = true;
        const auto moving = compare({ahead, behind});
        QVERIFY(moving.odd.empty());
        QVERIFY(tells(moving, code::RasBehind));
    }

    void ofTwoRanksItIsSaidToo()
    {
        const auto comparison = compare({seen(0, in("barrier", 8)), seen(1, {own(12)})});
        QCOMPARE(comparison.odd, Ranks{1});
    }

    void whoComputesIsSaidToCompute()
    {
        auto busy = seen(1, {own(12)}, true);
        busy.view.process.cpuShare = 0.97;
        const auto comparison = compare({seen(0, in("all_reduce", 8)), busy});
        QCOMPARE(comparison.odd, Ranks{1});
        QVERIFY(tells(comparison, code::AbsentComputes));
    }

    void theMajoritysOperationCounts()
    {
        const auto comparison = compare({seen(0, in("all_reduce", 8)), seen(1, in("all_reduce", 8)),
                                         seen(2, in("barrier", 5))});
        QCOMPARE(comparison.odd, Ranks{2});
        QCOMPARE(describe(comparison.statement),
                 "Ranks 0 and 1 are in all_reduce; rank 2 is in barrier.");
    }

    void anotherLineIsAnotherPlace()
    {
        const std::vector<Stack::Frame> wait{{"step", "/home/ada/train.py", 9}};
        const auto comparison = compare({seen(0, wait), seen(1, {own(12)}), seen(2, wait)});
        QCOMPARE(comparison.odd, Ranks{1});
        QCOMPARE(comparison.statement.code, code::ForeignRanksApart);
    }

    /// Rank 0 is often started in another way than the others.
    void howARankWasStartedDoesntCount()
    {
        const Stack::Frame spawned{"_wrap", "/home/ada/train.py", 90};
        const Stack::Frame main{"<module>", "/home/ada/train.py", 99};
        const auto comparison = compare(
            {seen(0, {own(9), main}), seen(1, {own(12), spawned}), seen(2, {own(9), spawned})});
        QCOMPARE(comparison.odd, Ranks{1});
    }

    void oneLineThatIsReachedInTwoWaysIsTwoPlaces()
    {
        const auto reached = [](int line) {
            auto frames = in("all_reduce", 8);
            frames.push_back({"epoch", "/home/ada/train.py", line});
            return frames;
        };
        const auto comparison =
            compare({seen(0, reached(40)), seen(1, reached(50)), seen(2, reached(40))});
        QCOMPARE(comparison.odd, Ranks{1});
    }

    void backwardIsAnOperation()
    {
        const Stack::Frame engine{"_engine_run_backward", "/venv/torch/autograd/graph.py", 841};
        const auto comparison =
            compare({seen(0, {engine, own(9)}), seen(1, {own(3)}), seen(2, {engine, own(9)})});
        QCOMPARE(comparison.odd, Ranks{1});
        QCOMPARE(comparison.operation, "backward");
    }

    void nobodyIsNamedWhereNobodyStandsOut_data()
    {
        QTest::addColumn<QList<int>>("lines");
        QTest::addColumn<QByteArray>("statement");
        QTest::newRow("alike") << QList<int>{8, 8, 8}
                               << QByteArray("All ranks stand in all_reduce, in the same place: "
                                             "their stacks don't say who keeps them.");
        QTest::newRow("all elsewhere")
            << QList<int>{8, 9, 10}
            << QByteArray("All ranks stand in all_reduce, in the same place: their stacks don't "
                          "say who keeps them.");
    }

    void nobodyIsNamedWhereNobodyStandsOut()
    {
        QFETCH(QList<int>, lines);
        QFETCH(QByteArray, statement);
        std::vector<SeenRank> ranks;
        for (const int line : lines)
            ranks.push_back(seen(static_cast<int>(ranks.size()), in("all_reduce", line)));
        const auto comparison = compare(std::move(ranks));
        QVERIFY(comparison.odd.empty());
        QCOMPARE(describe(comparison.statement), statement.toStdString());
    }

    void twoOperationsOfTwoRanksSayNothing()
    {
        const auto comparison = compare({seen(0, in("send", 8)), seen(1, in("barrier", 8))});
        QVERIFY(comparison.odd.empty());
        QCOMPARE(comparison.statement.code, code::ForeignRanksUnsure);
    }

    /// A healthy job is in all_reduce at both looks now and then, but not at the same place of it.
    void whoMovesIsNotAccused()
    {
        const auto comparison =
            compare({seen(0, in("all_reduce", 8), true), seen(1, {own(4)}, true),
                     seen(2, in("all_reduce", 8), true)});
        QVERIFY(comparison.odd.empty());
        QCOMPARE(describe(comparison.statement),
                 "The job goes on: ranks 0-2 stood in another place 2.0 s later.");
    }

    void aStoppedRankIsNamed()
    {
        auto stopped = seen(1, in("all_reduce", 8));
        stopped.view.process.state = ProcessView::State::Stopped;
        const auto comparison = compare({seen(0, in("all_reduce", 8)), stopped});
        QCOMPARE(comparison.odd, Ranks{1});
        QVERIFY(tells(comparison, code::AbsentStopped));
    }

    void whatCantBeReadIsLeftOutAndSaid()
    {
        SeenRank hidden;
        hidden.view.rank = 1;
        hidden.view.process.state = ProcessView::State::Alive;
        hidden.view.process.noStack = {code::ForeignStackRefused, {{"rank", "1"}}, {}};
        const auto comparison = compare({seen(0, in("all_reduce", 8)), hidden, seen(2, {own(4)})});
        QCOMPARE(comparison.odd, Ranks{2});
        QVERIFY(tells(comparison, code::ForeignStackRefused));
        QCOMPARE(compare({hidden}).statement.code, code::ForeignRanksUnread);
        QCOMPARE(compare({}).statement.code, code::ForeignRanksUnread);
    }
};

QTEST_GUILESS_MAIN(tst_stack_comparison)
#include "tst_stack_comparison.moc"
