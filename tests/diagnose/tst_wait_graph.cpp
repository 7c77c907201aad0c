#include "engine/diagnose/WaitGraph.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using namespace std::chrono_literals;

namespace {

const GroupKey Four{"0", {0, 1, 2, 3}};

Wait waitOf(std::vector<int> waiting, std::vector<int> absent)
{
    return {.group = Four, .waiting = std::move(waiting), .absent = std::move(absent)};
}

/// Ranks that live and have done nothing for so many seconds.
std::vector<RankView> ranksIdleFor(const std::vector<int>& seconds)
{
    std::vector<RankView> ranks;
    for (const int idle : seconds) {
        RankView view{.rank = static_cast<int>(ranks.size())};
        view.process.state = ProcessView::State::Alive;
        view.process.idleNs = idle * Second;
        ranks.push_back(std::move(view));
    }
    return ranks;
}

} // namespace

class tst_wait_graph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitForARankThatWaitsIsAConsequence();
    void rankThatWorksIsNoConsequence();
    void circleWithoutAReasonExplainsNothing();
    void explainedWaitIsAReason();
    void laterCallMissesTheSameRanks();
};

void tst_wait_graph::waitForARankThatWaitsIsAConsequence()
{
    const std::vector<RankView> ranks = ranksIdleFor({5, 5, 5, 0});
    const std::vector<Wait> waits{waitOf({0}, {1}), waitOf({1}, {2}), waitOf({2}, {3})};
    const WaitGraph graph(ranks, waits, {}, 2s);
    QVERIFY(graph.waitsItself(2));
    QVERIFY(!graph.waitsItself(3));
    QVERIFY(graph.isConsequence(waits[0]));
    QVERIFY(graph.isConsequence(waits[1]));
    QVERIFY(!graph.isConsequence(waits[2]));

    const WaitGraph::Consequences all = graph.consequencesOf(waits[2]);
    QCOMPARE(all.waiting, (std::vector{0, 1, 2}));
    QCOMPARE(all.waits, (std::vector{&waits[1], &waits[0]}));
}

void tst_wait_graph::rankThatWorksIsNoConsequence()
{
    const std::vector<RankView> ranks = ranksIdleFor({5, 1, 0});
    const std::vector<Wait> waits{waitOf({0}, {1}), waitOf({1}, {2})};
    const WaitGraph graph(ranks, waits, {}, 2s);
    QVERIFY(!graph.waitsItself(1));
    QVERIFY(!graph.isConsequence(waits[0]));
    QCOMPARE(graph.consequencesOf(waits[1]).waiting, std::vector{1});
}

/// Else nobody would be told of at all.
void tst_wait_graph::circleWithoutAReasonExplainsNothing()
{
    const std::vector<RankView> ranks = ranksIdleFor({5, 5});
    const std::vector<Wait> waits{waitOf({0}, {1}), waitOf({1}, {0})};
    const WaitGraph graph(ranks, waits, {}, 2s);
    QVERIFY(!graph.isConsequence(waits[0]));
    QVERIFY(!graph.isConsequence(waits[1]));
}

void tst_wait_graph::explainedWaitIsAReason()
{
    const std::vector<RankView> ranks = ranksIdleFor({5, 5, 5});
    const std::vector<Wait> waits{waitOf({0}, {1}), waitOf({1, 2}, {})};
    QVERIFY(!WaitGraph(ranks, waits, {}, 2s).isConsequence(waits[0]));
    const WaitGraph::WaitSet explained{&waits[1]};
    QVERIFY(WaitGraph(ranks, waits, explained, 2s).isConsequence(waits[0]));
}

void tst_wait_graph::laterCallMissesTheSameRanks()
{
    const Wait longest = waitOf({0, 1}, {3});
    QVERIFY(WaitGraph::isSameAbsence(waitOf({0}, {3}), longest));
    QVERIFY(WaitGraph::isSameAbsence(waitOf({0}, {1, 3}), longest)); // 1 hasn't called it yet
    QVERIFY(!WaitGraph::isSameAbsence(waitOf({0}, {2, 3}), longest));
    QVERIFY(!WaitGraph::isSameAbsence(waitOf({0, 1, 2, 3}, {}), longest));
}

QTEST_GUILESS_MAIN(tst_wait_graph)
#include "tst_wait_graph.moc"
