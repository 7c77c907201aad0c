#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/Snapshot.h"
#include "engine/record/Codes.h"
#include "tests/event/EventSamples.h"

#include <QtTest>

#include <limits>

using namespace ringmaster;

namespace {

/// A history as it is told, and what it amounts to.
class History
{
public:
    History& then(EventBody body, const std::string& node = "a")
    {
        Event event = samples::event(++m_sequence, std::move(body));
        event.node = node;
        m_snapshot.apply(event);
        return *this;
    }

    const RunSnapshot& snapshot() const { return m_snapshot; }
    const WorkerSnapshot& worker(size_t index) const { return m_snapshot.workers.at(index); }

private:
    RunSnapshot m_snapshot;
    std::uint64_t m_sequence = 0;
};

AttemptStarted attempt(int number, std::vector<int> ranks, int worldSize)
{
    AttemptStarted body{.attempt = number, .restartCount = number, .worldSize = worldSize};
    for (const int rank : ranks)
        body.workers.push_back({.localRank = rank, .globalRank = rank});
    return body;
}

WorkerExited exited(int attempt, int rank, ExitStatus status, bool endedByAgent = false)
{
    return {.attempt = attempt, .globalRank = rank, .status = status, .endedByAgent = endedByAgent};
}

WorkerStateChanged healthy(int attempt, int rank)
{
    return {attempt, rank, rank, 100 + rank, WorkerState::Healthy};
}

History running()
{
    History history;
    history.then(RunStarted{.name = "demo", .maxRestarts = 3})
        .then(attempt(0, {0, 1}, 2))
        .then(healthy(0, 0))
        .then(healthy(0, 1))
        .then(RunStateChanged{.state = RunState::Running});
    return history;
}

} // namespace

class tst_snapshot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsWithNothingToSay()
    {
        const RunSnapshot snapshot;
        QVERIFY(snapshot.reason.code == code::None);
        QCOMPARE(snapshot.attempt, -1);
    }

    void followsAStart()
    {
        const History history = running();
        QCOMPARE(history.snapshot().run, std::string("run-1"));
        QCOMPARE(history.snapshot().started.name, std::string("demo"));
        QVERIFY(history.snapshot().state == RunState::Running);
        QCOMPARE(history.snapshot().startedAt.monotonicNs, 1001);
        QCOMPARE(history.snapshot().worldSize, 2);
        QCOMPARE(history.snapshot().workers.size(), size_t(2));
        QCOMPARE(history.worker(1).pid, 101);
        QVERIFY(history.worker(1).state == WorkerState::Healthy);
        QCOMPARE(history.worker(1).since.monotonicNs, 1004);
        QCOMPARE(history.snapshot().lastSequence, std::uint64_t(5));
        QCOMPARE(history.snapshot().restartBudget, 3);
    }

    void followsAFailureAndItsRestart()
    {
        History history = running();
        history.then(exited(0, 1, {1, 0, false}))
            .then(FirstCause{.attempt = 0, .sure = true, .globalRank = 1})
            .then(exited(0, 0, {0, 15, false}, true));
        QVERIFY(history.worker(1).state == WorkerState::Failed);
        QVERIFY(history.worker(0).state == WorkerState::Stopped);
        QCOMPARE(history.worker(1).lastExit->status.code, 1);

        history.then(GroupRestarting{.attempt = 0, .budgetBefore = 3, .budgetAfter = 2})
            .then(RunStateChanged{.state = RunState::Restarting})
            .then(attempt(1, {0, 1}, 2));
        QCOMPARE(history.snapshot().attempt, 1);
        QCOMPARE(history.snapshot().restartsUsed, 1);
        QCOMPARE(history.snapshot().restartBudget, 3);
        QVERIFY(history.worker(1).state == WorkerState::Init);
        QVERIFY(!history.worker(1).lastExit);
        QCOMPARE(history.snapshot().firstCause->globalRank, 1);

        history.then(WorkerStateChanged{0, 1, 1, 5, WorkerState::Failed});
        QVERIFY2(history.worker(1).state == WorkerState::Init, "an older attempt's news is late");
    }

    void doesNotChargeAMembershipChange()
    {
        History history = running();
        history.then(GroupRestarting{.attempt = 0, .budgetBefore = 3, .budgetAfter = 3});
        QCOMPARE(history.snapshot().restartsUsed, 0);
        QCOMPARE(history.snapshot().restartBudget, 3);
    }

    void aBudgetThatNobodyCanHaveIsBounded()
    {
        constexpr int Most = std::numeric_limits<int>::max();
        History history = running();
        history.then(GroupRestarting{.budgetBefore = Most})
            .then(GroupRestarting{.budgetBefore = Most});
        QCOMPARE(history.snapshot().restartsUsed, Most);
        QCOMPARE(history.snapshot().restartBudget, Most);
        history.then(GroupRestarting{.budgetBefore = -Most, .budgetAfter = Most});
        QCOMPARE(history.snapshot().restartsUsed, 0);
        QCOMPARE(history.snapshot().restartBudget, 0);
    }

    void followsASuccess()
    {
        History history = running();
        history.then(exited(0, 0, {})).then(exited(0, 1, {}));
        history.then(RunStateChanged{.state = RunState::Succeeded});
        QVERIFY(history.worker(0).state == WorkerState::Succeeded);
        QVERIFY(history.snapshot().state == RunState::Succeeded);
        QCOMPARE(history.snapshot().endedAt.monotonicNs, 1008);
    }

    void followsAStop()
    {
        History history = running();
        history.then(RunStateChanged{.state = RunState::Stopping})
            .then(exited(0, 0, {0, 15, false}, true))
            .then(exited(0, 1, {0, 9, false}, true))
            .then(RunStateChanged{.state = RunState::Stopped, .exitCode = 143});
        QVERIFY(history.snapshot().state == RunState::Stopped);
        QCOMPARE(history.snapshot().exitCode, 143);
        QVERIFY(history.worker(1).state == WorkerState::Stopped);
    }

    void knowsSinceWhenTheWorkersAreAskedToEnd()
    {
        History history = running();
        const Notice asked{.message = {code::WorkersAskedToEnd, {{"signal", "SIGTERM"}}, {}}};
        history.then(RunStateChanged{.state = RunState::Stopping});
        QVERIFY(history.snapshot().graceSince == Moment{}); // they are looked at first
        history.then(asked);
        const Moment since = history.snapshot().graceSince;
        QVERIFY(since == samples::event(7, asked).at);
        QVERIFY(since > history.snapshot().stateSince);
        history.then(attempt(1, {0, 1}, 2));
        QVERIFY(history.snapshot().graceSince == Moment{});
    }

    void doesNotKnowWhatBecameOfALostRunsWorkers()
    {
        History history = running();
        history.then(exited(0, 1, {}));
        history.then(RunStateChanged{RunState::Lost, {code::AgentGone, {}, {}}, 0});
        QVERIFY(history.worker(0).state == WorkerState::Unknown);
        QVERIFY(history.worker(1).state == WorkerState::Succeeded);
        QVERIFY(history.snapshot().reason.code == code::AgentGone);
    }

    void keepsTheFirstEndThatWasSaid()
    {
        History history = running();
        history.then(RunStateChanged{.state = RunState::Failed, .exitCode = 1})
            .then(RunStateChanged{.state = RunState::Running})
            .then(RunStateChanged{.state = RunState::Lost});
        QVERIFY(history.snapshot().state == RunState::Failed);

        History lost = running();
        lost.then(RunStateChanged{.state = RunState::Lost})
            .then(RunStateChanged{.state = RunState::Succeeded});
        QVERIFY2(lost.snapshot().state == RunState::Succeeded, "lost is only not to know");
    }

    void ignoresAnEventThatComesTwice()
    {
        RunSnapshot snapshot;
        const Event restart =
            samples::event(1, GroupRestarting{.budgetBefore = 3, .budgetAfter = 2});
        snapshot.apply(restart);
        snapshot.apply(restart);
        QCOMPARE(snapshot.restartsUsed, 1);
    }

    void joinsTheWorkersOfSeveralAgents()
    {
        History history;
        history.then(attempt(0, {0, 1}, 4), "a").then(attempt(0, {2, 3}, 4), "b");
        QCOMPARE(history.snapshot().workers.size(), size_t(4));
        QCOMPARE(history.worker(2).node, std::string("b"));

        // Node a restarts alone in a smaller world.
        history.then(attempt(1, {0, 1}, 2), "a");
        QCOMPARE(history.snapshot().workers.size(), size_t(2));
        // Node c joins, whose first attempt is the group's third.
        history.then(attempt(2, {0, 1}, 3), "a").then(attempt(0, {2}, 3), "c");
        QCOMPARE(history.snapshot().workers.size(), size_t(3));
        QCOMPARE(history.snapshot().attempt, 2);
        history.then(healthy(0, 2), "c");
        QVERIFY(history.worker(2).state == WorkerState::Healthy);
    }

    void keepsTheVerdictsThatStandTheWeightiestFirst()
    {
        const auto verdict = [](std::uint64_t id, Verdict::Kind kind, bool isStanding = true) {
            return Verdict{.id = id, .kind = kind, .isStanding = isStanding};
        };
        using Kind = Verdict::Kind;
        History history;
        const auto standing = [&history] {
            std::vector<std::uint64_t> ids;
            for (const StandingVerdict& known : history.snapshot().verdicts)
                ids.push_back(known.verdict.id);
            return ids;
        };
        using Ids = std::vector<std::uint64_t>;
        history.then(verdict(1, Kind::Waiting)).then(verdict(2, Kind::Straggler));
        history.then(verdict(3, Kind::Waiting)).then(verdict(4, Kind::Mismatch));
        QCOMPARE(standing(), (Ids{4, 2, 1, 3}));
        history.then(verdict(3, Kind::Hang)).then(verdict(2, Kind::Straggler, false));
        QCOMPARE(standing(), (Ids{4, 3, 1}));
        QCOMPARE(history.snapshot().verdicts[1].at.monotonicNs, std::int64_t(1005));
        const History before = history;
        history.then(RunStateChanged{.state = RunState::Succeeded});
        QCOMPARE(standing(), (Ids{4}));
        history = before;
        history.then(RunStateChanged{.state = RunState::Failed});
        QCOMPARE(standing(), (Ids{4, 3, 1}));
        history = before;
        history.then(GroupRestarting{});
        QCOMPARE(standing(), (Ids{4}));
        history.then(attempt(1, {0}, 1));
        QCOMPARE(standing(), Ids{});
        for (std::uint64_t id = 10; id < 2000; ++id)
            history.then(verdict(id, Kind::Waiting));
        QCOMPARE(history.snapshot().verdicts.size(), RunSnapshot::MostVerdicts);
    }

    void knowsWhatARankWasInWhenItEnded()
    {
        History history;
        history.then(attempt(0, {0, 1}, 2)).then(LastOperation{0, 1, {code::TimedOut, {}, {}}});
        history.then(LastOperation{0, 7, {code::TimedOut, {}, {}}});
        QVERIFY(history.worker(1).lastOperation.code == code::TimedOut);
        QVERIFY(history.worker(0).lastOperation.code == code::None);
    }
};

QTEST_GUILESS_MAIN(tst_snapshot)
#include "tst_snapshot.moc"
