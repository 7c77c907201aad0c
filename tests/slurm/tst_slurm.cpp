#include "tests/cli/Ringmaster.h"
#include "tests/slurm/LabSlurm.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <csignal>

namespace {

constexpr int Patience = 180'000;

QStringList slurmRun(const QStringList& options, const QString& script)
{
    return QStringList{"run", "--slurm"} + options +
           QStringList{"--no-python", "/bin/sh", "-c", script};
}

QByteArray slurm(const QStringList& words)
{
    QProcess process;
    process.start(words.front(), words.mid(1));
    process.waitForFinished(60'000);
    return process.readAllStandardOutput().trimmed();
}

/// States of the jobs that Slurm knows, the newest first.
QList<QByteArray> states()
{
    return slurm({"squeue", "--noheader", "--states=all", "--format=%T", "--sort=-i"}).split('\n');
}

/// Of the newest job.
QString number()
{
    return slurm({"squeue", "--noheader", "--states=all", "--format=%A", "--sort=-i"})
        .split('\n')
        .first();
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What the controller has written down of the jobs.
QString savedJobsFile()
{
    return QFileInfo(qgetenv("SLURM_CONF")).path() + "/state/job_state";
}

QByteArray savedJobs()
{
    return contentOf(savedJobsFile());
}

/// Processes of this lab, of which there may be several, by a part of their command or environment;
/// words are told apart by a blank.
QList<pid_t> processesOfLab(const QByteArray& part)
{
    QList<pid_t> found;
    for (const QString& pid : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        const QByteArray environment = contentOf("/proc/" + pid + "/environ").replace('\0', ' ');
        const QByteArray command = contentOf("/proc/" + pid + "/cmdline").replace('\0', ' ');
        const bool isOurs = environment.contains("SLURM_CONF=" + qgetenv("SLURM_CONF")) &&
                            pid.toLongLong() != QCoreApplication::applicationPid();
        if (isOurs && (environment + command).contains(part))
            found << pid.toInt();
    }
    return found;
}

void killInLab(const QByteArray& part)
{
    // One that is killed may be replaced by another that dies a little later.
    for (QList<pid_t> found; !(found = processesOfLab(part)).isEmpty();)
        for (const pid_t pid : found)
            ::kill(pid, SIGKILL);
}

void startDaemon(const QString& program, const QStringList& words)
{
    QProcess daemon;
    daemon.setProgram("setsid");
    daemon.setArguments(QStringList{program} + words);
    daemon.setStandardOutputFile(QProcess::nullDevice());
    daemon.setStandardErrorFile(QProcess::nullDevice());
    QVERIFY(daemon.startDetached());
}

} // namespace

/// Jobs on a real Slurm of three nodes (tests/labs/slurm.sh), in which this program runs.
class tst_slurm : public QObject
{
    Q_OBJECT

private:
    Ringmaster m_ringmaster;

    QJsonObject show()
    {
        return QJsonDocument::fromJson(m_ringmaster.run({"show", "--json"}).output).object();
    }

    /// Jobs, agents, workers.
    QByteArray left() const
    {
        QByteArray text = slurm({"squeue", "--noheader"});
        if (processesWith(m_ringmaster.folder().toUtf8()) > 0)
            text += slurm({"sh", "-c",
                           "ps -eo pid,args | grep -F -e '" + m_ringmaster.folder() +
                               "' -e '[a]gent wait' -e '[s]leep 61'"}) +
                    " with its environment: " +
                    QByteArray::number(processesWith(m_ringmaster.folder().toUtf8()));
        return text;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_SLURM"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_SLURM")));
    }

    void cleanup() { QTRY_VERIFY2_WITH_TIMEOUT(left().isEmpty(), left().constData(), Patience); }

    void oneAgentANodeAndOneJob()
    {
        const auto process = m_ringmaster.start(
            slurmRun({"--nnodes", "2", "--nproc-per-node", "2", "--name", "two nodes"},
                     "echo $RANK of $WORLD_SIZE on $SLURMD_NODENAME"));
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        QList<QByteArray> lines = outcome.output.trimmed().split('\n');
        std::sort(lines.begin(), lines.end());
        const QList<QByteArray> wanted{"[rank0]: 0 of 4 on n1", "[rank1]: 1 of 4 on n1",
                                       "[rank2]: 2 of 4 on n2", "[rank3]: 3 of 4 on n2"};
        QVERIFY2(lines == wanted, outcome.output + outcome.error);
        const QJsonObject shown = show();
        QCOMPARE(shown.value("hosts").toArray().size(), 2);
        QCOMPARE(shown.value("workers").toArray().size(), 4);
        QTRY_VERIFY2_WITH_TIMEOUT(states().front() == "COMPLETED", states().front(), Patience);
        const auto log = m_ringmaster.run({"logs", "--rank", "3"});
        QVERIFY2(log.output.contains("3 of 4 on n2"), log.output + log.error);
    }

    void whatSlurmRefusesIsSaid()
    {
        auto outcome = m_ringmaster.run(slurmRun({"--slurm-partition", "nope"}, "true"));
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.error.contains("Slurm has no partition nope"), outcome.error);
        outcome = m_ringmaster.run(slurmRun({"--nnodes", "9"}, "true"));
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.error.contains("Node count specification invalid"), outcome.error);
    }

    void aPreviewIsPrintedAndNothingSubmitted()
    {
        const QByteArray before = slurm({"squeue", "--noheader", "--states=all"});
        auto outcome = m_ringmaster.run(slurmRun({"--nnodes", "2", "--slurm-preview"}, "true"));
        QVERIFY2(outcome.exitCode == 0, outcome.error);
        QVERIFY2(outcome.output.startsWith("#!/bin/sh\n#SBATCH --nodes=2\n"), outcome.output);
        QCOMPARE(slurm({"squeue", "--noheader", "--states=all"}), before);
        outcome = m_ringmaster.run({"run", "--slurm-preview", "--no-python", "true"});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.error.contains("add --slurm"), outcome.error);
    }

    void withoutSlurmItSaysWhatIsMissing()
    {
        Ringmaster elsewhere;
        elsewhere.environment().insert("PATH", "/nowhere");
        auto outcome = elsewhere.run(slurmRun({}, "true"));
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.error.contains("sbatch isn't on this machine"), outcome.error);
        outcome = m_ringmaster.run({"run", "--slurm", "--hosts", "a,b", "--no-python", "true"});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.error.contains("can't be combined with --slurm"), outcome.error);
    }

    void aHeldJobWaitsAndAStopCancelsIt()
    {
        const auto process = m_ringmaster.start(slurmRun({"--slurm-option=--hold"}, "true"));
        QVERIFY2(
            waitForText(*process, "is held in Slurm's queue", QProcess::StandardError, Patience),
            process->readAllStandardError());
        process->terminate();
        const auto outcome = Ringmaster::finish(*process, Patience);
        QCOMPARE(outcome.exitCode, 128 + 15);
        QVERIFY2(states().front() == "CANCELLED", states().front());
    }

    void aCancelledJobIsNoFailureOfAWorker()
    {
        const auto process =
            m_ringmaster.start(slurmRun({"--nnodes", "2"}, "echo up; exec sleep 612"));
        QVERIFY(waitForText(*process, "[rank1]: up", QProcess::StandardOutput, Patience));
        slurm({"scancel", "--user=root"});
        const auto outcome = Ringmaster::finish(*process, Patience);
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.error.contains("was cancelled in Slurm"), outcome.error);
        QCOMPARE(show().value("state").toString(), QString("failed"));
        QCOMPARE(show().value("reason").toObject().value("code").toString(),
                 QString("SlurmCancelled"));
    }

    /// The controller looks at the limits every 30 s.
    void aTimeLimitIsNamed()
    {
        const auto process = m_ringmaster.start(
            slurmRun({"--nnodes", "2", "--slurm-time", "1"}, "echo up; exec sleep 619"));
        QVERIFY(waitForText(*process, "[rank1]: up", QProcess::StandardOutput, Patience));
        slurm({"scontrol", "update", "jobid=" + slurm({"squeue", "--noheader", "--format=%A"}),
               "EndTime=now+1seconds"});
        const auto outcome = Ringmaster::finish(*process, Patience);
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.error.contains("at its time limit of 00:01:00; ask for more"),
                 outcome.error);
        QCOMPARE(show().value("reason").toObject().value("code").toString(),
                 QString("SlurmTimeLimit"));
        QCOMPARE(show().value("restartsUsed").toInt(), 0);
    }

    void aRequeuedJobGoesOnWithinItsBudget()
    {
        const auto process = m_ringmaster.start(
            slurmRun({"--nnodes", "2", "--max-restarts", "1"},
                     "echo start $SLURM_RESTART_COUNT.; [ -n \"$SLURM_RESTART_COUNT\" ] || exec "
                     "sleep 613"));
        QVERIFY(waitForText(*process, "start .", QProcess::StandardOutput, Patience));
        slurm({"scontrol", "requeue", slurm({"squeue", "--noheader", "--format=%A"})});
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        QVERIFY2(outcome.output.contains("start 1."), outcome.output + outcome.error);
        QCOMPARE(show().value("restartsUsed").toInt(), 1);
    }

    /// Its workers are seen to end before it is known that Slurm has ended them.
    void aRequeuedJobWithoutABudgetSaysWhoseItWas()
    {
        const auto process = m_ringmaster.start(
            slurmRun({"--nnodes", "2", "--nproc-per-node", "2"}, "echo up; exec sleep 613"));
        QVERIFY(waitForText(*process, "[rank3]: up", QProcess::StandardOutput, Patience));
        slurm({"scontrol", "requeue", slurm({"squeue", "--noheader", "--format=%A"})});
        const auto outcome = Ringmaster::finish(*process, Patience);
        QCOMPARE(outcome.exitCode, 1);
        const QJsonObject shown = show();
        QCOMPARE(shown.value("reason").toObject().value("code").toString(),
                 QString("SlurmRequeued"));
        QCOMPARE(shown.value("restartsUsed").toInt(), 0);
        QVERIFY2(outcome.error.contains("--max-restarts"), outcome.error);
    }

    void anAgentThatIsKilledIsReplaced()
    {
        // What a rank does next is settled when its line has come.
        const QString go = m_ringmaster.folder() + "/go";
        const auto process =
            m_ringmaster.start(slurmRun({"--nnodes", "2"}, "[ -e " + go +
                                                               " ]; go=$?; echo attempt $RANK "
                                                               "$TORCHELASTIC_RESTART_COUNT $$; "
                                                               "[ $go = 0 ] || exec sleep 614"));
        QByteArray said;
        const auto areBothUp = [&] {
            said += process->readAllStandardOutput();
            return said.contains("attempt 0 ") && said.contains("attempt 1 ");
        };
        QTRY_VERIFY2_WITH_TIMEOUT(areBothUp(), said, Patience);
        QFile file(go);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QList<pid_t> agents = processesOfLab("/ringmaster agent wait");
        const auto agent = std::ranges::find_if(agents, [](pid_t pid) {
            return contentOf(QString("/proc/%1/comm").arg(pid)) == "ringmaster\n";
        });
        QVERIFY(agent != agents.end());
        ::kill(*agent, SIGKILL);
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        QVERIFY2(outcome.error.contains("ended from outside"), outcome.error);
    }

    /// Of a partition whose jobs are ended for others, not put back.
    void aPreemptedJobIsSubmittedAnew()
    {
        const auto process = m_ringmaster.start(
            slurmRun({"--nnodes", "2", "--max-restarts", "1", "--slurm-partition", "spare"},
                     "echo attempt $TORCHELASTIC_RESTART_COUNT; [ $TORCHELASTIC_RESTART_COUNT = 1 "
                     "] || exec sleep 616"));
        QVERIFY(waitForText(*process, "attempt 0", QProcess::StandardOutput, Patience));
        slurm({"sbatch", "--partition=urgent", "--nodes=3", "--exclusive", "--output=/dev/null",
               "--wrap", "sleep 1"});
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        QVERIFY2(outcome.error.contains("was preempted in Slurm"), outcome.error);
        QVERIFY2(outcome.output.contains("attempt 1"), outcome.output + outcome.error);
        QCOMPARE(show().value("restartsUsed").toInt(), 1);
    }

    void aNodeThatIsLostIsLeftOut()
    {
        const auto process = m_ringmaster.start(
            slurmRun({"--nnodes", "2:3"}, "echo $SLURMD_NODENAME of $WORLD_SIZE.; exec sleep 618"));
        QVERIFY(waitForText(*process, "n3 of 3.", QProcess::StandardOutput, Patience));
        slurm({"scontrol", "update", "nodename=n3", "state=down", "reason=test"});
        const bool goesOn = waitForText(*process, " of 2.", QProcess::StandardOutput, Patience);
        slurm({"scontrol", "update", "nodename=n3", "state=resume"});
        QVERIFY(goesOn);
        process->terminate();
        QCOMPARE(Ringmaster::finish(*process, Patience).exitCode, 1);
        QCOMPARE(show().value("restartsUsed").toInt(), 0);
    }

    void aControllerThatIsDownIsNoEnd()
    {
        const auto process = m_ringmaster.start(
            slurmRun({"--nnodes", "2"}, "echo up; while ! [ -e " + m_ringmaster.folder() +
                                            "/enough ]; do sleep 0.2; done"));
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput, Patience));
        // What it knows of a job it writes down a few seconds after a change.
        slurm({"scontrol", "update", "jobid=" + number(), "comment=seen-running"});
        QTRY_VERIFY_WITH_TIMEOUT(savedJobs().contains("seen-running"), Patience);
        killInLab("slurmctld -D");
        QVERIFY(
            waitForText(*process, "controller doesn't answer", QProcess::StandardError, Patience));
        startDaemon("slurmctld", {"-D", "-i"});
        QFile enough(m_ringmaster.folder() + "/enough");
        QVERIFY(enough.open(QIODevice::WriteOnly));
        const auto end = Ringmaster::finish(*process, Patience);
        QVERIFY2(end.exitCode == 0, end.error + end.output);
    }

    /// What it had written down is from before the job has run: it puts the job back into its
    /// queue.
    void aControllerThatForgetsThatTheJobRunsCostsNothing()
    {
        slurm({"sbatch", "--exclusive", "--nodes=3", "--no-requeue", "--output=/dev/null", "--wrap",
               "sleep 620"});
        const QString before = number();
        QTRY_VERIFY_WITH_TIMEOUT(states().front() == "RUNNING", Patience);
        const QString enough = m_ringmaster.folder() + "/enough-of-it";
        const auto process =
            m_ringmaster.start(slurmRun({"--nnodes", "2", "--max-restarts", "0"},
                                        "echo attempt $TORCHELASTIC_RESTART_COUNT $RANK; [ -e " +
                                            enough + " ] || exec sleep 621"));
        QTRY_VERIFY_WITH_TIMEOUT(number() != before, Patience);
        slurm({"scontrol", "update", "jobid=" + number(), "comment=seen-waiting"});
        QTRY_VERIFY_WITH_TIMEOUT(savedJobs().contains("seen-waiting"), Patience);
        const QString state = QFileInfo(savedJobsFile()).path();
        slurm({"cp", "-a", state, state + ".before"});
        slurm({"scancel", before});
        QVERIFY(waitForText(*process, "0 1", QProcess::StandardOutput, Patience));
        killInLab("slurmctld -D");
        QVERIFY(
            waitForText(*process, "controller doesn't answer", QProcess::StandardError, Patience));
        QFile file(enough);
        QVERIFY(file.open(QIODevice::WriteOnly));
        slurm({"sh", "-c", "rm -rf " + state + " && mv " + state + ".before " + state});
        startDaemon("slurmctld", {"-D", "-i"});
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        QCOMPARE(show().value("state").toString(), QString("succeeded"));
        QCOMPARE(show().value("restartsUsed").toInt(), 0);
    }

    void anotherLeadTakesARunOver()
    {
        const QString enough = m_ringmaster.folder() + "/enough-for-both";
        auto process = m_ringmaster.start(slurmRun({"--nnodes", "2", "--max-restarts", "0"},
                                                   "echo up $RANK of $WORLD_SIZE; until [ -e " +
                                                       enough + " ]; do sleep 0.2; done"));
        QVERIFY(waitForText(*process, "[rank1]: up", QProcess::StandardOutput, Patience));
        process->kill();
        QVERIFY(process->waitForFinished(60'000));
        const auto second = m_ringmaster.start({"takeover"});
        QVERIFY(waitForText(*second, "n2: connected", QProcess::StandardError, Patience));
        QFile file(enough);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto outcome = Ringmaster::finish(*second, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        QCOMPARE(show().value("state").toString(), QString("succeeded"));
        QCOMPARE(show().value("restartsUsed").toInt(), 0);
        QTRY_VERIFY2_WITH_TIMEOUT(states().front() == "COMPLETED", states().front(), Patience);
    }

    void whoTakesOverHearsWhatBecameOfTheJob()
    {
        auto process = m_ringmaster.start(slurmRun({"--nnodes", "2"}, "echo up; exec sleep 617"));
        QVERIFY(waitForText(*process, "[rank1]: up", QProcess::StandardOutput, Patience));
        process->kill();
        QVERIFY(process->waitForFinished(60'000));
        slurm({"scancel", "--user=root"});
        QTRY_VERIFY2_WITH_TIMEOUT(states().front() == "CANCELLED", states().front(), Patience);
        const auto outcome = m_ringmaster.run({"takeover"});
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(show().value("reason").toObject().value("code").toString(),
                 QString("SlurmCancelled"));
        QTRY_VERIFY2_WITH_TIMEOUT(slurm({"squeue", "--noheader"}).isEmpty(),
                                  slurm({"squeue"}).constData(), Patience);
    }

    void aLeadThatIsKilledLeavesNothing()
    {
        const auto process = m_ringmaster.start(slurmRun(
            {"--nnodes", "2", "--rdzv-conf", "lead_timeout=3"}, "echo up; exec sleep 615"));
        QVERIFY(waitForText(*process, "[rank1]: up", QProcess::StandardOutput, Patience));
        process->kill();
        QVERIFY(process->waitForFinished(60'000));
        QTRY_VERIFY2_WITH_TIMEOUT(slurm({"squeue", "--noheader"}).isEmpty(),
                                  slurm({"squeue"}).constData(), Patience);
    }
};

int main_tst_slurm(int argc, char** argv)
{
    return runBesideSlurm(argc, argv, "3", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_slurm test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_slurm.moc"
