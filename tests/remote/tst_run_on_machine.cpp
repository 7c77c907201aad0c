#include "tests/remote/FakeMachine.h"

#include <QJsonArray>
#include <QJsonDocument>

/// `ringmaster run --on`: the job lives there.
class tst_run_on_machine : public QObject
{
    Q_OBJECT

private:
    static QStringList shell(const QString& script, const QStringList& options = {})
    {
        return QStringList{"run", "--on", "gpu1", "--standalone"} + options +
               QStringList{"--no-python", "/bin/sh", "-c", script};
    }

    static QString stateOf(FakeMachine& machine)
    {
        const auto listed = machine.there().run({"ps", "--all", "--json"});
        return QJsonDocument::fromJson(listed.output)[0]["state"].toString();
    }

    QTemporaryDir m_cache;

private Q_SLOTS:
    void initTestCase() { FakeMachine::bringAgent(m_cache.path()); }

    void aDetachedJobIsStartedThereAndItsRunIsPrinted()
    {
        FakeMachine machine(m_cache.path());
        const auto started = machine.here().run(
            shell("echo $GREETING from $PWD > $HOME/greeting; exec sleep 600",
                  {"--detach", "--env", "GREETING=secret-hello", "--name", "long"}));
        QVERIFY2(started.exitCode == 0, started.error);
        const QByteArray run = started.output.trimmed();
        QVERIFY2(run.contains("-long-"), run);
        QTRY_COMPARE(machine.read("greeting"),
                     "secret-hello from " + machine.here().folder().toUtf8() + "\n");
        QTRY_COMPARE(stateOf(machine), "running");
        // Everybody sees the words of a process.
        QVERIFY(!machine.read("calls").isEmpty());
        QVERIFY2(!machine.read("calls").contains("secret-hello"), machine.read("calls"));
        const auto stopped = machine.here().run({"stop", "--on", "gpu1", "--now", run});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        QTRY_COMPARE(machine.processes(), 0);
    }

    void aJobIsShownToItsEnd()
    {
        FakeMachine machine(m_cache.path());
        const auto ended = machine.here().run(
            shell("echo out $RANK; echo err $RANK >&2; printf open", {"--nproc-per-node", "2"}));
        QVERIFY2(ended.exitCode == 0, ended.error);
        for (const char* rank : {"0", "1"}) {
            const QByteArray before = QByteArray("[rank") + rank + "]: ";
            QVERIFY2(ended.output.contains(before + "out " + rank + "\n"), ended.output);
            QVERIFY2(ended.output.contains(before + "open\n"), ended.output);
            QVERIFY2(ended.error.contains(before + "err " + rank + "\n"), ended.error);
        }
        QVERIFY2(ended.error.contains("ringmaster: succeeded after"), ended.error);
        QCOMPARE(stateOf(machine), "succeeded");
        QTRY_COMPARE(machine.processes(), 0);
    }

    void aFailureIsReportedAsItWouldBeHere()
    {
        FakeMachine machine(m_cache.path());
        const auto ended = machine.here().run(shell("echo last words >&2; exit 7"));
        QVERIFY2(ended.exitCode == 1, ended.error);
        QVERIFY2(ended.error.contains("/bin/sh FAILED"), ended.error);
        QVERIFY2(ended.error.contains("exitcode  : 7"), ended.error);
        QVERIFY2(ended.error.contains("ringmaster: failed after"), ended.error);
    }

    void ctrlCStopsItThere()
    {
        FakeMachine machine(m_cache.path());
        const auto job = machine.here().start(shell("echo begun; exec sleep 600"));
        QVERIFY(waitForText(*job, "begun", QProcess::StandardOutput));
        ::kill(static_cast<pid_t>(job->processId()), SIGINT);
        const auto ended = Ringmaster::finish(*job);
        QVERIFY2(ended.exitCode == 1, ended.error);
        QVERIFY2(ended.error.contains("ringmaster: stopped after"), ended.error);
        QCOMPARE(stateOf(machine), "stopped");
        QTRY_COMPARE(machine.processes(), 0);
    }

    void itGoesOnWithoutThisTerminal()
    {
        FakeMachine machine(m_cache.path());
        const auto job = machine.here().start(
            shell("echo begun; until test -e $HOME/enough; do sleep 0.05; done"));
        QVERIFY(waitForText(*job, "begun", QProcess::StandardOutput));
        job->kill();
        QVERIFY(job->waitForFinished());
        QTRY_COMPARE(stateOf(machine), "running");
        machine.write("enough");
        QTRY_COMPARE(stateOf(machine), "succeeded");
        QTRY_COMPARE(machine.processes(), 0);
    }

    /// Each line once and in order, those of the time without a connection, too.
    void aBrokenConnectionCostsNothing()
    {
        FakeMachine machine(m_cache.path());
        const auto job = machine.here().start(
            shell("n=0; say() { n=$((n+1)); echo line $n; }; say; say; "
                  "until test -e $HOME/cut; do sleep 0.02; done; say; say; : > $HOME/said; "
                  "until test -e $HOME/enough; do sleep 0.02; done; say"));
        QByteArray output;
        QTRY_VERIFY_WITH_TIMEOUT((output += job->readAllStandardOutput()).contains("line 2\n"),
                                 180'000);
        machine.unplug();
        // A busy machine's first login may be told as well, as too slow.
        const QByteArray cut = "was ended with SIGKILL. The run goes on there";
        QByteArray error;
        QTRY_VERIFY((error += job->readAllStandardError()).contains(cut));
        machine.write("cut");
        QTRY_VERIFY(QFile::exists(machine.path("said")));
        QTRY_COMPARE(stateOf(machine), "running");
        machine.plug();
        QTRY_VERIFY((error += job->readAllStandardError()).contains("reached again"));
        QTRY_VERIFY((output += job->readAllStandardOutput()).contains("line 4\n"));
        machine.write("enough");
        const auto ended = Ringmaster::finish(*job);
        output += ended.output;
        QVERIFY2(ended.exitCode == 0, error + ended.error);
        QCOMPARE(output, "[rank0]: line 1\n[rank0]: line 2\n[rank0]: line 3\n[rank0]: line 4\n"
                         "[rank0]: line 5\n");
        QVERIFY2(error.count(cut) == 1, error);
    }

    void theEndIsHeardOfAlsoWhenNobodyWasThere()
    {
        FakeMachine machine(m_cache.path());
        const auto job = machine.here().start(
            shell("echo begun; until test -e $HOME/cut; do sleep 0.02; done; echo last; exit 4"));
        QVERIFY(waitForText(*job, "begun", QProcess::StandardOutput));
        machine.unplug();
        machine.write("cut");
        QTRY_COMPARE(stateOf(machine), "failed");
        QTRY_COMPARE(machine.processes(), 0);
        machine.plug();
        const auto ended = Ringmaster::finish(*job);
        QVERIFY2(ended.exitCode == 1, ended.error);
        QVERIFY2(ended.output.contains("[rank0]: last\n"), ended.output);
        QVERIFY2(ended.error.contains("exitcode  : 4"), ended.error);
    }

    void anAgentThatIsKilledIsSaidToBeLost()
    {
        FakeMachine machine(m_cache.path());
        const auto job = machine.here().start(shell("echo begun; exec sleep 600"));
        QVERIFY(waitForText(*job, "begun", QProcess::StandardOutput));
        const QString run = machine.there().runs().value(0);
        const QByteArray record = machine.read("state/ringmaster/runs/" + run + "/agent.json");
        const int agent = QJsonDocument::fromJson(record)["pid"].toInt();
        QVERIFY2(agent > 1, record);
        ::kill(agent, SIGKILL);
        const auto ended = Ringmaster::finish(*job);
        QVERIFY2(ended.exitCode == 1, ended.error);
        QTRY_COMPARE(machine.processes(), 0);
    }

    void theFolderIsSynchronisedFirst()
    {
        if (QStandardPaths::findExecutable("rsync").isEmpty())
            QSKIP("rsync is missing (Debian: rsync)");
        FakeMachine machine(m_cache.path());
        const QString project = machine.makeProject("echo hello from $PWD with $COLOUR");
        const QString target = machine.path("copy");
        const auto added = machine.here().run(
            {"host", "add", "gpu1", "--sync", "rsync", "--code", target, "--env", "COLOUR=blue"});
        QVERIFY2(added.exitCode == 0, added.error);
        QProcess job;
        job.setProcessEnvironment(machine.here().environment());
        job.setWorkingDirectory(project);
        job.setStandardInputFile(QProcess::nullDevice());
        job.start(Ringmaster::executable(),
                  {"run", "--on", "gpu1", "--standalone", "--no-python", "/bin/sh", "hello.sh"});
        const auto ended = Ringmaster::finish(job);
        QVERIFY2(ended.exitCode == 0, ended.error);
        QCOMPARE(ended.output, "[rank0]: hello from " + target.toUtf8() + " with blue\n");
        QVERIFY2(ended.error.contains("1 files were copied"), ended.error);
    }

    void whatIsWrongIsSaidThere_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("said");
        QTest::addRow("hosts") << QStringList{"--hosts", "gpu2", "--no-python", "/bin/true"}
                               << QByteArray("so --hosts can't be added");
        QTest::addRow("slurm") << QStringList{"--slurm", "--no-python", "/bin/true"}
                               << QByteArray("so --slurm can't be added");
        QTest::addRow("a lesson") << QStringList{"--lesson", "free", "x.py"}
                                  << QByteArray("so --lesson can't be added");
        QTest::addRow("no such program")
            << QStringList{"--no-python", "/no/such/program"} << QByteArray("/no/such/program");
    }

    void whatIsWrongIsSaidThere()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, said);
        FakeMachine machine(m_cache.path());
        const auto refused = machine.here().run(QStringList{"run", "--on", "gpu1"} + words);
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains(said), refused.error);
        QVERIFY(machine.there().runs().isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_run_on_machine)
#include "tst_run_on_machine.moc"
