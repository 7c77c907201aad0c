#include "tests/cli/Ringmaster.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>

namespace {

QStringList shell(const QString& script, const QStringList& options = {})
{
    return QStringList{"run", "--standalone"} + options +
           QStringList{"--no-python", "/bin/sh", "-c", script};
}

const QStringList Two{"--nproc-per-node", "2"};
const QStringList LongGrace{"--grace", "300"};

} // namespace

class tst_run_command : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsFourWorkersAndSaysSo()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(
            {"run", "--standalone", "--nproc-per-node", "4", "--no-python", "/bin/true"});
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output, QByteArray());
        QVERIFY2(done.error.contains("4 workers"), done.error);
        QVERIFY2(done.error.contains("succeeded after"), done.error);
        QVERIFY2(!done.error.contains('\x1b'), "no colour where no terminal is");
        QCOMPARE(ringmaster.runs().size(), 1);
    }

    void standardOutputIsTheWorkersAlone()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(shell("echo out $RANK; echo err $RANK >&2", Two));
        QCOMPARE(done.exitCode, 0);
        auto lines = done.output.split('\n');
        std::sort(lines.begin(), lines.end());
        QCOMPARE(lines, (QList<QByteArray>{"", "out 0", "out 1"}));
        QVERIFY2(done.error.contains("err 0\n") && done.error.contains("err 1\n"), done.error);
    }

    void workersAreAsNiceAsTheyAreAskedToBe()
    {
        const Ringmaster ringmaster;
        const QString niceness = "cut -d' ' -f19 /proc/self/stat";
        const auto done = ringmaster.run(shell(niceness, {"--nice", "7"}));
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output, QByteArray("7\n"));
        QCOMPARE(ringmaster.run(shell(niceness, {"--nice", "20"})).exitCode, 2);
    }

    /// As while a warm starter imports it for all of them.
    void isStartingWhileItsWorkersImportTorch()
    {
        const Ringmaster ringmaster;
        QVERIFY(QDir(ringmaster.folder()).mkpath("torch"));
        const auto write = [&](const char* name, const char* text) {
            QFile file(ringmaster.folder() + name);
            return file.open(QIODevice::WriteOnly) && file.write(text) >= 0;
        };
        const char* waits = "import os, time\n"
                            "while not os.path.exists('%s'): time.sleep(0.01)\n";
        QVERIFY(write("/torch/__init__.py", QByteArray(waits).replace("%s", "go on")));
        QVERIFY(write("/program.py", "import torch\n" + QByteArray(waits).replace("%s", "end")));
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(ringmaster.environment());
        process->setWorkingDirectory(ringmaster.folder());
        process->start(Ringmaster::executable(),
                       QStringList{"run"} + Two + QStringList{"program.py"});
        const auto healths = [&] {
            const QString run = ringmaster.runs().value(0);
            const QJsonObject shown =
                QJsonDocument::fromJson(ringmaster.run({"show", run, "--json"}).output).object();
            QStringList words{shown["health"].toObject()["word"].toString()};
            for (const QJsonValueRef worker : shown["workers"].toArray())
                words << worker.toObject()["health"].toString() + " " +
                             worker.toObject()["state"].toString();
            return words;
        };
        QTRY_COMPARE_WITH_TIMEOUT(
            healths(), (QStringList{"starting", "starting HEALTHY", "starting HEALTHY"}), 60'000);
        QVERIFY(write("/go on", ""));
        QTRY_COMPARE_WITH_TIMEOUT(
            healths(), (QStringList{"running", "running HEALTHY", "running HEALTHY"}), 60'000);
        QVERIFY(write("/end", ""));
        const auto done = Ringmaster::finish(*process);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void theRulesOfAJobDecideWhatIsTriedAgainAndForHowLong()
    {
        const Ringmaster ringmaster;
        const QString script =
            "test $TORCHELASTIC_RESTART_COUNT = 0 && echo link down || echo nan; "
            "exit 3";
        const auto failed =
            ringmaster.run(shell(script, {"--max-restarts", "5", "--restart-only-if", "^link"}));
        QVERIFY2(failed.exitCode == 1, failed.error);
        QCOMPARE(failed.output, QByteArray("link down\nnan\n"));
        QVERIFY2(failed.error.contains("rank 0 printed last doesn't match ^link"), failed.error);

        const auto over = ringmaster.run(shell("exec sleep 1000", {"--longest-run", "1s"}));
        QVERIFY2(over.exitCode == 1, over.error);
        QVERIFY2(over.error.contains("failed after") && over.error.contains("has taken 1s"),
                 over.error);
        const QByteArray shown = ringmaster.run({"show", ringmaster.runs().value(0)}).output +
                                 ringmaster.run({"show", ringmaster.runs().value(1)}).output;
        QVERIFY2(shown.contains("The run has taken 1s, its longest time"), shown);

        QCOMPARE(ringmaster.run(shell("true", {"--restart-only-if", "("})).exitCode, 2);
        QCOMPARE(ringmaster.run(shell("true", {"--stop-on", "slow=1s"})).exitCode, 2);
    }

    /// By the name of torch's own, which is what happens anyhow.
    void theUsualLogsSpecsMayBeNamed()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(shell("echo out", {"--logs-specs", "default"}));
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output, QByteArray("out\n"));
    }

    void workersHaveTheLimitsOfTheUser()
    {
        const Ringmaster ringmaster;
        QProcess process;
        process.setProcessEnvironment(ringmaster.environment());
        process.setStandardInputFile(QProcess::nullDevice());
        process.start("/bin/sh",
                      {"-c", "ulimit -S -n 333; exec " + Ringmaster::executable() +
                                 " run --standalone --no-python /bin/sh -c 'ulimit -S -n'"});
        const auto done = Ringmaster::finish(process);
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output, QByteArray("333\n"));
    }

    void quietSaysNothingOfItsOwn()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(shell("true", {"--quiet"}));
        QCOMPARE(done.exitCode, 0);
        QCOMPARE(done.error, QByteArray());
    }

    void reportsAFailedWorkerAsTorchrunAndForPeople()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(shell("test $RANK = 0 && sleep 30; exit 3", Two));
        QCOMPARE(done.exitCode, 1);
        QVERIFY2(done.error.contains("ChildFailedError"), done.error);
        QVERIFY2(done.error.contains("Root Cause (first observed failure):"), done.error);
        QVERIFY2(done.error.contains("exitcode  : 3 (pid:"), done.error);
        QVERIFY2(done.error.contains("Rank 1 ended with exit code 3"), done.error);
        QVERIFY2(done.error.contains("ringmaster: failed after"), done.error);
    }

    void restartsWithinTheBudget()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(
            shell("echo $TORCHELASTIC_RESTART_COUNT; test $TORCHELASTIC_RESTART_COUNT = 2",
                  {"--max-restarts", "3"}));
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output, QByteArray("0\n1\n2\n"));
        QVERIFY2(done.error.contains("restarting, 2 restarts left"), done.error);
        QVERIFY2(done.error.contains("restarting, 1 restart left"), done.error);
    }

    void calledTorchrunItIsTorchrun()
    {
        const Ringmaster ringmaster;
        const QString link = ringmaster.folder() + "/torchrun";
        QVERIFY(QFile::link(Ringmaster::executable(), link));
        QProcess process;
        process.setProcessEnvironment(ringmaster.environment());
        process.start(link, {"--standalone", "--no-python", "/bin/sh", "-c", "echo $WORLD_SIZE"});
        const auto done = Ringmaster::finish(process);
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output, QByteArray("1\n"));
    }

    void runsAJobFile()
    {
        const Ringmaster ringmaster;
        QFile file(ringmaster.folder() + "/three.ringjob");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("name = \"three\"\ncommand = \"/bin/sh\"\n"
                   "arguments = [\"-c\", \"echo $WORLD_SIZE\"]\nworkers = 3\n\n"
                   "[rendezvous]\nstandalone = true\n");
        file.close();
        const auto done = ringmaster.run({"run", "three.ringjob"});
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output, QByteArray("3\n3\n3\n"));
        QVERIFY(ringmaster.runs().value(0).contains("three"));
    }

    void ctrlCStopsInOrderAndSaysSo()
    {
        const Ringmaster ringmaster;
        const auto process = ringmaster.start(
            shell("trap 'echo bye; exit 0' INT; echo ready; while :; do sleep 0.05; done", Two));
        QVERIFY(waitForText(*process, "ready\nready\n", QProcess::StandardOutput));
        QCOMPARE(::kill(static_cast<pid_t>(process->processId()), SIGINT), 0);
        const auto done = Ringmaster::finish(*process);
        QCOMPARE(done.exitCode, 1); // torchrun's, for a signal that is passed on
        QCOMPARE(done.output, QByteArray("bye\nbye\n"));
        QVERIFY2(done.error.contains("stopping the workers"), done.error);
        QVERIFY2(done.error.contains("stopped after"), done.error);
        QTRY_COMPARE(processesWith(ringmaster.folder().toUtf8()), 0);
    }

    void aSecondCtrlCKills()
    {
        const Ringmaster ringmaster;
        const auto process = ringmaster.start(
            shell("trap '' INT TERM; echo ready; while :; do sleep 0.05; done", Two + LongGrace));
        QVERIFY(waitForText(*process, "ready\nready\n", QProcess::StandardOutput));
        QCOMPARE(::kill(static_cast<pid_t>(process->processId()), SIGINT), 0);
        QVERIFY(waitForText(*process, "stopping the workers", QProcess::StandardError));
        QElapsedTimer timer;
        timer.start();
        // One that comes at once is taken for an echo of the first.
        while (!waitForText(*process, "killing the workers", QProcess::StandardError, 200))
            QCOMPARE(::kill(static_cast<pid_t>(process->processId()), SIGINT), 0);
        const auto done = Ringmaster::finish(*process);
        QVERIFY(timer.elapsed() < 120'000); // far below the grace
        QCOMPARE(done.exitCode, 1);
        QTRY_COMPARE(processesWith(ringmaster.folder().toUtf8()), 0);
    }

    void aStopThatTakesLongSaysHowItIsEndedAtOnce()
    {
        const Ringmaster ringmaster;
        const auto process = ringmaster.start(
            shell("trap '' TERM; echo ready; while :; do sleep 0.05; done", LongGrace));
        QVERIFY(waitForText(*process, "ready\n", QProcess::StandardOutput));
        const QString run = ringmaster.runs().value(0);
        const auto stop = ringmaster.start({"stop", run});
        const QString told = "5 min 0 s to end; `ringmaster stop --now " + run + "` kills them now";
        QVERIFY(waitForText(*stop, told.toUtf8(), QProcess::StandardError));
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(ringmaster.run({"stop", "--now", run}).exitCode, 0);
        QCOMPARE(Ringmaster::finish(*stop).exitCode, 0);
        QVERIFY(timer.elapsed() < 120'000); // far below the grace
        QVERIFY2(Ringmaster::finish(*process).error.contains("stopped after"), "not stopped");
    }

    void aRestartByTheUserIsNotCharged()
    {
        const Ringmaster ringmaster;
        const auto process = ringmaster.start(shell("echo ready; exec sleep 600"));
        QVERIFY(waitForText(*process, "ready\n", QProcess::StandardOutput));
        QCOMPARE(ringmaster.run({"restart"}).exitCode, 0);
        QVERIFY(
            waitForText(*process, "restarting, which isn't charged: ", QProcess::StandardError));
        process->terminate();
        (void)Ringmaster::finish(*process);
    }

    void killingTheAgentLeavesNobodyAndTheRunIsLost()
    {
        const Ringmaster ringmaster;
        const auto process = ringmaster.start(
            shell("trap '' TERM; (trap '' TERM; setsid sleep 600) & echo ready; sleep 600", Two));
        QVERIFY(waitForText(*process, "ready\nready\n", QProcess::StandardOutput));
        process->kill();
        QVERIFY(process->waitForFinished());
        QTRY_COMPARE(processesWith(ringmaster.folder().toUtf8()), 0);
        const auto listed = ringmaster.run({"ps", "--all"});
        QVERIFY2(listed.output.contains("lost"), listed.output);

        const QDir sockets(ringmaster.folder() + "/runtime/ringmaster");
        QCOMPARE(sockets.entryList(QDir::System).size(), 1); // the killed one couldn't remove it
        QCOMPARE(ringmaster.run({"clean"}).exitCode, 0);
        QCOMPARE(sockets.entryList(QDir::System).size(), 0);
    }

    /// What carries the run's token is what a sweep of that run would kill.
    void aCopyOfALiveRunIsNothingToCleanUpAfter()
    {
        const Ringmaster ringmaster;
        const auto process = ringmaster.start(shell("echo ready; exec sleep 600", Two));
        QVERIFY(waitForText(*process, "ready\nready\n", QProcess::StandardOutput));
        const QString run = ringmaster.runs().value(0);
        const QByteArray token = "RINGMASTER_RUN=" + run.toUtf8();
        const int alive = processesWith(token);
        QVERIFY2(alive >= 2, qPrintable(run));
        const QString file = ringmaster.folder() + "/live.ringrun";
        const auto exported = ringmaster.run({"export", run, "-o", file});
        QVERIFY2(exported.exitCode == 0, exported.error);

        // The same user: the sockets are in one folder.
        const Ringmaster elsewhere(ringmaster.environment().value("XDG_RUNTIME_DIR"));
        const auto imported = elsewhere.run({"import", file});
        QVERIFY2(imported.exitCode == 0, imported.error);
        QCOMPARE(elsewhere.runs(), QStringList{run});
        const auto listed = elsewhere.run({"ps", "--all"});
        QVERIFY2(listed.output.contains("lost"), listed.output);
        const auto cleaned = elsewhere.run({"clean"});
        QCOMPARE(cleaned.exitCode, 0);
        QVERIFY2(cleaned.error.contains("Ended 0 processes, removed 0 sockets"), cleaned.error);
        QCOMPARE(elsewhere.run({"rm", run}).exitCode, 0);
        QCOMPARE(processesWith(token), alive);

        const auto stopped = ringmaster.run({"stop", run});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        QVERIFY2(Ringmaster::finish(*process).error.contains("stopped after"), "not stopped");
    }

    void aDetachedRunOutlivesItsTerminal()
    {
        const Ringmaster ringmaster;
        const auto started =
            ringmaster.run(shell("echo hello; sleep 600", {"--detach", "--name", "quiet one"}));
        QVERIFY2(started.exitCode == 0, started.error);
        const QString run = QString::fromUtf8(started.output).trimmed();
        QVERIFY(QDir(ringmaster.runsFolder() + "/" + run).exists());
        QVERIFY(ringmaster.run({"ps"}).output.contains(run.toUtf8()));

        const auto follower = ringmaster.start({"logs", "-f", run});
        QVERIFY(waitForText(*follower, "hello", QProcess::StandardOutput));

        const auto stopped = ringmaster.run({"stop", "quiet one"});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        QCOMPARE(Ringmaster::finish(*follower).exitCode, 0);
        QVERIFY(ringmaster.run({"ps", "--all"}).output.contains("stopped"));
        QTRY_COMPARE(processesWith(ringmaster.folder().toUtf8()), 0);
    }

    /// As other tests wait: what comes behind a text may come with it.
    void waitingForATextLosesNothingBehindIt()
    {
        QProcess process;
        process.start("/bin/sh", {"-c", "echo one; echo two; echo one; echo three"});
        QVERIFY(process.waitForFinished(60'000)); // all of it is here at once
        for (int times = 0; times < 2; ++times)
            QVERIFY(waitForText(process, "one", QProcess::StandardOutput));
        QVERIFY(!waitForText(process, "one", QProcess::StandardOutput));
        QCOMPARE(Ringmaster::finish(process).output, QByteArray("\nthree\n"));
    }

    void aDetachedRunThatCannotStartSaysWhy()
    {
        const Ringmaster ringmaster;
        const auto refused = ringmaster.run({"run", "--detach", "no_such_program.py"});
        QCOMPARE(refused.exitCode, 2);
        QCOMPARE(refused.output, QByteArray());
        QVERIFY2(refused.error.contains("no_such_program.py"), refused.error);
    }
};

QTEST_GUILESS_MAIN(tst_run_command)
#include "tst_run_command.moc"
