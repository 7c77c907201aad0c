#include "tests/cli/Ringmaster.h"
#include "tests/cli/RunProcesses.h"
#include "tests/support/DeadFileSystem.h"
#include "tests/support/FrozenGroup.h"
#include "tests/support/Patience.h"
#include "tests/support/ProcessorPressure.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonValue>
#include <QtTest>

#include <csignal>
#include <limits>

using namespace ringmaster::test;

namespace {

/// The grace is 1 s; what can't be killed is named within 10 s more, on a machine that has time.
constexpr qint64 GraceAndMore = 11'000;
constexpr qint64 Slowness = 20'000;

/// Milliseconds from when the agent was asked to stop until the run was over, by its own record:
/// the command that asks is longer on its way.
qint64 stopTook(const Ringmaster& ringmaster)
{
    const QByteArray shown = ringmaster.run({"show", "--events", "--json"}).output;
    qint64 asked = 0;
    qint64 ended = 0;
    for (const QJsonValue& event : QJsonDocument::fromJson(shown)["events"].toArray()) {
        const QString state = event["state"].toString();
        if (event["kind"] == "runStateChanged" && (state == "stopping" || state == "failed"))
            (state == "failed" ? ended : asked) = event["monotonicNs"].toInteger();
    }
    return asked > 0 && ended > 0 ? (ended - asked) / 1'000'000
                                  : std::numeric_limits<qint64>::max();
}

QString procOf(pid_t pid)
{
    return "/proc/" + QString::number(pid);
}

/// One of the process's threads waits for a file system.
bool waitsForDisk(pid_t pid)
{
    const QString threads = procOf(pid) + "/task";
    for (const QString& thread : QDir(threads).entryList({"[0-9]*"}, QDir::Dirs)) {
        if (textOf(threads + "/" + thread + "/wchan").contains("request_wait_answer"))
            return true;
    }
    return false;
}

/// Its first thread only waits for its second, which opens a file.
constexpr const char* TwoThreads = RINGMASTER_BUILD_DIR "/tests/two_threads";

} // namespace

/// Nothing waits for ever for a process that can't be killed.
class tst_unkillable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFrozenWorkerIsNamedAndTheRunEnds()
    {
        FrozenGroup group;
        if (!group.isUsable())
            QSKIP("freezer cgroups can't be made here");
        const Ringmaster ringmaster;
        const auto process = start(ringmaster, {});
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput));
        QTRY_COMPARE_WITH_TIMEOUT(sleepers(ringmaster).size(), 1, Patience);
        QVERIFY(group.freeze(sleepers(ringmaster)));
        const Turns turns;
        QElapsedTimer timer;
        timer.start();
        const auto stopped = ringmaster.run({"stop"});
        const bool hadTurns = turns.wereThere();
        QVERIFY2(timer.elapsed() < GraceAndMore + Slowness,
                 qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(stopped.exitCode, 0);
        const auto done = Ringmaster::finish(*process, Patience);
        QCOMPARE(done.exitCode, 1);
        const qint64 took = stopTook(ringmaster);
        QVERIFY2(took < GraceAndMore + (hadTurns ? 0 : Slowness),
                 qPrintable(QString::number(took)));
        QVERIFY2(done.error.contains("can't be killed: its control group /ringmaster-test-"),
                 done.error);
        QVERIFY2(ringmaster.run({"ps", "--all"}).output.contains("failed"), done.error);
        group.thaw();
        // The keeper has stayed for this.
        QTRY_VERIFY_WITH_TIMEOUT(sleepers(ringmaster).isEmpty(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
        qInfo() << "over after" << took << "ms";
    }

    void aWorkerThatWaitsForADeadDiskIsNamedAndTheRunEnds_data()
    {
        QTest::addColumn<QString>("program");
        QTest::newRow("its only thread") << "/bin/cat";
        QTest::newRow("its second thread") << TwoThreads;
    }

    void aWorkerThatWaitsForADeadDiskIsNamedAndTheRunEnds()
    {
        QFETCH(QString, program);
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        const Ringmaster ringmaster;
        const auto process = ringmaster.start({"run", "--standalone", "--grace", "1s",
                                               "--no-python", program, disk.path() + "/data"});
        const pid_t reader = readerOf(program, disk);
        QVERIFY(reader > 0);
        const Turns turns;
        QElapsedTimer timer;
        timer.start();
        const auto stopped = ringmaster.run({"stop"});
        const bool hadTurns = turns.wereThere();
        QVERIFY2(timer.elapsed() < GraceAndMore + Slowness,
                 qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(stopped.exitCode, 0);
        const auto done = Ringmaster::finish(*process, Patience);
        QCOMPARE(done.exitCode, 1);
        const qint64 took = stopTook(ringmaster);
        QVERIFY2(took < GraceAndMore + (hadTurns ? 0 : Slowness),
                 qPrintable(QString::number(took)));
        QVERIFY2(done.error.contains(waitsInKernel(program, reader)), done.error);
        qInfo() << "over after" << took << "ms";
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(procOf(reader)), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
    }

    void aGroupIsntStartedAgainBesideWhatCantBeKilled_data()
    {
        QTest::addColumn<bool>("isGuard");
        QTest::newRow("a worker") << false;
        // It waits for whatever the keeper left.
        QTest::newRow("the guard itself") << true;
    }

    void aGroupIsntStartedAgainBesideWhatCantBeKilled()
    {
        QFETCH(bool, isGuard);
        FrozenGroup group;
        if (!group.isUsable())
            QSKIP("freezer cgroups can't be made here");
        const Ringmaster ringmaster;
        const auto process = start(ringmaster, {"--max-restarts", "3"});
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput));
        const QByteArray run = ringmaster.runs().value(0).toUtf8();
        const QList<pid_t> keepers = keepersOf(run, run);
        QCOMPARE(keepers.size(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(sleepers(ringmaster).size(), 1, Patience);
        QList<pid_t> frozen = isGuard ? keepersOf(run) : sleepers(ringmaster);
        frozen.removeAll(keepers.front());
        QCOMPARE(frozen.size(), 1);
        QVERIFY(group.freeze(frozen));
        ::kill(keepers.front(), SIGKILL);
        const auto done = Ringmaster::finish(*process, Patience);
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("failed after"), done.error);
        QVERIFY2(done.error.contains("Process " + QByteArray::number(frozen.front())), done.error);
        QVERIFY2(done.error.contains("can't be killed: its control group"), done.error);
        QVERIFY2(!done.error.contains("attempt 1"), done.error);
        group.thaw();
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
    }

    void aStoppedKeeperIsWoken()
    {
        const Ringmaster ringmaster;
        const auto process = start(ringmaster, {});
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput));
        const QByteArray run = ringmaster.runs().value(0).toUtf8();
        for (const pid_t pid : keepersOf(run))
            ::kill(pid, SIGSTOP);
        const auto stopped = ringmaster.run({"stop"});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        const auto done = Ringmaster::finish(*process, Patience);
        QVERIFY2(done.error.contains("stopped after"), done.error);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
    }

    void cleanNamesWhatItCouldntEnd()
    {
        FrozenGroup group;
        if (!group.isUsable())
            QSKIP("freezer cgroups can't be made here");
        const Ringmaster ringmaster;
        const auto process = start(ringmaster, {});
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput));
        const QByteArray run = ringmaster.runs().value(0).toUtf8();
        QTRY_COMPARE_WITH_TIMEOUT(sleepers(ringmaster).size(), 1, Patience);
        QVERIFY(group.freeze(sleepers(ringmaster)));
        QVERIFY(killAgentAndKeepers(*process, run));
        QTRY_VERIFY_WITH_TIMEOUT(keepersOf(run).isEmpty(), Patience);
        const auto cleaned = ringmaster.run({"clean"});
        QCOMPARE(cleaned.exitCode, 1);
        QVERIFY2(cleaned.error.contains("Ended 0 processes"), cleaned.error);
        QVERIFY2(cleaned.error.contains("(sleep) can't be killed: its control group"),
                 cleaned.error);
        group.thaw();
        QTRY_VERIFY_WITH_TIMEOUT(sleepers(ringmaster).isEmpty(), Patience);
        QVERIFY(ringmaster.run({"clean"}).error.contains("Ended 0 processes"));
    }

    /// When it is killed its first thread ends, and with it what /proc/PID/environ has.
    void cleanNamesAgainAndAgainWhoseOtherThreadWaits()
    {
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        const Ringmaster ringmaster;
        const auto process = ringmaster.start(
            {"run", "--standalone", "--no-python", TwoThreads, disk.path() + "/data"});
        const pid_t reader = readerOf(TwoThreads, disk);
        QVERIFY(reader > 0);
        const QByteArray run = ringmaster.runs().value(0).toUtf8();
        QVERIFY(killAgentAndKeepers(*process, run));
        QTRY_VERIFY_WITH_TIMEOUT(keepersOf(run).isEmpty(), Patience);
        for (int times = 0; times < 2; ++times) {
            const auto cleaned = ringmaster.run({"clean"});
            QCOMPARE(cleaned.exitCode, 1);
            QVERIFY2(cleaned.error.contains("Ended 0 processes"), cleaned.error);
            QVERIFY2(cleaned.error.contains(waitsInKernel(TwoThreads, reader)), cleaned.error);
        }
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(procOf(reader)), Patience);
    }

private:
    /// Once it waits for the disk; -1: it never does.
    static pid_t readerOf(const QString& program, const DeadFileSystem& disk)
    {
        const QByteArray reader = program.toUtf8() + " " + disk.path();
        pid_t pid = -1;
        (void)QTest::qWaitFor(
            [&] {
                pid = processesThatBegin(reader).value(0, -1);
                return pid > 0 && waitsForDisk(pid);
            },
            Patience);
        return waitsForDisk(pid) ? pid : -1;
    }

    static QByteArray waitsInKernel(const QString& program, pid_t pid)
    {
        return QByteArray::number(pid) + " (" + QFileInfo(program).fileName().toUtf8() +
               ") can't be killed: it waits in the kernel (request_wait_answer)";
    }

    static std::unique_ptr<QProcess> start(const Ringmaster& ringmaster, const QStringList& options)
    {
        return ringmaster.start(
            QStringList{"run", "--standalone", "--grace", "1s"} + options +
            QStringList{"--no-python", "/bin/sh", "-c", "echo up; exec " + sleepOf(ringmaster)});
    }
};

QTEST_GUILESS_MAIN(tst_unkillable)
#include "tst_unkillable.moc"
