#include "tests/cli/Ringmaster.h"
#include "tests/slurm/LabSlurm.h"
#include "tests/support/Patience.h"
#include "tests/support/TorchInterpreter.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QtTest>

#include <csignal>

#include <unistd.h>

namespace {

QStringList inImage(const QStringList& options, const QStringList& program)
{
    return QStringList{
               "run",   "--standalone", "--image", "localhost/busybox:1", "--container-engine",
               "podman"} +
           options + QStringList{"--no-python"} + program;
}

QByteArray podman(const QStringList& words)
{
    QProcess process;
    process.start("podman", words);
    process.waitForFinished(60'000);
    return process.readAllStandardOutput().trimmed();
}

pid_t processWith(const QRegularExpression& commandLine)
{
    for (const QString& pid : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        QFile file("/proc/" + pid + "/cmdline");
        if (file.open(QIODevice::ReadOnly) &&
            commandLine.match(QString::fromUtf8(file.readAll().replace('\0', ' '))).hasMatch())
            return pid.toInt();
    }
    return -1;
}

/// Its command line is its path and the run.
pid_t keeperOf(const QString& run)
{
    return processWith(QRegularExpression("ringmaster-keeper " + run + " $"));
}

pid_t guardOf(const QString& run)
{
    return processWith(QRegularExpression("ringmaster-keeper --guard \\d+ " + run + " $"));
}

} // namespace

/// Workers in containers of a real podman (tests/labs/podman.sh), in which this program runs.
class tst_containers : public QObject
{
    Q_OBJECT

private:
    static constexpr int NoDocker = 77; // of the lab: it can't be had here

    Ringmaster m_ringmaster;

    Ringmaster::Outcome inDockerLab(const QString& script)
    {
        QProcess lab;
        lab.setProcessEnvironment(m_ringmaster.environment());
        lab.start(RINGMASTER_SOURCE_DIR "/tests/labs/docker.sh", {"/bin/sh", "-c", script});
        return Ringmaster::finish(lab, PatienceForTorch);
    }

    QString explanation()
    {
        const auto shown =
            QJsonDocument::fromJson(m_ringmaster.run({"show", "--json"}).output).object();
        return shown.value("firstCause")
            .toObject()
            .value("cause")
            .toObject()
            .value("code")
            .toString();
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_PODMAN"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_PODMAN")));
    }

    void workersRunInTheImage()
    {
        const auto process = m_ringmaster.start(
            inImage({"--nproc-per-node", "2", "--env", "HF_TOKEN=hidden"},
                    {"/bin/sh", "-c", "echo $RANK of $WORLD_SIZE $HF_TOKEN $(ls /bin | wc -l)"}));
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        for (const char* line : {"0 of 2 hidden", "1 of 2 hidden"})
            QVERIFY2(outcome.output.contains(line), outcome.output + outcome.error);
        QVERIFY2(podman({"ps", "--all", "--quiet"}).isEmpty(), "a container is left");
    }

    /// torch and all that it needs are this machine's, mounted.
    void operationsAreRecordedInAContainer()
    {
        const QString python = ringmaster::test::torchInterpreter();
        if (python.isEmpty())
            QSKIP("no interpreter has torch");
        if (!QFileInfo(python).canonicalFilePath().startsWith("/usr/"))
            QSKIP("Python isn't below /usr, which the container has");
        const QString environment = QFileInfo(python).path() + "/..";
        const QString folder = QDir::cleanPath(environment);
        QFile program(m_ringmaster.folder() + "/train.py");
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("import torch, torch.distributed as dist\n"
                      "dist.init_process_group('gloo')\n"
                      "model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))\n"
                      "model(torch.ones(2, 4)).sum().backward()\n"
                      "dist.destroy_process_group()\n");
        program.close();
        const auto mount = [](const QString& mounted) {
            return "--container-mount=" + mounted + ":ro";
        };
        const auto process = m_ringmaster.start(
            {"run", "--standalone", "--image", "localhost/busybox:1", "--container-engine",
             "podman", mount("/usr:/usr"), mount("/usr/lib:/lib"), mount("/usr/lib64:/lib64"),
             mount(folder + ":" + folder), mount(program.fileName() + ":" + program.fileName()),
             "--env", "USER=me", "--python", python, "--nproc-per-node", "2", program.fileName()});
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        const auto shown = m_ringmaster.run({"show", "--operations"});
        QVERIFY2(shown.output.contains("all_reduce") && shown.output.contains("gloo"),
                 shown.output + outcome.error);
    }

    void anImageIsFetchedOnceAndShown()
    {
        const QString image = qEnvironmentVariable("RINGMASTER_REGISTRY") + "/test/image:1";
        const QStringList words{"run",
                                "--standalone",
                                "--image",
                                image,
                                "--container-engine",
                                "podman",
                                "--container-option=--tls-verify=false",
                                "--nproc-per-node",
                                "2",
                                "--no-python",
                                "/bin/sh",
                                "-c",
                                "echo $RANK; ls /more"};
        const auto fetched = Ringmaster::finish(*m_ringmaster.start(words), PatienceForTorch);
        QVERIFY2(fetched.exitCode == 0, fetched.error + fetched.output);
        for (const char* line :
             {"podman fetches the image", " of 3 MiB after ", "podman has fetched the image"})
            QVERIFY2(fetched.error.contains(line), fetched.error);
        const auto again = Ringmaster::finish(*m_ringmaster.start(words), PatienceForTorch);
        QVERIFY2(again.exitCode == 0, again.error + again.output);
        QVERIFY2(!again.error.contains("fetches the image"), again.error);
        QFile log(qEnvironmentVariable("RINGMASTER_PODMAN_LAB") + "/registry.log");
        QVERIFY(log.open(QIODevice::ReadOnly));
        const QByteArray asked = log.readAll();
        QVERIFY2(asked.count("/test/image/manifests/1") == 1, asked);
    }

    void aStopWhileAnImageIsFetchedEndsTheEngine()
    {
        const QString image = qEnvironmentVariable("RINGMASTER_REGISTRY") + "/test/image:1";
        podman({"rmi", image});
        // It can't have come before the stop does.
        QFile hold(qEnvironmentVariable("RINGMASTER_PODMAN_LAB") + "/registry.hold");
        QVERIFY(hold.open(QIODevice::WriteOnly));
        const auto release = qScopeGuard([&] { hold.remove(); });
        const auto process = m_ringmaster.start(
            {"run", "--standalone", "--image", image, "--container-engine", "podman",
             "--container-option=--tls-verify=false", "--no-python", "/bin/sh", "-c", "true"});
        QVERIFY(
            waitForText(*process, "fetches the image", QProcess::StandardError, PatienceForTorch));
        process->terminate();
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QCOMPARE(outcome.exitCode, 128 + 15);
        QTRY_VERIFY2_WITH_TIMEOUT(processesWith(m_ringmaster.folder().toUtf8()) == 0,
                                  "something is left", PatienceForTorch);
    }

    void exitCodesAreToldApart_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("code");
        QTest::newRow("the program's own")
            << inImage({}, {"/bin/sh", "-c", "exit 3"}) << "WorkerExitedWithCode";
        QTest::newRow("no such program")
            << inImage({}, {"/bin/nothing"}) << "ContainerCommandMissing";
        QTest::newRow("not executable") << inImage({}, {"/etc"}) << "ContainerCommandNotExecutable";
    }

    void exitCodesAreToldApart()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, code);
        const auto process = m_ringmaster.start(words);
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(explanation() == code,
                 qPrintable(explanation() + "\n" + QString::fromUtf8(outcome.error)));
    }

    void anImageThatCannotBeHadIsExplained_data()
    {
        QTest::addColumn<QString>("image");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("code");
        const QString registry = qEnvironmentVariable("RINGMASTER_REGISTRY");
        const QStringList plain{"--container-option=--tls-verify=false"};
        QTest::newRow("unknown") << registry + "/test/nothing:1" << plain
                                 << "ContainerImageUnknown";
        QTest::newRow("login") << registry + "/secret/x:1" << plain << "ContainerRegistryLogin";
        QTest::newRow("not trusted")
            << registry + "/test/nothing:2" << QStringList() << "ContainerRegistryUntrusted";
        QTest::newRow("no registry") << "127.0.0.1:1/x:1" << plain << "ContainerRegistryAway";
        QTest::newRow("short name") << "nothing" << plain << "ContainerImageShortName";
        QTest::newRow("not to be fetched")
            << "localhost/nothing:1" << QStringList{"--container-option=--pull=never"}
            << "ContainerImageAbsent";
    }

    void anImageThatCannotBeHadIsExplained()
    {
        QFETCH(QString, image);
        QFETCH(QStringList, options);
        QFETCH(QString, code);
        const auto process = m_ringmaster.start(
            QStringList{"run", "--standalone", "--image", image, "--container-engine", "podman"} +
            options + QStringList{"--no-python", "true"});
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(outcome.error.contains(image.toUtf8()), outcome.error);
        QCOMPARE(QJsonDocument::fromJson(m_ringmaster.run({"show", "--json"}).output)
                     .object()
                     .value("reason")
                     .toObject()
                     .value("code")
                     .toString(),
                 code);
    }

    void moreMemoryThanItMayHaveIsSaid()
    {
        // 256 MiB, where nothing stops it.
        const auto process = m_ringmaster.start(
            inImage({"--container-option=--memory=32m"},
                    {"/bin/sh", "-c",
                     "x=aaaaaaaa; i=0; while [ $i -lt 25 ]; do x=$x$x; i=$((i+1)); done; exit 9"}));
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QCOMPARE(outcome.exitCode, 1);
        if (explanation() == "WorkerExitedWithCode")
            QSKIP("a container's memory isn't limited here");
        QVERIFY2(explanation() == "WorkerChildOutOfMemory", outcome.error);
    }

    void onNodesOfSlurm()
    {
        if (const QByteArray reason = whyNoSlurm(); !reason.isEmpty())
            QSKIP(reason);
        QProcess lab;
        lab.setProcessEnvironment(m_ringmaster.environment());
        lab.start(RINGMASTER_SOURCE_DIR "/tests/labs/slurm.sh",
                  {"2", Ringmaster::executable(), "run", "--slurm", "--nnodes", "2", "--image",
                   "localhost/busybox:1", "--container-engine", "podman", "--no-python", "/bin/sh",
                   "-c", "echo $RANK of $WORLD_SIZE on $SLURMD_NODENAME: $(ls /bin)"});
        const auto outcome = Ringmaster::finish(lab, PatienceForTorch);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        for (const char* line : {"0 of 2 on n1: busybox", "1 of 2 on n2: busybox"})
            QVERIFY2(outcome.output.contains(line), outcome.output + outcome.error);
    }

    /// docker's containers are its daemon's children, not the agent's.
    void withDockerTheyEndWithTheirAgent()
    {
        const QString run = Ringmaster::executable() +
                            " run --standalone --container-engine docker --no-python --image ";
        const QString image = qEnvironmentVariable("RINGMASTER_REGISTRY") + "/test/image:1";
        const QString script =
            run + image + " --nproc-per-node 2 /bin/sh -c 'echo $RANK has; ls /more'; " + run +
            "busybox:1 /bin/nothing; chmod 0 ${DOCKER_HOST#unix://}; "
            "setpriv --bounding-set=-dac_override,-dac_read_search " +
            run + "busybox:1 /bin/true; chmod 600 ${DOCKER_HOST#unix://}; " + run +
            "busybox:1 /bin/sh -c 'echo up; exec sleep 621' & agent=$!; "
            "until [ -n \"$(docker ps --quiet)\" ]; do sleep 0.1; done; kill -9 $agent; "
            "while [ -n \"$(docker ps --quiet)\" ]; do sleep 0.1; done; echo nothing is left";
        const auto outcome = inDockerLab(script);
        if (outcome.exitCode == NoDocker)
            QSKIP(outcome.error);
        const QByteArray all = outcome.output + outcome.error;
        for (const char* line : {"0 has", "1 has", "docker has fetched the image",
                                 "its program isn't in the container image: docker: ",
                                 "docker may not be used here: ", "nothing is left"})
            QVERIFY2(all.contains(line), all);
        QTRY_VERIFY2_WITH_TIMEOUT(processesWith("sleep 621") == 0, "a worker is left",
                                  PatienceForTorch);
    }

    /// Neither the guard nor the agent is above what docker's daemon has started.
    void withDockerTheyEndWithTheirKeeper_data()
    {
        QTest::addColumn<QString>("victims");
        QTest::newRow("keeper") << "$keeper";
        QTest::newRow("keeper and guard") << "$guard $keeper";
    }

    void withDockerTheyEndWithTheirKeeper()
    {
        QFETCH(QString, victims);
        const QString script =
            Ringmaster::executable() +
            " run --standalone --container-engine docker --no-python --image busybox:1 "
            "/bin/sh -c 'echo up; exec sleep 623' & agent=$!; "
            "until [ -n \"$(docker ps --quiet)\" ]; do sleep 0.1; done; "
            "for child in $(cat /proc/$agent/task/*/children); do "
            "! grep -qa -- --guard /proc/$child/cmdline || guard=$child; done; "
            "for child in $(cat /proc/$guard/task/*/children); do "
            "! grep -qa ringmaster-keeper /proc/$child/cmdline || keeper=$child; done; "
            "kill -9 " +
            victims +
            "; wait $agent; for process in /proc/[0-9]*; do "
            "! tr '\\0' ' ' 2>/dev/null <$process/cmdline | grep -qx 'sleep 623 ' || "
            "echo a worker is left; done; echo all looked at";
        const auto outcome = inDockerLab(script);
        if (outcome.exitCode == NoDocker)
            QSKIP(outcome.error);
        const QByteArray all = outcome.output + outcome.error;
        QVERIFY2(all.contains("all looked at"), all);
        QVERIFY2(!all.contains("a worker is left"), all);
        QVERIFY2(all.contains("was killed"), all); // As the agent says of its keeper.
    }

    void withoutAnEngineItIsSaid()
    {
        Ringmaster elsewhere;
        elsewhere.environment().insert("PATH", "/nowhere");
        const auto process =
            elsewhere.start({"run", "--standalone", "--image", "any", "--no-python", "true"});
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QVERIFY(outcome.exitCode != 0);
        QVERIFY2(outcome.error.contains("No container engine"), outcome.error);
    }

    /// Not in the program's first moments, in which podman itself loses signals (container/README).
    void aStopReachesTheProgram()
    {
        const auto process = m_ringmaster.start(
            inImage({}, {"/bin/sh", "-c",
                         "trap 'echo asked; exit 0' TERM; echo begun; sleep 2; echo goes on; "
                         "while :; do sleep 1; done"}));
        QVERIFY(waitForText(*process, "goes on", QProcess::StandardOutput, PatienceForTorch));
        // podman hands on nothing before it says that the container runs.
        QTRY_VERIFY_WITH_TIMEOUT(!podman({"ps", "--quiet"}).isEmpty(), PatienceForTorch);
        process->terminate();
        const auto outcome = Ringmaster::finish(*process, PatienceForTorch);
        QVERIFY2(outcome.output.contains("asked"), outcome.output + outcome.error);
        QTRY_VERIFY2_WITH_TIMEOUT(processesWith(m_ringmaster.folder().toUtf8()) == 0,
                                  "something is left", PatienceForTorch);
        QTRY_VERIFY2_WITH_TIMEOUT(podman({"ps", "--quiet"}).isEmpty(), "a container runs",
                                  PatienceForTorch);
    }

    void whoeverIsKilledLeavesNothingRunning_data()
    {
        QTest::addColumn<bool>("killsGuard");
        QTest::addColumn<bool>("killsAgent");
        QTest::addColumn<bool>("killsKeeper");
        QTest::newRow("agent") << false << true << false;
        QTest::newRow("keeper") << false << false << true;
        QTest::newRow("agent and keeper") << false << true << true;
        QTest::newRow("agent and guard") << true << true << false;
        QTest::newRow("keeper and guard") << true << false << true;
    }

    void whoeverIsKilledLeavesNothingRunning()
    {
        QFETCH(bool, killsGuard);
        QFETCH(bool, killsAgent);
        QFETCH(bool, killsKeeper);
        const auto process =
            m_ringmaster.start(inImage({}, {"/bin/sh", "-c", "echo up; exec sleep 617"}));
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput, PatienceForTorch));
        const QString run = m_ringmaster.runs().value(0);
        const pid_t keeper = keeperOf(run);
        const pid_t guard = guardOf(run);
        QVERIFY(keeper > 0 && guard > 0);
        // The guard first: it sees no end of the keeper.
        if (killsGuard)
            ::kill(guard, SIGKILL);
        if (killsAgent)
            process->kill();
        if (killsKeeper)
            ::kill(keeper, SIGKILL);
        QVERIFY(process->waitForFinished(PatienceForTorch));
        // podman knows of none either, and has unmounted its file system.
        QTRY_VERIFY2_WITH_TIMEOUT(podman({"ps", "--all", "--quiet"}).isEmpty(),
                                  podman({"ps", "--all"}), PatienceForTorch);
        QTRY_VERIFY2_WITH_TIMEOUT(processesWith(m_ringmaster.folder().toUtf8()) == 0,
                                  "something is left", PatienceForTorch);
    }
};

namespace {

QByteArray whyNot()
{
    if (::geteuid() != 0)
        return "a podman of its own needs root";
    for (const char* command : {"podman", "runc", "busybox"})
        if (QStandardPaths::findExecutable(command).isEmpty() &&
            !QFile::exists(QStringLiteral("/usr/sbin/") + command))
            return QByteArray(command) + " is missing (Debian: podman, runc, busybox-static)";
    return {};
}

} // namespace

int main_tst_containers(int argc, char** argv)
{
    if (const QByteArray reason = whyNot(); !reason.isEmpty())
        qputenv("RINGMASTER_NO_PODMAN", reason);
    else if (!qEnvironmentVariableIsSet("RINGMASTER_PODMAN_LAB")) {
        std::vector<char*> words{const_cast<char*>(RINGMASTER_SOURCE_DIR "/tests/labs/podman.sh")};
        words.insert(words.end(), argv, argv + argc);
        words.push_back(nullptr);
        ::execv(words.front(), words.data());
        return 1;
    }
    QCoreApplication application(argc, argv);
    tst_containers test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_containers.moc"
