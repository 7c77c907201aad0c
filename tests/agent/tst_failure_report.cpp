#include "engine/agent/Codes.h"
#include "engine/agent/FailureReport.h"
#include "engine/worker/Codes.h"

#include <QtTest>

#include <cstdlib>

using namespace ringmaster;

namespace {

// 2026-11-21 08:05:48 UTC
constexpr std::int64_t When = 1795248348LL * 1'000'000'000 + 682'000'000;

Failure endOf(int rank, int pid, int code, int signal = 0)
{
    Failure failure;
    failure.exit.globalRank = failure.exit.localRank = rank;
    failure.exit.pid = pid;
    failure.exit.status = {.code = code, .signal = signal};
    failure.exit.endedByAgent = signal == 15;
    failure.at = {.monotonicNs = When, .wallNs = When};
    return failure;
}

FirstCause guilty(int rank)
{
    return {.sure = true,
            .globalRank = rank,
            .cause = {.code = code::WorkerRaised,
                      .parameters = {{"rank", std::to_string(rank)},
                                     {"type", "ValueError"},
                                     {"text", "boom"}}},
            .remedy = {.code = code::RemedyReadTraceback,
                       .parameters = {{"rank", std::to_string(rank)}}}};
}

QString text(const std::string& value)
{
    return QString::fromStdString(value);
}

} // namespace

class tst_failure_report : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        tzset();
    }

    // As printed by torchrun 2.11.0 for `torchrun --standalone --nproc-per-node 2 fail.py`.
    void printsWhatTorchrunPrints()
    {
        const FailureReport report({.name = "fail.py", .hostName = "localhost"},
                                   {endOf(1, 25992, 3), endOf(0, 25991, 0, 15)}, guilty(1));
        QCOMPARE(
            text(report.asTorchrun()),
            QStringLiteral("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
                           "============================================================\n"
                           "fail.py FAILED\n"
                           "------------------------------------------------------------\n"
                           "Failures:\n"
                           "[1]:\n"
                           "  time      : 2026-11-21_08:05:48\n"
                           "  host      : localhost\n"
                           "  rank      : 0 (local_rank: 0)\n"
                           "  exitcode  : -15 (pid: 25991)\n"
                           "  error_file: <N/A>\n"
                           "  traceback : Signal 15 (SIGTERM) received by PID 25991\n"
                           "------------------------------------------------------------\n"
                           "Root Cause (first observed failure):\n"
                           "[0]:\n"
                           "  time      : 2026-11-21_08:05:48\n"
                           "  host      : localhost\n"
                           "  rank      : 1 (local_rank: 1)\n"
                           "  exitcode  : 3 (pid: 25992)\n"
                           "  error_file: <N/A>\n"
                           "  traceback : To enable traceback see: "
                           "https://pytorch.org/docs/stable/elastic/errors.html\n"
                           "============================================================\n"));
    }

    void namesTheSignalAsTorchrunDoes_data()
    {
        QTest::addColumn<QByteArray>("torch");
        QTest::addColumn<QString>("killed");
        QTest::addColumn<QString>("failed");
        const auto row = [](const char* torch, const char* killed, const char* failed) {
            QTest::newRow(torch) << QByteArray(torch) << QString(killed) << QString(failed);
        };
        row("", "(pid: 25992)", "(pid: 25991)");
        row("2.11.0+cu130", "(pid: 25992)", "(pid: 25991)");
        // As printed by torchrun 2.15.0.
        row("2.12.0", "(pid: 25992)  (SIGKILL)", "(pid: 25991) ");
        row("2.15.0.dev20261120+cpu", "(pid: 25992)  (SIGKILL)", "(pid: 25991) ");
        row("3.0.1", "(pid: 25992)  (SIGKILL)", "(pid: 25991) ");
        row("(beside the program)", "(pid: 25992)", "(pid: 25991)");
    }
    void namesTheSignalAsTorchrunDoes()
    {
        QFETCH(QByteArray, torch);
        QFETCH(QString, killed);
        QFETCH(QString, failed);
        const FailureReport report(
            {.name = "fail.py", .hostName = "localhost", .torchVersion = torch.toStdString()},
            {endOf(1, 25992, 0, 9), endOf(0, 25991, 3)}, guilty(1));
        const QStringList lines =
            text(report.asTorchrun()).split('\n').filter(QStringLiteral("exitcode"));
        QCOMPARE(lines, QStringList({"  exitcode  : 3 " + failed, "  exitcode  : -9 " + killed}));
    }

    void isAsWideAsItsLongestLineAndSaysWhenNothingElseFailed()
    {
        const FailureReport report({.name = "fail.py", .hostName = "localhost"},
                                   {endOf(1, 25992, 0, 9), endOf(0, 25991, 0)}, guilty(1));
        const QStringList lines = text(report.asTorchrun()).split('\n');
        QCOMPARE(lines[1], QString(54, '='));
        QCOMPARE(lines[3], QString(54, '-'));
        QCOMPARE(lines[5], QStringLiteral("  <NO_OTHER_FAILURES>"));
        QCOMPARE(lines[lines.size() - 3],
                 QStringLiteral("  traceback : Signal 9 (SIGKILL) received by PID 25992"));
    }

    void indentsTheTracebackOfAnErrorFile()
    {
        Failure recorded = endOf(1, 26044, 1);
        recorded.exit.errorType = "ValueError";
        recorded.exit.errorText = "boom on 1";
        recorded.exit.traceback = "Traceback (most recent call last):\n  File \"rec.py\", line 5, "
                                  "in main\nValueError: boom on 1\n";
        recorded.exit.errorFile = "L/id_x/attempt_0/1/error.json";
        recorded.raisedAt = 1795248352;
        const FailureReport report({.name = "rec.py", .hostName = "localhost"}, {recorded},
                                   guilty(1));
        const QString summary = text(report.asTorchrun());
        QVERIFY(
            summary.contains(QStringLiteral("  time      : 2026-11-21_08:05:52\n"
                                            "  host      : localhost\n"
                                            "  rank      : 1 (local_rank: 1)\n"
                                            "  exitcode  : 1 (pid: 26044)\n"
                                            "  error_file: L/id_x/attempt_0/1/error.json\n"
                                            "  traceback : Traceback (most recent call last):\n"
                                            "    File \"rec.py\", line 5, in main\n"
                                            "  ValueError: boom on 1\n"
                                            "  \n"
                                            "================================================\n")));
    }

    void measuresCharactersAndNotBytes()
    {
        const FailureReport report({.name = "訓練.py", .hostName = "ノード"}, {endOf(0, 7, 0, 9)},
                                   guilty(0));
        const QStringList lines = text(report.asTorchrun()).split('\n');
        QCOMPARE(lines[1], QString(50, '='));
    }

    void takesTheFirstObservedFailureWhenItIsNotSure()
    {
        const FailureReport report({.name = "x"},
                                   {endOf(1, 2, 0, 15), endOf(2, 3, 4), endOf(0, 1, 5)},
                                   FirstCause{.candidates = {0, 2}});
        QCOMPARE(report.root()->exit.globalRank, 2);
        QVERIFY(text(report.asTorchrun()).contains("Root Cause (first observed failure):\n[1]:\n"));
    }

    void isEmptyWithoutAFailure()
    {
        const FailureReport report({.name = "x"}, {endOf(0, 1, 0)}, FirstCause{});
        QVERIFY(report.root() == nullptr);
        QVERIFY(report.asTorchrun().empty());
    }

    void tellsPeopleWhoWhyWhatToDoAndWhere()
    {
        Failure failure = endOf(1, 2, 1);
        failure.logFolder = "/runs/1/attempt_0/1";
        for (int line = 0; line < 20; ++line)
            failure.stderrTail += "line " + std::to_string(line) + "\n";
        const FailureReport report({.name = "x"}, {failure}, guilty(1));
        QCOMPARE(text(report.readable()),
                 QStringLiteral("Rank 1: ValueError: boom\n"
                                "  The end of what rank 1 said:\n"
                                "    line 12\n    line 13\n    line 14\n    line 15\n"
                                "    line 16\n    line 17\n    line 18\n    line 19\n"
                                "  All of it: /runs/1/attempt_0/1\n"
                                "  The last line of rank 1's traceback that is in your own code is "
                                "where to look.\n"));
    }
};

QTEST_GUILESS_MAIN(tst_failure_report)
#include "tst_failure_report.moc"
