#include "tests/cli/Ringmaster.h"
#include "tests/support/DeadFileSystem.h"
#include "tests/support/FrozenGroup.h"

#include <QDir>
#include <QElapsedTimer>
#include <QtTest>

#include <csignal>

using ringmaster::test::DeadFileSystem;
using ringmaster::test::FrozenGroup;

namespace {

constexpr int Patience = 60'000;
/// The grace is 1 s; what can't be killed is named within 10 s more, on a machine that has time.
constexpr int GraceAndMore = 11'000;
constexpr int Slowness = 20'000;

QByteArray textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray commandOf(const QString& pid)
{
    return textOf("/proc/" + pid + "/cmdline").replace('\0', ' ');
}

QStringList allProcesses()
{
    return QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs);
}

/// Keeper and guard of a run; the keeper's command line is its path and the run.
QList<pid_t> keepersOf(const QByteArray& run, const QByteArray& between = {})
{
    QList<pid_t> found;
    for (const QString& pid : allProcesses()) {
        const QByteArray command = commandOf(pid);
        if (command.contains("ringmaster-keeper " + between) && command.contains(run))
            found.append(pid.toInt());
    }
    return found;
}

/// Unique by the folder's random name; `sleep` adds its arguments up.
QByteArray sleepOf(const Ringmaster& ringmaster)
{
    return "sleep 900 0." + QByteArray::number(qHash(ringmaster.folder()) % 1'000'000);
}

QList<pid_t> processesThatBegin(const QByteArray& command)
{
    QList<pid_t> found;
    for (const QString& pid : allProcesses())
        if (commandOf(pid).startsWith(command))
            found.append(pid.toInt());
    return found;
}

QList<pid_t> sleepers(const Ringmaster& ringmaster)
{
    return processesThatBegin(sleepOf(ringmaster));
}

QString procOf(pid_t pid)
{
    return "/proc/" + QString::number(pid);
}

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
        QElapsedTimer timer;
        timer.start();
        const auto stopped = ringmaster.run({"stop"});
        QVERIFY2(timer.elapsed() < GraceAndMore + Slowness,
                 qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(stopped.exitCode, 0);
        const auto done = Ringmaster::finish(*process, Patience);
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("can't be killed: its control group /ringmaster-test-"),
                 done.error);
        QVERIFY2(ringmaster.run({"ps", "--all"}).output.contains("failed"), done.error);
        group.thaw();
        // The keeper has stayed for this.
        QTRY_VERIFY_WITH_TIMEOUT(sleepers(ringmaster).isEmpty(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
        qInfo() << "stopped after" << timer.elapsed() << "ms";
    }

    void aWorkerThatWaitsForADeadDiskIsNamedAndTheRunEnds()
    {
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        const Ringmaster ringmaster;
        const auto process = ringmaster.start({"run", "--standalone", "--grace", "1s",
                                               "--no-python", "/bin/cat", disk.path() + "/data"});
        const QByteArray reader = "/bin/cat " + disk.path();
        QTRY_COMPARE_WITH_TIMEOUT(processesThatBegin(reader).size(), 1, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(textOf(procOf(processesThatBegin(reader).value(0)) + "/wchan")
                                     .contains("request_wait_answer"),
                                 Patience);
        QElapsedTimer timer;
        timer.start();
        const auto stopped = ringmaster.run({"stop"});
        QVERIFY2(timer.elapsed() < GraceAndMore + Slowness,
                 qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(stopped.exitCode, 0);
        const auto done = Ringmaster::finish(*process, Patience);
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("(cat) can't be killed: it waits in the kernel "
                                     "(request_wait_answer)"),
                 done.error);
        qInfo() << "stopped after" << timer.elapsed() << "ms";
        disk.die();
        QTRY_VERIFY_WITH_TIMEOUT(processesThatBegin(reader).isEmpty(), Patience);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
    }

    void aGroupIsntStartedAgainBesideWhatCantBeKilled()
    {
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
        QVERIFY(group.freeze(sleepers(ringmaster)));
        ::kill(keepers.front(), SIGKILL);
        const auto done = Ringmaster::finish(*process, Patience);
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("can't be killed"), done.error);
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
        process->kill();
        for (const pid_t pid : keepersOf(run))
            ::kill(pid, SIGKILL);
        QVERIFY(process->waitForFinished(Patience));
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

private:
    static std::unique_ptr<QProcess> start(const Ringmaster& ringmaster, const QStringList& options)
    {
        return ringmaster.start(
            QStringList{"run", "--standalone", "--grace", "1s"} + options +
            QStringList{"--no-python", "/bin/sh", "-c", "echo up; exec " + sleepOf(ringmaster)});
    }
};

QTEST_GUILESS_MAIN(tst_unkillable)
#include "tst_unkillable.moc"
