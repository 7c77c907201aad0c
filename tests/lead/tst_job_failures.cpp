#include "engine/agent/Codes.h"
#include "engine/lead/JobFailures.h"
#include "engine/node/Codes.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;

namespace {

WorkerExited failure(int attempt, int rank, const std::string& text)
{
    return {.attempt = attempt,
            .globalRank = rank,
            .status = {.code = 1},
            .errorType = "ValueError",
            .errorText = text};
}

const Message Broken{code::GpuXid, {{"gpu", "1"}, {"xid", "79"}}, {}};

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

    /// Its agent has explained the end before the driver told of it.
    void anErrorOfAGpuThatIsToldLaterIsTheCause()
    {
        JobFailures failures{RestartSpec()};
        says(failures, "1", AttemptStarted{.attempt = 2}, 1);
        says(failures, "2", AttemptStarted{.attempt = 2}, 1);
        says(failures, "1", failure(2, 0, "CUDA error: unknown"), 10);
        says(failures, "2", failure(2, 1, "boom"), 14);
        QVERIFY(!(failures.firstCause(2)->cause == Broken));
        says(failures, "2", Notice{.globalRank = 0, .message = Broken}, 11); // it has no rank 0
        QVERIFY(!(failures.firstCause(2)->cause == Broken));
        says(failures, "1", Notice{.globalRank = 0, .message = Broken}, 11);
        // What the driver clears up after it.
        says(failures, "1",
             Notice{.globalRank = 0,
                    .message = {code::GpuXidOfProgram, {{"gpu", "1"}, {"xid", "45"}}, {}}},
             11);
        QVERIFY(failures.firstCause(2)->cause == Broken);
        QCOMPARE(failures.firstCause(2)->globalRank, 0);
        QCOMPARE(failures.guiltyAgent(2), std::string("1"));
        const auto report = failures.report({.name = "train.py"});
        QVERIFY(report && report->root()->exit.explanation == Broken);
    }

    void anErrorOfAGpuIsOfTheAttemptThatRuns()
    {
        JobFailures failures{RestartSpec()};
        says(failures, "1", AttemptStarted{.attempt = 0}, 1);
        says(failures, "1", failure(0, 0, "boom"), 10);
        says(failures, "1", AttemptStarted{.attempt = 1}, 12);
        says(failures, "1", Notice{.globalRank = 0, .message = Broken}, 13);
        QVERIFY(!(failures.firstCause(0)->cause == Broken));
    }

    void whatHasEndedARankOtherwiseStaysTheCause()
    {
        JobFailures failures{RestartSpec()};
        says(failures, "1", AttemptStarted{.attempt = 0}, 1);
        WorkerExited exit{.status = {.signal = 9},
                          .explanation = {code::TimerExpired, {{"rank", "0"}}, {}}};
        says(failures, "1", exit, 10);
        says(failures, "1", Notice{.globalRank = 0, .message = Broken}, 11);
        QVERIFY(failures.firstCause(0)->cause == exit.explanation);
    }

private:
    /// By the agent's own clock.
    static void says(JobFailures& failures, const std::string& agent, EventBody body, int second)
    {
        const std::int64_t ns = second * Second;
        failures.ends().happened(agent, {.at = {.monotonicNs = ns, .wallNs = ns},
                                         .node = "host" + agent,
                                         .body = std::move(body)});
    }

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
