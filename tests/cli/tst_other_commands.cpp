#include "engine/base/ProcessSignal.h"
#include "engine/control/LocalSocket.h"
#include "engine/node/AgentChannel.h"
#include "engine/record/RunFolder.h"
#include "engine/record/RunLock.h"
#include "tests/cli/Ringmaster.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>
#include <optional>
#include <vector>

namespace {

ringmaster::Result<ringmaster::RunLock> lockOf(const QString& runFolder)
{
    return ringmaster::RunLock::acquire(runFolder.toStdString(), std::chrono::seconds(60));
}

} // namespace

class tst_other_commands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto failed = m_ringmaster.run(
            {"run", "--standalone", "--nproc-per-node", "2", "--name", "broken", "--no-python",
             "/bin/sh", "-c",
             // Rank 1 fails once rank 0, which is ended then, has printed.
             "echo one $RANK; echo two $RANK >&2; f=${TMPDIR:-/tmp}/printed-$TORCHELASTIC_RUN_ID; "
             "test $RANK = 0 && { : > $f; sleep 30; }; "
             "until test -e $f; do sleep 0.01; done; rm $f; exit 7"});
        QVERIFY2(failed.exitCode == 1, failed.error);
        m_run = m_ringmaster.runs().value(0);
    }

    void gpusSaysWhoHoldsMemoryAndWhoShouldNot()
    {
        Ringmaster ringmaster;
        const QString driver = ringmaster.folder() + "/libnvidia-ml.so.1";
        QVERIFY(QFile::link(QStringLiteral(RINGMASTER_FAKE_NVML), driver));
        const QString enough = ringmaster.folder() + "/enough";
        const auto job = ringmaster.start(
            {"run", "--nproc-per-node", "2", "--name", "digits", "--no-python", "/bin/sh", "-c",
             "echo pid $RANK $$$$; until test -e " + enough + "; do sleep 0.05; done"});
        QByteArray said;
        QTRY_VERIFY((said += job->readAllStandardOutput()).count("pid ") == 2 &&
                    said.endsWith('\n'));
        const auto pidOf = [&said](int rank) {
            const QByteArray mark = "pid " + QByteArray::number(rank) + " ";
            const auto at = said.indexOf(mark) + mark.size();
            return QString::fromUtf8(said.mid(at, said.indexOf('\n', at) - at)).trimmed();
        };
        QProcessEnvironment& environment = ringmaster.environment();
        environment.insert("LD_LIBRARY_PATH", ringmaster.folder());
        environment.insert(
            "RINGMASTER_FAKE_GPU_PROCESSES",
            QString("0:%1:9000000000 0:%2:400000000 1:%2:9000000000").arg(pidOf(0), pidOf(1)));
        const auto table = ringmaster.run({"gpus"});
        const auto told = ringmaster.run({"gpus", "--json"});
        QFile(enough).open(QIODevice::WriteOnly);
        QCOMPARE(Ringmaster::finish(*job).exitCode, 0);
        QVERIFY2(table.exitCode == 0, table.error);
        QVERIFY2(table.output.contains("GPU 0  Fake H200") && table.output.contains("rank 1 of "),
                 table.output);
        QVERIFY2(table.output.contains("Rank 1 of ") &&
                     table.output.contains("also holds memory on GPU 0") &&
                     table.output.contains("torch.cuda.set_device"),
                 table.output);
        const QJsonObject json = QJsonDocument::fromJson(told.output).object();
        QCOMPARE(json["processes"].toArray().size(), 3);
        QCOMPARE(json["processes"][0]["rank"].toInt(), 0);
        QCOMPARE(json["findings"].toArray().size(), 1);
        QVERIFY(json["absence"]["text"].toString().contains("GPU 2"));
    }

    /// Of a job on hosts whose only host is this machine.
    void aRunOfThisMachineIsTakenOver()
    {
        const Ringmaster ringmaster;
        const auto first = startOnLocalhost(ringmaster);
        QVERIFY(waitForText(*first, "it runs", QProcess::StandardOutput));
        first->kill();
        first->waitForFinished();
        const QString run = ringmaster.runs().value(0);
        const auto listed = QJsonDocument::fromJson(ringmaster.run({"ps", "--json"}).output);
        QCOMPARE(listed[0]["state"].toString(), QString("lost"));
        const QJsonValue left = listed[0]["hostsAtWork"];
        QCOMPARE(left["hosts"].toArray(), QJsonArray{"localhost"});
        QCOMPARE(left["command"].toString(), "ringmaster takeover " + run);
        QVERIFY(left["until"]["ns"].toDouble() > listed[0]["endedAt"]["ns"].toDouble());
        const auto second = ringmaster.start({"takeover", run});
        QVERIFY(waitForText(*second, "localhost: connected", QProcess::StandardError));
        endsOnceTakenOver(ringmaster, *second, run);
    }

    void aTakeoverWaitsForWhoClosesTheRun_data()
    {
        QTest::addColumn<bool>("isListed"); ///< As lost already.
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("begins to") << false << true;
        QTest::newRow("begins to, and no run is named") << false << false;
        QTest::newRow("is about to let it go") << true << true;
    }

    /// An open dashboard notices at once that a lead is gone. It has the run's lock meanwhile.
    void aTakeoverWaitsForWhoClosesTheRun()
    {
        QFETCH(bool, isListed);
        QFETCH(bool, isNamed);
        const Ringmaster command;
        const auto first = startOnLocalhost(command);
        QVERIFY(waitForText(*first, "it runs", QProcess::StandardOutput));
        const QString run =
            QDir(command.runsFolder()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
        QVERIFY(!run.isEmpty());
        first->kill();
        first->waitForFinished();
        if (isListed)
            QCOMPARE(command.runs(), QStringList{run});
        auto lock = std::make_optional(lockOf(command.runsFolder() + "/" + run));
        QVERIFY(lock->has_value());
        const auto second =
            command.start(isNamed ? QStringList{"takeover", run} : QStringList{"takeover"});
        QVERIFY(!second->waitForFinished(2000));
        lock.reset();
        QVERIFY(waitForText(*second, "localhost: connected", QProcess::StandardError));
        endsOnceTakenOver(command, *second, run);
    }

    /// It was stopped, and those who came before have filled its queue.
    void anAgentThatTakesNobodyIsNotTakenForOneThatHasEnded()
    {
        const Ringmaster command;
        const QString enough = command.folder() + "/enough";
        const auto job =
            command.start({"run", "--standalone", "--no-python", "/bin/sh", "-c",
                           "echo up; until test -e " + enough + "; do sleep 0.05; done"});
        QVERIFY(waitForText(*job, "up", QProcess::StandardOutput));
        const QString run = command.runs().value(0);
        const auto agent =
            ringmaster::RunFolder::find(command.runsFolder().toStdString(), run.toStdString())
                .and_then([](const ringmaster::RunFolder& folder) { return folder.agent(); });
        QVERIFY(agent.has_value());
        const pid_t pid = agent->process.pid;
        QCOMPARE(::kill(pid, SIGSTOP), 0);
        QTRY_COMPARE(ringmaster::stateOf(pid), 'T');
        std::vector<ringmaster::FileDescriptor> waiting;
        for (bool isTaken = true; isTaken;) {
            auto connection = ringmaster::connectLocally(agent->socket);
            isTaken = connection.has_value();
            if (isTaken)
                waiting.push_back(*std::move(connection));
        }
        const auto stopped = command.run({"stop", run});
        const auto reached = command.run({"agent", "run", run});
        QCOMPARE(::kill(pid, SIGCONT), 0);
        waiting.clear();
        QFile(enough).open(QIODevice::WriteOnly);
        QCOMPARE(Ringmaster::finish(*job).exitCode, 0);

        QCOMPARE(stopped.exitCode, 2);
        const QByteArray number = QByteArray::number(pid);
        for (const auto& outcome : {stopped, reached}) {
            QVERIFY2(outcome.error.contains("(process " + number + ") takes no connection"),
                     outcome.error);
            QVERIFY2(outcome.error.contains("`kill -CONT " + number + "`"), outcome.error);
        }
        QCOMPARE(reached.exitCode, ringmaster::AgentNotThereExit); // who follows asks again
    }

    void jsonOutputsAreJson_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("ps") << QStringList{"ps", "--all", "--json"};
        QTest::newRow("ps of nothing") << QStringList{"ps", "--json"};
        QTest::newRow("show") << QStringList{"show", "broken", "--json"};
        QTest::newRow("events") << QStringList{"show", "--events", "--json", "broken"};
        QTest::newRow("doctor") << QStringList{"doctor", "--json"};
        QTest::newRow("env") << QStringList{"env", "--json", "--no-python", "/bin/true"};
        QTest::newRow("version") << QStringList{"version", "--json"};
        QTest::newRow("prune") << QStringList{"prune", "--json"};
        QTest::newRow("export") << QStringList{"export", "broken", "--dry-run", "--json"};
        QTest::newRow("logs") << QStringList{"logs", "broken", "--lines", "1", "--json"};
    }

    void jsonOutputsAreJson()
    {
        QFETCH(QStringList, arguments);
        const auto done = m_ringmaster.run(arguments);
        QJsonParseError error{};
        const auto json = QJsonDocument::fromJson(done.output, &error);
        QVERIFY2(error.error == QJsonParseError::NoError, done.output + done.error);
        QVERIFY(!json.isNull());
        // A program that reads it knows by this whether it can.
        const QJsonArray all =
            json.isArray() ? json.array() : QJsonArray{QJsonValue(json.object())};
        for (const QJsonValue& one : all)
            QCOMPARE(one.toObject()["format"].toInt(), 1);
    }

    void psListsRunsWithTheirState()
    {
        QVERIFY(!m_ringmaster.run({"ps"}).output.contains("broken"));
        const QJsonObject run = json({"ps", "-a", "--json"}).array().at(0).toObject();
        QCOMPARE(run["id"].toString(), m_run);
        QCOMPARE(run["name"].toString(), QString("broken"));
        QCOMPARE(run["state"].toString(), QString("failed"));
        QCOMPARE(run["worldSize"].toInt(), 2);
        QCOMPARE(run["isLive"].toBool(), false);
    }

    void psAndShowSayWhatTheWorkersPrint()
    {
        const Ringmaster ringmaster;
        const QString enough = ringmaster.folder() + "/enough";
        const auto job = ringmaster.start(
            {"run", "--standalone", "--nproc-per-node", "2", "--number", "queue=(\\d+) wait",
             "--no-python", "/bin/sh", "-c",
             "i=0; until test -e " + enough +
                 "; do i=$((i+1)); echo step $i/1000000 loss 0.5, 7 wait; sleep 0.05; done"});
        QVERIFY(waitForText(*job, "step 2/", QProcess::StandardOutput));
        const auto listed = [&]() -> QJsonObject {
            const auto said = ringmaster.run({"ps", "--json"});
            return QJsonDocument::fromJson(said.output)
                .array()
                .at(0)
                .toObject()["numbers"]
                .toObject();
        };
        const auto progress = [&](const char* name) {
            return listed().value("progress").toObject().value(QLatin1String(name)).toDouble();
        };
        QTRY_VERIFY(progress("secondsLeft") > 0);
        QVERIFY(progress("perSecond") > 0);
        // Three numbers of two ranks.
        QTRY_COMPARE(listed().value("latest").toArray().size(), 6);
        const QByteArray table = ringmaster.run({"ps"}).output;
        QVERIFY2(table.contains("loss 0.5  queue 7  ETA "), table);
        QFile(enough).open(QIODevice::WriteOnly);
        QCOMPARE(Ringmaster::finish(*job).exitCode, 0);

        // Nobody waits for the end of what is over.
        const QString run = ringmaster.runs().value(0);
        const QByteArray shown = ringmaster.run({"show", run}).output;
        QVERIFY2(shown.contains("loss 0.5  queue 7\n"), shown);
        const auto said = ringmaster.run({"show", "--json", run});
        const QJsonObject json = QJsonDocument::fromJson(said.output).object();
        QVERIFY(json["numbers"]["progress"]["secondsLeft"].isNull());
        QCOMPARE(json["numbers"]["progress"]["total"].toInt(), 1'000'000);
        QCOMPARE(json["numbers"]["latest"][0]["name"].toString(), QString("loss"));
        QVERIFY(!ringmaster.run({"ps", "--all"}).output.contains("ETA"));
    }

    void aRuleForNumbersIsCheckedBeforeTheStart()
    {
        const auto done = m_ringmaster.run(
            {"run", "--standalone", "--number", "loss=(", "--no-python", "/bin/true"});
        QCOMPARE(done.exitCode, 2);
        QVERIFY2(done.error.contains("loss") && done.error.contains("isn't an expression"),
                 done.error);
    }

    void showSaysWhyARunFailed()
    {
        const auto shown = m_ringmaster.run({"show", m_run.left(m_run.size() - 1)});
        QVERIFY2(shown.exitCode == 0, shown.error);
        for (const char* expected : {"broken", "failed", "exit code 7", "RANK"})
            QVERIFY2(shown.output.contains(expected), shown.output);
        const QJsonObject run = json({"show", "broken", "--json"}).object();
        QCOMPARE(run["exitCode"].toInt(), 1);
        QCOMPARE(run["firstCause"].toObject()["rank"].toInt(), 1);
        QCOMPARE(run["workers"].toArray().size(), 2);
    }

    void eventsComeInOrderWithoutAGap()
    {
        const QJsonArray events =
            json({"show", "broken", "--events", "--json"}).object()["events"].toArray();
        QVERIFY(events.size() > 5);
        for (int i = 0; i < events.size(); ++i)
            QCOMPARE(events[i].toObject()["sequence"].toInt(), i + 1);
        QCOMPARE(events[0].toObject()["kind"].toString(), QString("runStarted"));
        const QJsonObject last = events.last().toObject();
        QCOMPARE(last["kind"].toString(), QString("runStateChanged"));
        QCOMPARE(last["state"].toString(), QString("failed"));
    }

    void logsAreFilteredByRankStreamAndText()
    {
        const auto lines = [&](const QStringList& options) {
            auto found =
                m_ringmaster.run(QStringList{"logs", "broken"} + options).output.split('\n');
            found.removeAll("");
            std::sort(found.begin(), found.end());
            return found;
        };
        using Lines = QList<QByteArray>;
        QCOMPARE(lines({}), (Lines{"[0] one 0", "[0] two 0", "[1] one 1", "[1] two 1"}));
        QCOMPARE(lines({"--rank", "1"}), (Lines{"one 1", "two 1"}));
        QCOMPARE(lines({"--rank", "1", "--stream", "stderr"}), (Lines{"two 1"}));
        QCOMPARE(lines({"--grep", "/^one/"}), (Lines{"[0] 1: one 0", "[1] 1: one 1"}));
        QCOMPARE(lines({"--attempt", "1"}), Lines());
        QCOMPARE(lines({"--rank", "0", "-n", "0"}), Lines());
        QCOMPARE(lines({"-n", "3"}).size(), 3);
    }

    void logsSearchesAsGrepDoes()
    {
        const Ringmaster ringmaster;
        const auto job = ringmaster.run({"run", "--no-python", "--name", "long", "/bin/sh", "-c",
                                         "for i in 1 2 3 4 5 6 7 8 9; do echo line $i; done; "
                                         "printf 'a.b\\n\\033[31mER\\033[0mROR"
                                         " no end'"});
        QVERIFY2(job.exitCode == 0, job.error);
        const auto logs = [&](const QStringList& options) {
            const auto done = ringmaster.run(QStringList{"logs", "long"} + options);
            return QString::fromUtf8(done.output) + QString::number(done.exitCode);
        };
        QCOMPARE(logs({"--grep", "LINE", "-n", "1"}), QString("[0] 9: line 9\n0"));
        QCOMPARE(logs({"--grep", "nothing like that"}), QString("1"));
        QCOMPARE(logs({"-g", "line", "--count"}), QString("9\n0"));
        QCOMPARE(logs({"-g", "lines", "--count"}), QString("0\n1"));
        QCOMPARE(logs({"-g", "line", "--count", "--json"}),
                 QString("{\"format\":1,\"matches\":9}\n0"));
        QCOMPARE(logs({"-g", "line [2-3]|^a.b$", "--regex", "--rank", "0"}),
                 QString("2: line 2\n3: line 3\n10: a.b\n0"));
        QCOMPARE(logs({"-g", "/line [28]/", "--context", "1"}),
                 QString("[0] 1- line 1\n[0] 2: line 2\n[0] 3- line 3\n--\n"
                         "[0] 7- line 7\n[0] 8: line 8\n[0] 9- line 9\n0"));
        QCOMPARE(logs({"-g", "level:error"}), QString("[0] 11: ERROR no end\n0"));
        QCOMPARE(logs({"-g", "line rank:1"}), QString("1"));
        QCOMPARE(logs({"-g", "line", "--stream", "stderr"}), QString("1"));
        const auto json =
            QJsonDocument::fromJson(ringmaster.run({"logs", "long", "-g", "9", "--json"}).output);
        QCOMPARE(json["line"].toInt(), 9);
        QCOMPARE(json["isMatch"].toBool(), true);
        QCOMPARE(json["text"].toString(), QString("line 9"));
    }

    void logsSearchesARunThatGoesOn()
    {
        const Ringmaster ringmaster;
        const QString enough = ringmaster.folder() + "/enough";
        const auto job =
            ringmaster.start({"run", "--no-python", "--name", "live", "/bin/sh", "-c",
                              "echo first; printf 'Password: '; until test -e " + enough +
                                  "; do sleep 0.05; done; echo; echo last first"});
        QVERIFY(waitForText(*job, "first", QProcess::StandardOutput));
        // What is recorded may come a moment later than what is shown.
        QTRY_COMPARE(ringmaster.run({"logs", "-g", "password"}).output,
                     QByteArray("[0] 2: Password: \n"));
        const auto follower = ringmaster.start({"logs", "-f", "-g", "first"});
        QVERIFY(waitForText(*follower, "[0] 1: first", QProcess::StandardOutput));
        QFile(enough).open(QIODevice::WriteOnly);
        QVERIFY(waitForText(*follower, "[0] 3: last first", QProcess::StandardOutput));
        QCOMPARE(Ringmaster::finish(*follower).exitCode, 0);
        QCOMPARE(Ringmaster::finish(*job).exitCode, 0);
    }

    void exportsAFileThatShowsAndReadsAlone()
    {
        const QString file = m_ringmaster.folder() + "/shared.ringrun";
        const auto done = m_ringmaster.run({"export", "broken", "-o", file});
        QVERIFY2(done.exitCode == 0, done.error);
        const Ringmaster elsewhere;
        const auto shown = elsewhere.run({"show", file});
        QVERIFY2(shown.exitCode == 0, shown.error);
        QVERIFY(shown.output.contains("exit code 7"));
        QVERIFY(elsewhere.run({"logs", file, "--rank", "0"}).output.contains("one 0"));
    }

    void aTemporaryFolderThatCannotBeMadeIsSaid_data()
    {
        QTest::addColumn<QString>("place");
        QTest::newRow("missing") << m_ringmaster.folder() + "/nowhere";
        QTest::newRow("a file") << QStringLiteral(RINGMASTER_SOURCE_DIR) + "/README.md";
        // Not even root makes a folder there.
        QTest::newRow("not writable") << QString("/proc");
    }

    void aTemporaryFolderThatCannotBeMadeIsSaid()
    {
        QFETCH(const QString, place);
        Ringmaster elsewhere;
        elsewhere.environment() = m_ringmaster.environment();
        elsewhere.environment().insert("TMPDIR", place);
        const QString lesson =
            QStringLiteral(RINGMASTER_SOURCE_DIR) + "/resources/examples/my-first.ringlesson";
        for (const QStringList& arguments :
             {QStringList{"export", "broken", "-o", "-"}, QStringList{"lesson", "run", lesson}}) {
            const auto refused = elsewhere.run(arguments);
            QVERIFY2(refused.exitCode == 2, refused.output + refused.error);
            QVERIFY2(refused.error.startsWith("ringmaster: "), refused.error);
            QVERIFY2(refused.error.contains("in " + place.toUtf8() + "; set TMPDIR"),
                     refused.error);
        }
        // The lesson's program isn't written where the user is, instead.
        QCOMPARE(QDir(elsewhere.folder()).entryList(QStringList{"*.py"}), QStringList());
    }

    /// As where a user has as many as are allowed: here each would need more memory than there are
    /// addresses.
    void aThreadThatCannotStartIsSaid()
    {
        const QString lesson =
            QStringLiteral(RINGMASTER_SOURCE_DIR) + "/resources/examples/my-first.ringlesson";
        QProcess process;
        process.setProcessEnvironment(m_ringmaster.environment());
        process.start("/bin/sh", {"-c", "ulimit -s 137438953472 && exec \"$0\" \"$@\"",
                                  Ringmaster::executable(), "lesson", "run", lesson});
        const auto refused = Ringmaster::finish(process);
        QVERIFY2(refused.exitCode == 2, refused.output + refused.error);
        QVERIFY2(refused.error.startsWith("ringmaster: "), refused.error);
        QVERIFY2(refused.error.contains("ulimit -u"), refused.error);
    }

    void showMasksWhatLooksLikeASecret()
    {
        const Ringmaster ringmaster;
        const auto run = ringmaster.run({"run", "--standalone", "--env", "HF_TOKEN=hf_secret",
                                         "--no-python", "/bin/true", "--api-key", "s3cret"});
        QVERIFY2(run.exitCode == 0, run.error);
        const QByteArray shown = ringmaster.run({"show"}).output;
        QVERIFY2(shown.contains("HF_TOKEN=*** ") && shown.contains("/bin/true --api-key ***\n"),
                 shown);
        QVERIFY2(!shown.contains("hf_secret") && !shown.contains("s3cret"), shown);
    }

    void aHostsVariableHasAName()
    {
        Ringmaster ringmaster;
        ringmaster.environment().insert("XDG_CONFIG_HOME", ringmaster.folder() + "/config");
        QCOMPARE(ringmaster.run({"host", "add", "gpu1", "--env", "COLOUR=red"}).exitCode, 0);
        const auto refused = ringmaster.run({"host", "edit", "gpu1", "--env", "A-B=1"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains("A-B can't be a variable's name"), refused.error);
        const QByteArray listed = ringmaster.run({"host", "ls", "--json"}).output;
        QVERIFY2(listed.contains("COLOUR") && !listed.contains("A-B"), listed);
    }

    void envMarksWhoSetsWhat()
    {
        const auto entries = json({"env", "--json", "--rank", "3", "--nproc-per-node", "4", "--env",
                                   "COLOUR=red", "--no-python", "/bin/true"})
                                 .array();
        const auto entry = [&](const char* name) {
            for (const auto& one : entries) {
                if (one.toObject()["name"].toString() == name)
                    return one.toObject()["value"].toString() + " " +
                           one.toObject()["origin"].toString();
            }
            return QString();
        };
        QCOMPARE(entry("RANK"), QString("3 torchrun"));
        QCOMPARE(entry("WORLD_SIZE"), QString("4 torchrun"));
        QCOMPARE(entry("MASTER_PORT"), QString("0 torchrun"));
        QCOMPARE(entry("COLOUR"), QString("red job"));
        QVERIFY(entry("RINGMASTER_RUN").endsWith(" ringmaster"));
        QCOMPARE(m_ringmaster.run({"env", "--rank", "4", "--no-python", "/bin/true"}).exitCode, 2);
    }

    void jobsAreConvertedBothWays()
    {
        const auto file = m_ringmaster.run(
            {"job", "--from-torchrun", "--nproc-per-node", "4", "--max-restarts", "2", "train.py"});
        QVERIFY2(file.exitCode == 0, file.error);
        QVERIFY2(file.output.contains("workers = 4"), file.output);
        QFile saved(m_ringmaster.folder() + "/train.ringjob");
        QVERIFY(saved.open(QIODevice::WriteOnly));
        saved.write(file.output);
        saved.close();
        const auto line = m_ringmaster.run({"job", "--to-torchrun", "train.ringjob"});
        QVERIFY2(line.exitCode == 0, line.error);
        for (const char* expected : {"torchrun", "--nproc-per-node", "--max-restarts", "train.py"})
            QVERIFY2(line.output.contains(expected), line.output);
        const auto script = m_ringmaster.run({"job", "--to-sbatch", "train.ringjob"});
        QVERIFY2(script.output.startsWith("#!/bin/bash\n#SBATCH "), script.output);
        const auto refused = m_ringmaster.run({"job", "--to-kubernetes", "train.ringjob"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains("name its image"), refused.error);
        const auto manifest =
            m_ringmaster.run({"job", "--to-kubernetes", "--image", "pytorch:2.11", "train.py"});
        QCOMPARE(QJsonDocument::fromJson(manifest.output)["kind"].toString(), "TrainJob");
        QCOMPARE(m_ringmaster.run({"job", "--check", "train.ringjob"}).exitCode, 2); // no train.py
    }

    void complainsClearly_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("command") << QStringList{"lgs"} << QByteArray("did you mean “logs”?");
        QTest::newRow("far off") << QStringList{"zzzzzz"} << QByteArray("no command “zzzzzz”");
        QTest::newRow("option") << QStringList{"ps", "--nope"} << QByteArray("--nope");
        QTest::newRow("run") << QStringList{"logs", "brokem"} << QByteArray("did you mean broken");
        QTest::newRow("file") << QStringList{"show", "./none.ringrun"}
                              << QByteArray("none.ringrun");
        QTest::newRow("ended") << QStringList{"stop", "broken"} << QByteArray("has ended");
        QTest::newRow("nothing runs") << QStringList{"restart"} << QByteArray("No run is running");
        QTest::newRow("signal") << QStringList{"signal", "0", "SIGNOPE"} << QByteArray("SIGNOPE");
        QTest::newRow("rank") << QStringList{"logs", "broken", "--rank", "x"} << QByteArray("“x”");
        QTest::newRow("shell") << QStringList{"completion", "csh"} << QByteArray("csh");
        QTest::newRow("level") << QStringList{"logs", "broken", "--grep", "level:warn"}
                               << QByteArray("info, warning and error");
        QTest::newRow("expression")
            << QStringList{"logs", "broken", "--regex", "--grep", "("} << QByteArray("“/(/”");
        QTest::newRow("context alone")
            << QStringList{"logs", "broken", "--context", "3"} << QByteArray("--grep");
    }

    void complainsClearly()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const auto refused = m_ringmaster.run(arguments);
        QVERIFY2(refused.exitCode == 2, refused.output + refused.error);
        QVERIFY2(refused.error.startsWith("ringmaster: "), refused.error);
        QVERIFY2(refused.error.contains(says), refused.error);
    }

    void aTruncatedRunFileIsRefusedOrReadAsFarAsItGoes()
    {
        const QString path = m_ringmaster.folder() + "/cut.ringrun";
        QFile whole(m_ringmaster.runsFolder() + "/" + m_run + "/run.ringrun");
        QVERIFY(whole.open(QIODevice::ReadOnly));
        QFile cut(path);
        QVERIFY(cut.open(QIODevice::WriteOnly));
        cut.write(whole.read(1000));
        cut.close();
        const auto refused = m_ringmaster.run({"show", path});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains("cut.ringrun"), refused.error);
    }

    void helpCompletionAndManualKnowEveryCommand()
    {
        const auto help = m_ringmaster.run({"--help"});
        QCOMPARE(help.exitCode, 0);
        for (const char* command :
             {"run", "ps", "logs", "show", "stop", "restart", "signal", "rm", "prune", "export",
              "label", "compare", "doctor", "env", "job", "completion"}) {
            QVERIFY2(help.output.contains(command), command);
            const auto manual = m_ringmaster.run({"man", command});
            QVERIFY2(manual.output.startsWith(".TH RINGMASTER"), manual.output);
            const auto its = m_ringmaster.run({command, "--help"});
            QVERIFY2(its.exitCode == 0 && !its.output.isEmpty(), command);
        }
        for (const char* shell : {"bash", "zsh", "fish"}) {
            const auto completion = m_ringmaster.run({"completion", shell});
            QVERIFY(completion.output.contains("nproc-per-node"));
        }
        QProcess bash;
        bash.start("bash", {"-n"});
        bash.write(m_ringmaster.run({"completion", "bash"}).output);
        bash.closeWriteChannel();
        QVERIFY(bash.waitForFinished());
        QVERIFY2(bash.exitCode() == 0, bash.readAllStandardError());
    }

    void aRunIsNamedTaggedAndPinned()
    {
        const auto labelled =
            m_ringmaster.run({"label", m_run, "--name", "the broken one", "--tag", "lr", "--tag",
                              "old", "--note", "see rank 1", "--pin"});
        QVERIFY2(labelled.exitCode == 0, labelled.error);
        QCOMPARE(m_ringmaster.run({"label", m_run, "--untag", "old"}).exitCode, 0);
        const QByteArray listed = m_ringmaster.run({"ps", "--all"}).output;
        QVERIFY2(listed.contains("pinned  “the broken one”  #lr\n"), listed);
        const QByteArray shown = m_ringmaster.run({"show", "the broken one"}).output;
        QVERIFY2(shown.contains("Label       the broken one\n") &&
                     shown.contains("Tags        lr\n") &&
                     shown.contains("Note        see rank 1\n"),
                 shown);
        const QJsonObject run = json({"ps", "--all", "--json"}).array().last().toObject();
        QCOMPARE(run["label"].toString(), QString("the broken one"));
        QCOMPARE(run["tags"].toArray(), QJsonArray{"lr"});
        QCOMPARE(run["purpose"].toString(), QString("job"));
        QCOMPARE(m_ringmaster.run({"label", m_run, "--name", "", "--unpin"}).exitCode, 0);
        QVERIFY(!m_ringmaster.run({"ps", "--all"}).output.contains("pinned"));
        QCOMPARE(m_ringmaster.run({"label", "nobody", "--pin"}).exitCode, 2);
    }

    void runsAreLaidBesideEachOther()
    {
        const Ringmaster ringmaster;
        for (const char* loss : {"0.5", "0.25"}) {
            const auto run = ringmaster.run({"run", "--standalone", "--nproc-per-node", "1",
                                             "--name", QString("loss ") + loss, "--no-python",
                                             "/bin/sh", "-c", QString("echo loss ") + loss});
            QVERIFY2(run.exitCode == 0, run.error);
        }
        // Those that are over have printed something, too.
        const QByteArray listed = ringmaster.run({"ps", "--all"}).output;
        QVERIFY2(listed.contains("loss 0.25\n") && listed.contains("loss 0.5\n"), listed);
        const auto told = ringmaster.run({"compare", "loss 0.5", "loss 0.25"});
        QVERIFY2(told.exitCode == 0, told.error);
        QVERIFY2(told.output.contains("A  loss 0.5 ") && told.output.contains("B  loss 0.25 ") &&
                     told.output.contains("(0.5x)"),
                 told.output);
        const QJsonObject compared =
            QJsonDocument::fromJson(
                ringmaster.run({"compare", "loss 0.5", "loss 0.25", "--json"}).output)
                .object();
        QCOMPARE(compared["runs"].toArray().size(), 2);
        QCOMPARE(compared["settings"][0]["setting"].toString(), QString("name"));
        bool isFound = false;
        for (const QJsonValue& quantity : compared["quantities"].toArray()) {
            if (quantity["quantity"].toString() != "last")
                continue;
            isFound = true;
            QCOMPARE(quantity["subject"].toString(), QString("loss"));
            QCOMPARE(quantity["values"].toArray(), (QJsonArray{0.5, 0.25}));
        }
        QVERIFY(isFound);
        QVERIFY(ringmaster.run({"compare", "loss 0.5"}).exitCode != 0);
    }

    void removesFinishedRunsOnly()
    {
        const auto started = m_ringmaster.run(
            {"run", "--detach", "--standalone", "--name", "busy", "--no-python", "sleep", "600"});
        QVERIFY2(started.exitCode == 0, started.error);
        const auto refused = m_ringmaster.run({"rm", "busy"});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.error.contains("still running"), refused.error);

        // The run is there before its workers are.
        QTRY_COMPARE(m_ringmaster.run({"signal", "0", "KILL", "busy"}).exitCode, 0);
        QTRY_VERIFY(!m_ringmaster.run({"ps"}).output.contains("busy"));
        QCOMPARE(m_ringmaster.run({"rm", "busy", m_run}).exitCode, 0);
        QCOMPARE(m_ringmaster.runs(), QStringList());
    }

private:
    static QString enoughOf(const Ringmaster& command) { return command.folder() + "/enough"; }

    /// A job on hosts whose only host is this machine; it ends once endsOnceTakenOver() wants that.
    static std::unique_ptr<QProcess> startOnLocalhost(const Ringmaster& command)
    {
        return command.start({"run", "--hosts", "localhost", "--no-python", "/bin/sh", "-c",
                              "echo it runs; until test -e " + enoughOf(command) +
                                  "; do sleep 0.05; done; echo it has ended"});
    }

    static void endsOnceTakenOver(const Ringmaster& command, QProcess& takeover, const QString& run)
    {
        QFile(enoughOf(command)).open(QIODevice::WriteOnly);
        const auto outcome = Ringmaster::finish(takeover);
        QVERIFY2(outcome.exitCode == 0, outcome.error);
        QVERIFY2(outcome.output.contains("it has ended"), outcome.output);
        QTRY_COMPARE(processesWith(run.toUtf8()), 0);
    }

    QJsonDocument json(const QStringList& arguments) const
    {
        return QJsonDocument::fromJson(m_ringmaster.run(arguments).output);
    }

    Ringmaster m_ringmaster;
    QString m_run;
};

QTEST_GUILESS_MAIN(tst_other_commands)
#include "tst_other_commands.moc"
