#include "tests/remote/FakeMachine.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

/// `ringmaster ps, logs, show, stop, stacks --on`: as if they were typed there.
class tst_other_machine : public QObject
{
    Q_OBJECT

private:
    static QStringList shell(const QString& script, const QStringList& options = {})
    {
        return QStringList{"run", "--standalone", "--quiet"} + options +
               QStringList{"--no-python", "/bin/sh", "-c", script};
    }

    QTemporaryDir m_cache;

private Q_SLOTS:
    void initTestCase() { FakeMachine::bringAgent(m_cache.path()); }

    void whatIsPrintedThereIsPrintedHere_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("exitCode");
        QTest::addRow("ps") << QStringList{"ps", "--all"} << 0;
        QTest::addRow("nothing runs") << QStringList{"ps"} << 0;
        QTest::addRow("logs") << QStringList{"logs", "broken"} << 0;
        QTest::addRow("lines for a program") << QStringList{"logs", "--json", "broken"} << 0;
        QTest::addRow("nothing found") << QStringList{"logs", "--grep", "no such line"} << 1;
        QTest::addRow("words with blanks and quotes")
            << QStringList{"logs", "--grep", "it's \"so $HOME\""} << 0;
        QTest::addRow("show") << QStringList{"show", "broken"} << 0;
        QTest::addRow("show --json") << QStringList{"show", "--json"} << 0;
        QTest::addRow("no such run") << QStringList{"show", "nonsense"} << 2;
        QTest::addRow("a run that has ended") << QStringList{"stop", "broken"} << 2;
        QTest::addRow("no stacks") << QStringList{"stacks", "broken"} << 2;
        QTest::addRow("a wrong option") << QStringList{"ps", "--nonsense"} << 2;
    }

    void whatIsPrintedThereIsPrintedHere()
    {
        QFETCH(QStringList, words);
        QFETCH(int, exitCode);
        static const auto machine = [this] {
            auto made = std::make_unique<FakeMachine>(m_cache.path());
            (void)made->there().run(shell("echo \"it's \\\"so \\$HOME\\\"\"; echo bad >&2; exit 3",
                                          {"--name", "broken"}));
            return made;
        }();
        const auto there = machine->there().run(words);
        QCOMPARE(there.exitCode, exitCode);
        const auto here = machine->here().run(words + QStringList{"--on", "gpu1"});
        QCOMPARE(here.output, there.output);
        QCOMPARE(here.error, there.error);
        QCOMPARE(here.exitCode, exitCode);
    }

    void aRunIsFollowedAndStopped()
    {
        FakeMachine machine(m_cache.path());
        const auto started = machine.there().run(
            shell("echo first; exec sleep 600", {"--detach", "--name", "long"}));
        QVERIFY2(started.exitCode == 0, started.error);
        const auto logs = machine.here().start({"logs", "--on", "gpu1", "--follow", "long"});
        QVERIFY(waitForText(*logs, "first", QProcess::StandardOutput));
        QTRY_COMPARE(QJsonDocument::fromJson(
                         machine.here().run({"ps", "--json", "--on=gpu1"}).output)[0]["state"]
                         .toString(),
                     "running");
        const auto stopped = machine.here().run({"stop", "--on", "gpu1", "long"});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        QVERIFY2(stopped.error.contains("Stopped " + started.output.trimmed()), stopped.error);
        const auto followed = Ringmaster::finish(*logs);
        QVERIFY2(followed.exitCode == 0, followed.error);
        QCOMPARE(machine.there().run({"ps", "--json"}).output.trimmed(), "[]");
        QTRY_COMPARE(machine.processes(), 0);
    }

    void ctrlCEndsTheCommandHereAndThereAndNotTheRun()
    {
        FakeMachine machine(m_cache.path());
        const auto started = machine.there().run(
            shell("echo first; exec sleep 600", {"--detach", "--name", "long"}));
        QVERIFY2(started.exitCode == 0, started.error);
        QTRY_VERIFY(machine.there().run({"logs", "long"}).output.contains("first"));
        const int before = machine.processes();
        const auto logs = machine.here().start({"logs", "--on", "gpu1", "--follow", "long"});
        QVERIFY(waitForText(*logs, "first", QProcess::StandardOutput));
        QVERIFY(machine.processes() > before);
        ::kill(static_cast<pid_t>(logs->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*logs).exitCode, 128 + SIGINT);
        QTRY_COMPARE(machine.processes(), before);
        const auto stopped = machine.there().run({"stop", "--now", "long"});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
    }

    void aReaderWhoGoesEndsIt()
    {
        FakeMachine machine(m_cache.path());
        const auto started =
            machine.there().run(shell("i=0; while :; do i=$((i+1)); echo line $i; sleep 0.05; done",
                                      {"--detach", "--name", "long"}));
        QVERIFY2(started.exitCode == 0, started.error);
        QProcess pipe;
        pipe.setProcessEnvironment(machine.here().environment());
        pipe.start("/bin/bash",
                   {"-c", Ringmaster::executable() + " logs --on gpu1 --follow long | head -n 2; "
                                                     "echo ${PIPESTATUS[0]}"});
        const auto outcome = Ringmaster::finish(pipe);
        QVERIFY2(outcome.output.endsWith(QByteArray::number(128 + SIGPIPE) + "\n"),
                 outcome.output + outcome.error);
        const auto stopped = machine.here().run({"stop", "--on", "gpu1", "--now", "long"});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
    }

    void inATerminalItLooksAsItDoesThere()
    {
        FakeMachine machine(m_cache.path());
        QVERIFY(machine.there().run(shell("echo hello")).exitCode == 0);
        const auto inTerminal = [&machine](const QString& line) {
            QProcess script;
            QProcessEnvironment environment = machine.here().environment();
            environment.remove("NO_COLOR");
            environment.insert("TERM", "xterm");
            script.setProcessEnvironment(environment);
            script.setStandardInputFile(QProcess::nullDevice());
            script.start("script", {"-qec", Ringmaster::executable() + " " + line, "/dev/null"});
            return Ringmaster::finish(script);
        };
        const auto shown = inTerminal("ps --all --on gpu1");
        QVERIFY2(shown.exitCode == 0, shown.output + shown.error);
        QVERIFY2(shown.output.contains("\x1b[1mRUN"), shown.output);
        machine.here().environment().insert("NO_COLOR", "1");
        const auto piped = machine.here().run({"ps", "--all", "--on", "gpu1"});
        QVERIFY2(!piped.output.contains('\x1b'), piped.output);
    }

    void whyItCantBeDoneIsSaidWithTheRemedy_data()
    {
        QTest::addColumn<QByteArray>("refusal");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const char* refusal, const char* said) {
            QTest::addRow("%s", name) << QByteArray(refusal) << QByteArray(said);
        };
        row("no key", "ring@gpu1: Permission denied (publickey,password).\n", "ssh-copy-id gpu1");
        row("ssh would ask", "ring@gpu1: Permission denied (password).\n",
            "it asks for a password");
        row("an unknown key",
            "No ED25519 host key is known for gpu1 and you have requested strict checking.\nHost "
            "key verification failed.\n",
            "run `ssh gpu1` once and compare the fingerprint");
        row("no such name", "ssh: Could not resolve hostname gpu1: Name or service not known\n",
            "check its spelling");
        row("switched off", "ssh: connect to host gpu1 port 22: No route to host\n",
            "can't be reached over the network");
    }

    void whyItCantBeDoneIsSaidWithTheRemedy()
    {
        QFETCH(QByteArray, refusal);
        QFETCH(QByteArray, said);
        FakeMachine machine(m_cache.path());
        machine.write("refusal", refusal);
        for (const QStringList& words :
             {QStringList{"ps", "--on", "gpu1"},
              QStringList{"run", "--on", "gpu1", "--no-python", "/bin/true"}}) {
            const auto outcome = machine.here().run(words);
            QCOMPARE(outcome.exitCode, 2);
            QVERIFY2(outcome.error.contains("gpu1") && outcome.error.contains(said), outcome.error);
            QVERIFY2(outcome.error.count('\n') == 1, outcome.error);
        }
    }

    /// The file is written here; what is compared is read there.
    void aRunIsExportedAndComparedFromThere()
    {
        FakeMachine machine(m_cache.path());
        const auto there = machine.there().run(shell("echo loss: 0.5", {"--name", "far"}));
        QVERIFY2(there.exitCode == 0, there.error);
        const auto here = machine.here().run(shell("echo loss: 0.25", {"--name", "near"}));
        QVERIFY2(here.exitCode == 0, here.error);
        const QString file = m_cache.filePath("brought.ringrun");
        const auto brought =
            machine.here().run({"export", "--on", "gpu1", "far", "-o", file, "--json"});
        QVERIFY2(brought.exitCode == 0, brought.error);
        const QJsonObject report = QJsonDocument::fromJson(brought.output).object();
        QCOMPARE(report["file"].toString(), file);
        QCOMPARE(report["fileBytes"].toInt(), QFileInfo(file).size());
        QCOMPARE(machine.here().run({"logs", "--rank", "0", file}).output, "loss: 0.5\n");
        const auto trace = machine.here().run({"export", "gpu1:far", "--trace"});
        QCOMPARE(trace.exitCode, 2);
        QVERIFY2(trace.error.contains("do this on gpu1"), trace.error);
        const auto none = machine.here().run({"export", "gpu1:nothing", "-o", file});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.error.contains("nothing"), none.error);

        const auto compared = machine.here().run({"compare", "near", "gpu1:far", "--json"});
        QVERIFY2(compared.exitCode == 0, compared.error);
        const QJsonArray runs = QJsonDocument::fromJson(compared.output)["runs"].toArray();
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[1]["name"].toString(), "gpu1:far");
        QVERIFY2(compared.output.contains("loss"), compared.output);
        const auto both = machine.here().run({"compare", "--on", "gpu1", "far", "far"});
        QVERIFY2(both.exitCode == 0 && both.output.contains("far"), both.error);
    }

    /// What ssh shares may hang at a connection that is dead: nothing comes over it any more.
    void aPortIsForwardedThoughTheSharedConnectionIsDead()
    {
        FakeMachine machine(m_cache.path());
        const auto started =
            machine.there().run(shell("exec sleep 600", {"--detach", "--name", "board"}));
        QVERIFY2(started.exitCode == 0, started.error);
        machine.write("shared-dead");
        const auto forward =
            machine.here().start({"forward", "--on", "gpu1", "board", "6006", "--local", "0"});
        QVERIFY(waitForText(*forward, "127.0.0.1:", QProcess::StandardOutput));
        ::kill(static_cast<pid_t>(forward->processId()), SIGINT);
        QCOMPARE(Ringmaster::finish(*forward).exitCode, 0);
        machine.write("refusal", "ssh: connect to host gpu1 port 22: No route to host\n");
        const auto gone = machine.here().run({"forward", "gpu1:board", "6006", "--local", "0"});
        QCOMPARE(gone.exitCode, 2);
        QVERIFY2(gone.error.contains("can't be reached over the network"), gone.error);
        QVERIFY(QFile::remove(machine.path("refusal")));
        QVERIFY(QFile::remove(machine.path("shared-dead")));
        QCOMPARE(machine.there().run({"stop", "--now", "board"}).exitCode, 0);
    }

    /// What it says of a real one: tst_watched_machine.
    void jobsOfOthersAreLookedForThere()
    {
        FakeMachine machine(m_cache.path());
        const auto listed =
            machine.here().run(QStringLiteral("attach --list --json --on gpu1").split(u' '));
        QVERIFY2(listed.exitCode == 0, listed.error);
        QVERIFY2(QJsonDocument::fromJson(listed.output).object()[QStringLiteral("jobs")].isArray(),
                 listed.output);
        const auto unknown =
            machine.here().run(QStringLiteral("attach 999999999 --on gpu1").split(u' '));
        QVERIFY(unknown.exitCode != 0);
        QVERIFY2(unknown.error.contains("Process 999999999 belongs to no job"), unknown.error);
    }

    void helpManualAndCompletionKnowIt()
    {
        FakeMachine machine(m_cache.path());
        for (const char* command :
             {"run", "ps", "logs", "show", "stop", "stacks", "compare", "export"}) {
            QVERIFY(machine.here().run({command, "--help"}).output.contains("--on"));
            const QByteArray manual = machine.here().run({"man", command}).output;
            QVERIFY2(manual.contains("\\-\\-on"), manual);
        }
        QVERIFY(machine.here().run({"host", "add", "gpu1", "gpu2"}).exitCode == 0);
        QProcessEnvironment environment = machine.here().environment();
        environment.insert("PATH", QFileInfo(Ringmaster::executable()).path() + ":" +
                                       environment.value("PATH"));
        QProcess bash;
        bash.setProcessEnvironment(environment);
        bash.start("/bin/bash", {"-c", "eval \"$(ringmaster completion bash)\"; "
                                       "for command in ps run; do "
                                       "COMP_WORDS=(ringmaster $command --on gpu2); COMP_CWORD=3; "
                                       "_ringmaster; echo ${COMPREPLY[@]}; done"});
        const auto completed = Ringmaster::finish(bash);
        QCOMPARE(completed.output, "gpu2\ngpu2\n");
    }

    void oneMachineIsNamed()
    {
        FakeMachine machine(m_cache.path());
        for (const char* name : {"@lab", "gpu1,gpu2", "-oProxyCommand=x"}) {
            const auto outcome = machine.here().run({"ps", QString("--on=") + name});
            QCOMPARE(outcome.exitCode, 2);
            QVERIFY2(outcome.error.contains("isn't one"), outcome.error);
        }
        QVERIFY(machine.read("calls").isEmpty());
    }
};

QTEST_GUILESS_MAIN(tst_other_machine)
#include "tst_other_machine.moc"
