#include "engine/lead/Codes.h"
#include "engine/lead/RestartBudget.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;

namespace {

const Message WorkersFailed{code::HostWorkersFailed, {}, {}};

} // namespace

class tst_restart_budget : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachFailureCostsOne()
    {
        RestartBudget budget(2);
        const GroupRestarting first = budget.chargeFailure(0, WorkersFailed, Second);
        QCOMPARE(first.budgetBefore, 2);
        QCOMPARE(first.budgetAfter, 1);
        QVERIFY(!budget.isSpent());
        budget.chargeFailure(1, WorkersFailed, 20 * Second);
        QVERIFY(budget.isSpent());
        QCOMPARE(budget.used(), 2);
    }

    void membershipChangeIsFree()
    {
        RestartBudget budget(1);
        const GroupRestarting restart = budget.dontCharge(0, WorkersFailed);
        QCOMPARE(restart.budgetBefore, 1);
        QCOMPARE(restart.budgetAfter, 1);
        QCOMPARE(budget.used(), 0);
    }

    /// Places that nothing has run in since the last charge cost nothing.
    void lossOfPlacesIsChargedOnceARound()
    {
        RestartBudget budget(3);
        QVERIFY(!budget.placesLost());
        budget.roundBegan();
        QVERIFY(budget.placesLost());
        QVERIFY(!budget.placesLost());
        budget.roundBegan();
        budget.charge(0, WorkersFailed);
        QVERIFY(!budget.placesLost());
    }

    /// The workers were seen to fail before their places were known to be gone.
    void failureJustBeforeIsTheLossItself()
    {
        RestartBudget budget(3);
        QVERIFY(!budget.wasLossCharged(100 * Second));
        budget.chargeFailure(0, WorkersFailed, 100 * Second);
        QVERIFY(budget.wasLossCharged(109 * Second));
        QVERIFY(!budget.wasLossCharged(109 * Second));
        budget.chargeFailure(1, WorkersFailed, 200 * Second);
        QVERIFY(!budget.wasLossCharged(211 * Second));
    }

    void anotherLeadsRestartsCount()
    {
        RestartBudget budget(2);
        budget.resume(2, false);
        QVERIFY(budget.isSpent());
        QVERIFY(budget.placesLost());
        budget.resume(2, true);
        QVERIFY(!budget.placesLost());
    }
};

QTEST_GUILESS_MAIN(tst_restart_budget)
#include "tst_restart_budget.moc"
