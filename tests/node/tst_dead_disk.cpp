#include "tests/cli/Ringmaster.h"
#include "tests/support/DeadFileSystem.h"

#include <QDir>
#include <QtTest>

#include <csignal>

using ringmaster::test::DeadFileSystem;

namespace {

/// All that is waited for, one after the other, is less than a minute on a machine that has time.
constexpr int Patience = 180'000;

} // namespace

/// A disk that dies under a run keeps neither its agent nor its command, and is named.
class tst_dead_disk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!DeadFileSystem().isUsable())
            QSKIP("no file system can be mounted here");
    }

    void theDiskOfTheLogs()
    {
        const Ringmaster ringmaster;
        const QString logs = ringmaster.folder() + "/logs";
        const auto process = start(ringmaster, {"--log-dir", logs});
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput));
        DeadFileSystem disk(logs);
        QVERIFY(disk.isUsable());
        const auto done = stopTwice(*process);
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("hasn't taken their last output"), done.error);
        QVERIFY2(done.error.contains("failed after"), done.error);
        QVERIFY2(done.error.contains(saysOf(logs)), done.error);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
        disk.die();
        // Its record is on a disk that lives.
        const auto listed = ringmaster.run({"ps", "--all"});
        QVERIFY2(listed.output.contains("failed"), listed.output + listed.error);
    }

    void theDiskOfTheRecord()
    {
        const Ringmaster ringmaster;
        const auto process = start(ringmaster, {});
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput));
        const QDir runs(ringmaster.runsFolder());
        const QStringList ids = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(ids.size(), 1);
        const QString folder = runs.filePath(ids.front());
        DeadFileSystem disk(folder);
        QVERIFY(disk.isUsable());
        const auto done = stopTwice(*process);
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("failed after"), done.error);
        QVERIFY2(done.error.contains(saysOf(folder)), done.error);
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(ringmaster.folder().toUtf8()), 0, Patience);
        disk.die();
        const auto listed = ringmaster.run({"ps", "--all"});
        QVERIFY2(listed.output.contains(ids.front().toUtf8()), listed.output + listed.error);
    }

private:
    static std::unique_ptr<QProcess> start(const Ringmaster& ringmaster, const QStringList& options)
    {
        return ringmaster.start(
            QStringList{"run", "--standalone"} + options +
            QStringList{"--no-python", "/bin/sh", "-c", "echo up; exec sleep 900"});
    }

    /// Its workers end at once; then it waits for the disk, which is asked for their error files,
    /// until it is stopped again.
    static Ringmaster::Outcome stopTwice(QProcess& process)
    {
        const auto pid = static_cast<pid_t>(process.processId());
        ::kill(pid, SIGTERM);
        if (!waitForText(process, "Stop again", QProcess::StandardError, Patience))
            return Ringmaster::finish(process, 1);
        ::kill(pid, SIGINT);
        return Ringmaster::finish(process, Patience);
    }

    static QByteArray saysOf(const QString& folder)
    {
        return "ringmaster: The file system of " + folder.toUtf8();
    }
};

QTEST_GUILESS_MAIN(tst_dead_disk)
#include "tst_dead_disk.moc"
