#include "engine/attach/Codes.h"
#include "engine/attach/JobEnd.h"

#include <QProcess>
#include <QtTest>

#include <csignal>

using namespace ringmaster;

namespace {

using Launcher = ForeignJob::Launcher;

ForeignJob jobOf(Launcher launcher)
{
    return {.launcher = launcher,
            .name = "train.py",
            .started = {.pid = 10, .startTime = 1},
            .ranks = {{.rank = 0, .process = {.pid = 11, .startTime = 2}},
                      {.rank = 1, .process = {.pid = 12, .startTime = 3}}}};
}

} // namespace

/// A job that something else started is asked to end.
class tst_job_end : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLauncherThatEndsItsRanksIsAsked()
    {
        for (const Launcher launcher :
             {Launcher::Torchrun, Launcher::Accelerate, Launcher::DeepSpeed})
            QCOMPARE(processesToEnd(jobOf(launcher)).front().pid, 10);
    }

    /// Above them are Slurm's and MPI's own processes, or the user's shell.
    void elseItsRanksAre()
    {
        for (const Launcher launcher : {Launcher::Unknown, Launcher::Slurm, Launcher::Mpi}) {
            const auto processes = processesToEnd(jobOf(launcher));
            QCOMPARE(processes.size(), size_t{2});
            QCOMPARE(processes[0].pid, 11);
            QCOMPARE(processes[1].pid, 12);
        }
        ForeignJob orphaned = jobOf(Launcher::Torchrun);
        orphaned.started.pid = 0;
        QCOMPARE(processesToEnd(orphaned).size(), size_t{2});
    }

    void onlyTheVerySameProcessIsSignalled()
    {
        QProcess process;
        process.start(QStringLiteral("sleep"), {QStringLiteral("600")});
        QVERIFY(process.waitForStarted());
        ForeignJob job = jobOf(Launcher::Unknown);
        job.ranks.resize(1);
        const auto identity = identityOf(static_cast<pid_t>(process.processId()));
        QVERIFY(identity.has_value());
        // A later process with the same number isn't it.
        job.ranks[0].process = {.pid = identity->pid, .startTime = identity->startTime + 1};
        const Result<void> none = endJob(job);
        QVERIFY(!none);
        QCOMPARE(none.error().code, code::ForeignJobGone);
        QVERIFY(isAlive(*identity));
        job.ranks[0].process = *identity;
        QVERIFY(endJob(job).has_value());
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
        QCOMPARE(process.exitCode(), SIGTERM);
        QVERIFY(!endJob(job));
    }

    void aJobIsTheSameAsLongAsItsLauncherIs()
    {
        ForeignJob job = jobOf(Launcher::Torchrun);
        const ProcessIdentity before = job.identity();
        job.ranks[0].process = {.pid = 21, .startTime = 9}; // restarted
        QCOMPARE(job.identity(), before);
        ForeignJob other = jobOf(Launcher::Unknown);
        QCOMPARE(other.identity(), other.ranks[0].process);
    }
};

QTEST_GUILESS_MAIN(tst_job_end)
#include "tst_job_end.moc"
