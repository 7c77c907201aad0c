#include "tests/cli/Ringmaster.h"
#include "tests/cli/RunProcesses.h"
#include "tests/support/Patience.h"

#include <QDir>
#include <QtTest>

using namespace ringmaster::test;

namespace {

/// In the command's words: the run's id.
constexpr const char* Run = "RUN";

} // namespace

/// What is left of a run whose agent, keeper and guard were killed is ended by whoever comes by.
class tst_orphans : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areEnded_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("isRunRemoved");
        QTest::newRow("by ps") << QStringList{"ps"} << false;
        QTest::newRow("by clean") << QStringList{"clean"} << false;
        QTest::newRow("before rm removes the run") << QStringList{"rm", Run} << true;
        QTest::newRow("before prune removes it") << QStringList{"prune", "--keep", "0"} << true;
    }

    void areEnded()
    {
        QFETCH(QStringList, words);
        QFETCH(bool, isRunRemoved);
        const Ringmaster ringmaster;
        // In a session of its own it dies with none of those who are killed.
        const auto process =
            ringmaster.start({"run", "--standalone", "--no-python", "/bin/sh", "-c",
                              "setsid " + sleepOf(ringmaster) + " & echo up; wait"});
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput));
        const QString run = ringmaster.runs().value(0);
        QTRY_COMPARE_WITH_TIMEOUT(sleepers(ringmaster).size(), 1, Patience);
        const pid_t orphan = sleepers(ringmaster).front();
        QVERIFY(killAgentAndKeepers(*process, run.toUtf8()));
        QTRY_VERIFY_WITH_TIMEOUT(keepersOf(run.toUtf8()).isEmpty(), Patience);
        QCOMPARE(sleepers(ringmaster), QList<pid_t>{orphan});
        words.replaceInStrings(Run, run);
        const auto done = ringmaster.run(words);
        QVERIFY2(done.exitCode == 0, done.error);
        QTRY_VERIFY_WITH_TIMEOUT(sleepers(ringmaster).isEmpty(), Patience);
        QCOMPARE(QDir(ringmaster.runsFolder()).exists(run), !isRunRemoved);
    }
};

QTEST_GUILESS_MAIN(tst_orphans)
#include "tst_orphans.moc"
