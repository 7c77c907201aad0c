#include "engine/agent/RestartPolicy.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

using Refusal = RestartPolicy::Refusal;

class tst_restart_policy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesUpAtOnceWithoutABudget()
    {
        RestartPolicy policy(RestartSpec{});
        const auto decision = policy.groupFailed(1h);
        QVERIFY(decision.refusal == Refusal::BudgetSpent);
        QCOMPARE(decision.budgetBefore, 0);
        QCOMPARE(decision.budgetAfter, 0);
    }

    void restartsAtOnceUntilTheBudgetIsSpent()
    {
        RestartPolicy policy(RestartSpec{.maxRestarts = 2});
        for (int restart = 0; restart < 2; ++restart) {
            const auto decision = policy.groupFailed(0ns);
            QVERIFY(!decision.refusal);
            QCOMPARE(decision.delay.count(), 0);
            QCOMPARE(decision.budgetBefore, 2 - restart);
            QCOMPARE(decision.budgetAfter, 1 - restart);
        }
        QVERIFY(policy.groupFailed(0ns).refusal == Refusal::BudgetSpent);
        QCOMPARE(policy.used(), 2);
        QCOMPARE(policy.left(), 0);
    }

    void doublesTheDelayUpToTheLongest()
    {
        RestartPolicy policy(
            RestartSpec{.maxRestarts = 5, .firstDelay = 100ms, .longestDelay = 500ms});
        const std::vector<std::chrono::milliseconds> expected{100ms, 200ms, 400ms, 500ms, 500ms};
        for (const auto delay : expected)
            QCOMPARE(policy.groupFailed(1s).delay.count(), std::chrono::nanoseconds(delay).count());
    }

    void neverWaitsLessThanTheFirstDelay()
    {
        RestartPolicy policy(RestartSpec{.maxRestarts = 1, .firstDelay = 2s, .longestDelay = 1s});
        QCOMPARE(policy.groupFailed(1s).delay.count(), std::chrono::nanoseconds(2s).count());
    }

    void survivesManyDoublings()
    {
        RestartPolicy policy(
            RestartSpec{.maxRestarts = 200, .firstDelay = 1ms, .longestDelay = 60s});
        RestartPolicy::Decision last;
        for (int restart = 0; restart < 200; ++restart)
            last = policy.groupFailed(1s);
        QCOMPARE(last.delay.count(), std::chrono::nanoseconds(60s).count());
    }

    void doesNotTryAgainWhatFailedTooSoon()
    {
        RestartPolicy policy(RestartSpec{.maxRestarts = 3, .minimumHealthyTime = 10s});
        const auto decision = policy.groupFailed(9s);
        QVERIFY(decision.refusal == Refusal::FailedTooSoon);
        QCOMPARE(decision.budgetAfter, 3);
        QVERIFY(!policy.groupFailed(10s).refusal);
    }
};

QTEST_GUILESS_MAIN(tst_restart_policy)
#include "tst_restart_policy.moc"
