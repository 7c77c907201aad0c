#include "engine/agent/Codes.h"
#include "engine/agent/GroupFailures.h"
#include "tests/agent/FakeNode.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

JobSpec jobWith(const RestartSpec& restart)
{
    JobSpec spec{.roles = {Role{.program = "train.py"}}};
    spec.restart = restart;
    return spec;
}

/// What follows the failures of a group of two workers.
class FailureTrial
{
public:
    explicit FailureTrial(const RestartSpec& restart, bool isLed = false)
        : m_spec(jobWith(restart)), m_options{.hostName = "localhost", .isLed = isLed}
    {
    }

    /// Of these ranks, in this order, a minute apart.
    WorkerGroup failed(const std::vector<int>& ranks, const std::string& said = {})
    {
        WorkerGroup group({.attempt = 0, .worldSize = 2},
                          {{.localRank = 0, .globalRank = 0}, {.localRank = 1, .globalRank = 1}});
        std::int64_t atNs = 0;
        for (const int rank : ranks) {
            Worker& worker = *group.findGlobal(rank);
            worker.pid = 100 + rank;
            atNs += 60'000'000'000;
            group.setExit(worker, {.code = 1, .at = {.monotonicNs = atNs}});
            const WorkerExitReport report{.localRank = rank, .stderrTail = said};
            group.explain(worker, report, OutOfMemoryWatch::Finding::No);
            RestartRule(m_spec.restart).mark(*worker.exit, report);
        }
        return group;
    }
    std::vector<RunState> states() const
    {
        std::vector<RunState> states;
        for (const auto& changed : record.all<RunStateChanged>())
            states.push_back(changed.state);
        return states;
    }

private:
    JobSpec m_spec;
    AgentOptions m_options;
    SystemClock m_clock;

public:
    Record record;

private:
    AgentEventEmitter m_emitter{m_spec, m_options, {m_clock, record, {}}};

public:
    GroupFailures failures{m_spec, m_options, m_emitter};
};

} // namespace

/// What a failure leads to, without an agent and its workers.
class tst_group_failures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void chargesTheBudgetUntilItIsSpent()
    {
        FailureTrial trial({.maxRestarts = 1});
        const WorkerGroup group = trial.failed({1});
        const auto first = trial.failures.groupFailed(group, 1s);
        const auto* again = std::get_if<RestartRequest>(&first);
        QVERIFY(again && again->isCharged);
        QCOMPARE(again->cause.parameters.at("rank"), std::string("1"));
        QCOMPARE(again->decision.budgetAfter, 0);
        const auto second = trial.failures.groupFailed(group, 1s);
        const auto* end = std::get_if<StopRequest>(&second);
        QVERIFY(end && end->isGroupFailure);
        QVERIFY(trial.record.hasNotice(code::RestartBudgetSpent));
        QCOMPARE(trial.states(), (std::vector<RunState>{RunState::Restarting, RunState::Stopping}));
        QCOMPARE(trial.failures.restartsUsed(), 1);
    }

    void aRestartThatNothingHasFailedForCostsNothing()
    {
        FailureTrial trial({.maxRestarts = 2});
        const RestartRequest request = trial.failures.uncharged({code::UserRestarted, {}, {}});
        QVERIFY(!request.isCharged);
        QCOMPARE(request.decision.budgetBefore, 2);
        QCOMPARE(request.decision.budgetAfter, 2);
        trial.failures.groupEnded(trial.failed({0}), request);
        QVERIFY(!trial.failures.firstCause());
        QVERIFY(!trial.failures.refuses(request, trial.failed({0})));
    }

    void namesTheFirstCauseOnceTheGroupIsGone()
    {
        FailureTrial trial({.maxRestarts = 1});
        const WorkerGroup group = trial.failed({1, 0});
        const auto follows = trial.failures.groupFailed(group, 1s);
        QVERIFY(!trial.failures.firstCause());
        trial.failures.groupEnded(group, follows);
        QCOMPARE(trial.failures.firstCause()->globalRank, 1);
        QCOMPARE(trial.record.all<FirstCause>().size(), size_t{1});
        trial.failures.attemptBegins();
        QVERIFY(!trial.failures.firstCause());
    }

    void aRuleOfTheJobRefusesByWhatTheGuiltyRankPrinted_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<bool>("isLed");
        QTest::addColumn<bool>("refuses");
        QTest::newRow("expected") << "NCCL timeout" << false << false;
        QTest::newRow("not expected") << "KeyError" << false << true;
        QTest::newRow("its lead says so") << "KeyError" << true << false;
    }
    void aRuleOfTheJobRefusesByWhatTheGuiltyRankPrinted()
    {
        QFETCH(QString, said);
        QFETCH(bool, isLed);
        QFETCH(bool, refuses);
        FailureTrial trial({.maxRestarts = 3, .onlyIf = "NCCL"}, isLed);
        const WorkerGroup group = trial.failed({0}, said.toStdString());
        const auto follows = trial.failures.groupFailed(group, 1s);
        trial.failures.groupEnded(group, follows);
        QCOMPARE(trial.failures.refuses(std::get<RestartRequest>(follows), group), refuses);
        QCOMPARE(trial.record.hasNotice(code::RestartNotExpected), refuses);
        QCOMPARE(trial.states().back(), refuses ? RunState::Stopping : RunState::Restarting);
    }

    void theBudgetOfALedAgentIsItsLeads()
    {
        FailureTrial trial({.maxRestarts = 0}, true);
        const auto follows = trial.failures.groupFailed(trial.failed({0}), 1s);
        QVERIFY(std::holds_alternative<RestartRequest>(follows));
    }
};

QTEST_GUILESS_MAIN(tst_group_failures)
#include "tst_group_failures.moc"
