#include "engine/lead/JobFailures.h"

#include <QtTest>

using namespace ringmaster;

namespace {

constexpr std::int64_t Second = 1'000'000'000;

WorkerExited failure(int attempt, int rank, const std::string& text)
{
    return {.attempt = attempt,
            .globalRank = rank,
            .status = {.code = 1},
            .errorType = "ValueError",
            .errorText = text};
}

} // namespace

/// Rank 0 is of agent "1", rank 1 of agent "2".
class tst_job_failures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheRankThatFailedFirstOnAnyHost()
    {
        JobFailures failures{RestartSpec()};
        QVERIFY(!failures.firstCause(0));
        bothFail(failures, 0);
        const auto cause = failures.firstCause(0);
        QVERIFY(cause.has_value());
        QCOMPARE(cause->globalRank, 1);
        QCOMPARE(failures.guiltyAgent(0), std::string("2"));
        // Nothing is known of another attempt.
        QCOMPARE(failures.guiltyAgent(1), std::string());
    }

    void theClocksOfTheHostsAreComparedBeforeThat()
    {
        JobFailures failures{RestartSpec()};
        failures.ends().measured(
            {.agent = "2", .monotonicOffsetNs = -5 * Second, .wallOffsetNs = -5 * Second});
        bothFail(failures, 0);
        QCOMPARE(failures.firstCause(0)->globalRank, 0);
        QCOMPARE(failures.guiltyAgent(0), std::string("1"));
    }

    void aRuleOfTheJobForbidsAnotherAttempt()
    {
        RestartSpec spec;
        spec.unless = "boom";
        JobFailures failures(spec);
        WorkerExited exit = failure(0, 1, "boom");
        failures.ends().exited("2", exit, {.monotonicNs = Second}, "b");
        (void)failures.firstCause(0);
        QVERIFY(!failures.refusal(0)); // its agent hasn't marked it
        exit.attempt = 1;
        exit.matchesUnless = true;
        failures.ends().exited("2", exit, {.monotonicNs = 2 * Second}, "b");
        (void)failures.firstCause(1);
        QVERIFY(failures.refusal(1).has_value());
    }

    void reportsTheLastAttemptThatFailed()
    {
        JobFailures failures{RestartSpec()};
        QVERIFY(!failures.report({.name = "train.py"}));
        bothFail(failures, 0);
        (void)failures.firstCause(0);
        failures.ends().exited("1", failure(1, 0, "later"), {.monotonicNs = 20 * Second}, "a");
        (void)failures.firstCause(1);
        const auto report = failures.report({.name = "train.py"});
        QVERIFY(report.has_value());
        QCOMPARE(report->root()->exit.errorText, std::string("later"));
    }

    void whatEndsForAnotherReasonIsNotReported()
    {
        JobFailures failures{RestartSpec()};
        bothFail(failures, 0);
        (void)failures.firstCause(0);
        failures.forgetCause();
        QVERIFY(!failures.report({.name = "train.py"}));
        QCOMPARE(failures.guiltyAgent(0), std::string());
    }

    void goesOnFromWhatAnotherLeadHasGathered()
    {
        JobFailures former{RestartSpec()};
        bothFail(former, 3);
        JobFailures failures{RestartSpec()};
        failures.resume(former.ends());
        QCOMPARE(failures.firstCause(3)->globalRank, 1);
    }

private:
    /// Rank 1 three seconds before rank 0, each by its own clock.
    static void bothFail(JobFailures& failures, int attempt)
    {
        failures.ends().exited("1", failure(attempt, 0, "boom"),
                               {.monotonicNs = 13 * Second, .wallNs = 13 * Second}, "a");
        failures.ends().exited("2", failure(attempt, 1, "boom"),
                               {.monotonicNs = 10 * Second, .wallNs = 10 * Second}, "b");
    }
};

QTEST_GUILESS_MAIN(tst_job_failures)
#include "tst_job_failures.moc"
