#include "tests/cli/Ringmaster.h"
#include "tests/launch/LabSlurm.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <QtTest>

#include <unistd.h>

namespace {

constexpr int Patience = 180'000;

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

} // namespace

/// Workers in containers of a real podman (tests/labs/podman.sh), in which this program runs.
class tst_containers : public QObject
{
    Q_OBJECT

private:
    Ringmaster m_ringmaster;

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
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        for (const char* line : {"0 of 2 hidden", "1 of 2 hidden"})
            QVERIFY2(outcome.output.contains(line), outcome.output + outcome.error);
        QVERIFY2(podman({"ps", "--all", "--quiet"}).isEmpty(), "a container is left");
    }

    void exitCodesAreToldApart_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("code");
        QTest::newRow("the program's own")
            << inImage({}, {"/bin/sh", "-c", "exit 3"}) << "WorkerExitedWithCode";
        QTest::newRow("no such image") << QStringList{"run",
                                                      "--standalone",
                                                      "--image",
                                                      "localhost/nothing:1",
                                                      "--container-engine",
                                                      "podman",
                                                      "--container-option=--pull=never",
                                                      "--no-python",
                                                      "true"}
                                       << "ContainerImageMissing";
        QTest::newRow("no such program")
            << inImage({}, {"/bin/nothing"}) << "ContainerCommandMissing";
        QTest::newRow("not executable") << inImage({}, {"/etc"}) << "ContainerCommandNotExecutable";
    }

    void exitCodesAreToldApart()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, code);
        const auto process = m_ringmaster.start(words);
        const auto outcome = Ringmaster::finish(*process, Patience);
        QCOMPARE(outcome.exitCode, 1);
        QVERIFY2(explanation() == code,
                 qPrintable(explanation() + "\n" + QString::fromUtf8(outcome.error)));
    }

    void moreMemoryThanItMayHaveIsSaid()
    {
        // 256 MiB, where nothing stops it.
        const auto process = m_ringmaster.start(
            inImage({"--container-option=--memory=32m"},
                    {"/bin/sh", "-c",
                     "x=aaaaaaaa; i=0; while [ $i -lt 25 ]; do x=$x$x; i=$((i+1)); done; exit 9"}));
        const auto outcome = Ringmaster::finish(*process, Patience);
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
        const auto outcome = Ringmaster::finish(lab, Patience);
        QVERIFY2(outcome.exitCode == 0, outcome.error + outcome.output);
        for (const char* line : {"0 of 2 on n1: busybox", "1 of 2 on n2: busybox"})
            QVERIFY2(outcome.output.contains(line), outcome.output + outcome.error);
    }

    void withoutAnEngineItIsSaid()
    {
        Ringmaster elsewhere;
        elsewhere.environment().insert("PATH", "/nowhere");
        const auto process =
            elsewhere.start({"run", "--standalone", "--image", "any", "--no-python", "true"});
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY(outcome.exitCode != 0);
        QVERIFY2(outcome.error.contains("No container engine"), outcome.error);
    }

    void aStopReachesTheProgram()
    {
        const auto process = m_ringmaster.start(
            inImage({}, {"/bin/sh", "-c",
                         "trap 'echo asked; exit 0' TERM; echo up; while :; do sleep 1; done"}));
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput, Patience));
        process->terminate();
        const auto outcome = Ringmaster::finish(*process, Patience);
        QVERIFY2(outcome.output.contains("asked"), outcome.output + outcome.error);
        QTRY_VERIFY2_WITH_TIMEOUT(processesWith(m_ringmaster.folder().toUtf8()) == 0,
                                  "something is left", Patience);
        QTRY_VERIFY2_WITH_TIMEOUT(podman({"ps", "--quiet"}).isEmpty(), "a container runs",
                                  Patience);
    }

    void anAgentThatIsKilledLeavesNothingRunning()
    {
        const auto process =
            m_ringmaster.start(inImage({}, {"/bin/sh", "-c", "echo up; exec sleep 617"}));
        QVERIFY(waitForText(*process, "up", QProcess::StandardOutput, Patience));
        process->kill();
        QVERIFY(process->waitForFinished(60'000));
        QTRY_VERIFY2_WITH_TIMEOUT(processesWith(m_ringmaster.folder().toUtf8()) == 0,
                                  "something is left", Patience);
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

int main(int argc, char** argv)
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
