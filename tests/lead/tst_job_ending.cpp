#include "engine/agent/Codes.h"
#include "engine/event/Codes.h"
#include "engine/lead/JobEnding.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;

namespace {

} // namespace

class tst_job_ending : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSignalEndsItAndAnotherAtOnce()
    {
        JobEnding ending{JobSpec()};
        const auto first = ending.signalled(SIGINT, true, Second);
        QCOMPARE(first->reason.code, code::SignalReceived);
        QVERIFY(first->end == RunState::Stopped && !first->isNow);
        QVERIFY(ending.signalled(SIGINT, true, 3 * Second)->isNow);
    }

    void theEchoOfASignalAsksNothing()
    {
        JobEnding ending{JobSpec()};
        QVERIFY(ending.signalled(SIGHUP, true, Second));
        QVERIFY(!ending.signalled(SIGHUP, true, Second + 1'000'000));
    }

    void whoAsksAgainInAnotherWayDoesntWaitEither()
    {
        JobEnding ending{JobSpec()};
        QVERIFY(!ending.commanded({}).isNow);
        QVERIFY(ending.signalled(SIGTERM, true, Second)->isNow);
        QVERIFY(JobEnding(JobSpec()).commanded({.now = true}).isNow);
        JobEnding tookOver{JobSpec()};
        (void)tookOver.resumed({code::UserStopped, {}, {}});
        QVERIFY(tookOver.commanded({}).isNow);
    }

    void theExitCodeIsThatOfWhoAskedFirst()
    {
        JobEnding early{JobSpec()};
        (void)early.signalled(SIGTERM, false, Second);
        (void)early.commanded({});
        QCOMPARE(early.over(RunState::Stopped, {}).exitCode, 128 + SIGTERM);
        JobEnding late{JobSpec()};
        (void)late.signalled(SIGTERM, true, Second);
        QCOMPARE(late.over(RunState::Stopped, {}).exitCode, 1);
        QCOMPARE(late.over(RunState::Succeeded, {}).exitCode, 0);
        QCOMPARE(early.over(RunState::Failed, {}).exitCode, 1);
    }

    void aRuleFailsIt()
    {
        JobSpec spec;
        spec.longestRun = std::chrono::seconds(10);
        JobEnding ending(spec);
        // Another lead began it 8 s ago.
        ending.begin({.monotonicNs = 100 * Second, .wallNs = 1'000 * Second}, 992 * Second);
        QVERIFY(!ending.due(101 * Second));
        const auto due = ending.due(103 * Second);
        QVERIFY(due);
        const JobEnding::Stop stop = ending.failed(*due);
        QVERIFY(stop.end == RunState::Failed && !stop.isNow);
        QCOMPARE(stop.reason.code, due->code);
        QVERIFY(ending.commanded({}).isNow);
    }
};

QTEST_GUILESS_MAIN(tst_job_ending)
#include "tst_job_ending.moc"
