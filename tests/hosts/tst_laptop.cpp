#include "engine/control/LocalCluster.h"
#include "engine/control/WatchingCluster.h"
#include "tests/TestMain.h"
#include "tests/hosts/LabRuns.h"

using namespace ringmaster;

namespace {

QStringList onLab(const QStringList& options, const QString& script)
{
    return QStringList{"run", "--on", "lab1", "--standalone"} + options +
           QStringList{"--no-python", "/bin/sh", "-c", script};
}

void makeThere(const QString& file)
{
    Lab::on("lab1", {"touch", file});
}

QByteArray& saidBy(QProcess& process, QByteArray& text)
{
    process.waitForReadyRead(50);
    text += process.readAllStandardError();
    return text;
}

} // namespace

/// A job on another machine, over a real sshd, from a machine whose cable is pulled.
class tst_laptop : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { needLabWithAgent("lab1"); }

    void aJobGoesOnWithoutTheCableAndIsShownFromWhereItWas()
    {
        Lab lab;
        const auto job = lab.start(
            onLab({}, "hostname; until test -e /tmp/cut; do sleep 0.05; done; echo alone; "
                      ": > /tmp/said; until test -e /tmp/enough; do sleep 0.05; done; "
                      "echo last"));
        QByteArray output;
        QByteArray error;
        QTRY_VERIFY_WITH_TIMEOUT(outputOf(*job, output).contains("lab1\n"), ForProcesses);
        Lab::turn({"cut", "lead"});
        QTRY_VERIFY_WITH_TIMEOUT(saidBy(*job, error).contains("goes on there"), ForProcesses);
        makeThere("/tmp/cut");
        QTRY_VERIFY_WITH_TIMEOUT(!Lab::on("lab1", {"ls", "/tmp/said"}).isEmpty(), ForProcesses);
        Lab::turn({"heal", "lead"});
        QTRY_VERIFY_WITH_TIMEOUT(saidBy(*job, error).contains("reached again"), ForProcesses);
        makeThere("/tmp/enough");
        const auto ended = Ringmaster::finish(*job);
        QVERIFY2(ended.exitCode == 0, error + ended.error);
        QCOMPARE(output + ended.output, "[rank0]: lab1\n[rank0]: alone\n[rank0]: last\n");
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab1").isEmpty(), Lab::left("lab1"), ForProcesses);
    }

    void aDetachedJobIsSeenAndStoppedFromHere()
    {
        Lab lab;
        const auto launch =
            lab.start(onLab({"--detach", "--name", "long"}, "echo begun; exec sleep 600"));
        const auto started = Ringmaster::finish(*launch);
        QVERIFY2(started.exitCode == 0, started.error);
        const auto logs = lab.start({"logs", "--on", "lab1", "--follow", "long"});
        QVERIFY(waitForText(*logs, "begun", QProcess::StandardOutput));
        const auto listed = lab.ringmaster().run({"ps", "--on", "lab1"});
        QVERIFY2(listed.output.contains(started.output.trimmed()), listed.output + listed.error);
        const auto stopped = lab.ringmaster().run({"stop", "--on", "lab1", "long"});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        QCOMPARE(Ringmaster::finish(*logs).exitCode, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab1").isEmpty(), Lab::left("lab1"), ForProcesses);
    }

    /// As the dashboard watches a machine: what happens while the cable is pulled is seen later.
    void itsRunsAreSeenFromHere()
    {
        Lab lab;
        lab.setEnvironmentHere();
        qputenv("PATH", QFileInfo(Ringmaster::executable()).absolutePath().toUtf8() + ":" +
                            qgetenv("PATH"));
        LocalCluster local;
        WatchingCluster cluster(local);
        cluster.watch({"lab1"});
        const auto launch = lab.start(
            onLab({"--detach", "--name", "long"}, "until test -e /tmp/over; do sleep 0.05; done"));
        const auto started = Ringmaster::finish(*launch);
        QVERIFY2(started.exitCode == 0, started.error);
        const auto state = [&] {
            const auto runs = cluster.runs();
            return runs.empty() ? RunState::Starting : runs.front().state;
        };
        const auto connection = [&] { return cluster.machines().front().connection; };
        QTRY_VERIFY_WITH_TIMEOUT(state() == RunState::Running, ForProcesses);
        QCOMPARE(cluster.runs().front().id, "lab1:" + started.output.trimmed().toStdString());

        Lab::turn({"cut", "lead"});
        QTRY_VERIFY_WITH_TIMEOUT(connection() == WatchedMachineState::Connection::Lost,
                                 ForProcesses);
        makeThere("/tmp/over");
        Lab::turn({"heal", "lead"});
        QTRY_VERIFY_WITH_TIMEOUT(connection() == WatchedMachineState::Connection::Connected,
                                 ForProcesses);
        QTRY_VERIFY_WITH_TIMEOUT(state() == RunState::Succeeded, ForProcesses);
        cluster.watch({});
        // Also what the broken connection has left there: nobody answers its pings.
        QTRY_VERIFY2_WITH_TIMEOUT(Lab::left("lab1").isEmpty(), Lab::left("lab1"), ForProcesses);
    }
};

int main_tst_laptop(int argc, char** argv)
{
    return runInLab(argc, argv, "1", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_laptop test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_laptop.moc"
