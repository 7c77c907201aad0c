#include "engine/base/ControlGroup.h"
#include "tests/cli/Ringmaster.h"
#include "tests/support/ProcessorPressure.h"
#include "tests/support/TorchTest.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>

using ringmaster::ControlGroup;

namespace {

constexpr qint64 Promised = 5'000;
/// Of a machine on which those that end others, the ended and this program wait for a turn.
constexpr qint64 Slowness = 20'000;

/// With a daemon that has its environment, and one without any; both ignore what can be ignored.
constexpr const char* Family = R"py(
import os, subprocess, sys, time
token = sys.argv[1]
endless = "import signal, time; [signal.signal(s, signal.SIG_IGN) for s in (1, 2, 15)]; time.sleep(900)"
for environment in (None, {}):
    if os.fork() == 0:
        os.setsid()
        child = [sys.executable, "-c", endless, "daemon-" + token]
        subprocess.Popen(child, env=environment, start_new_session=True)
        os._exit(0)
os.wait()
os.wait()
print("up", flush=True)
time.sleep(900)
)py";

struct Process
{
    pid_t pid = -1;
    QByteArray command;
};

QList<Process> processesOfRun(const QByteArray& run)
{
    QList<Process> found;
    for (const QString& pid : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
        QFile environment("/proc/" + pid + "/environ");
        QFile command("/proc/" + pid + "/cmdline");
        if (environment.open(QIODevice::ReadOnly) && command.open(QIODevice::ReadOnly) &&
            environment.readAll().contains("RINGMASTER_RUN=" + run))
            found.append({pid.toInt(), command.readAll().replace('\0', ' ')});
    }
    return found;
}

/// The words before a command that hide the cgroups from it; it keeps its process.
QStringList withoutGroups()
{
    return {"unshare", "--mount", "/bin/sh", "-c",
            R"(mount -t tmpfs none /sys/fs/cgroup && exec "$0" "$@")"};
}

bool canHideGroups()
{
    const QStringList words = withoutGroups();
    return QProcess::execute(words.first(), words.mid(1) + QStringList{"/bin/true"}) == 0;
}

} // namespace

/// kill -9 of any two of those who clean up, at once: nothing is left. RINGMASTER_KILLS repeats it.
class tst_double_kills : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    void leavesNothing_data()
    {
        QTest::addColumn<QString>("warm");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::addColumn<bool>("hasGroups");
        for (const char* warm : {"off", "on"}) {
            QStringList who{"agent", "keeper", "guard"};
            if (QByteArray(warm) == "on")
                who.append("starter");
            for (int one = 0; one < who.size(); ++one)
                for (int other = one + 1; other < who.size(); ++other)
                    QTest::addRow("%s %s and %s", *warm == 'o' && warm[1] == 'n' ? "warm" : "cold",
                                  qPrintable(who[one]), qPrintable(who[other]))
                        << warm << who[one] << who[other] << true;
        }
        // A cgroup ends all by itself. Without one, in turn: the guard, the keeper, the agent, and
        // the starter, which has got the orphans.
        const auto addRow = [](const char* name, const char* warm, const char* first,
                               const char* second) {
            QTest::newRow(name) << warm << first << second << false;
        };
        addRow("cold agent and keeper, no cgroups", "off", "agent", "keeper");
        addRow("cold agent and guard, no cgroups", "off", "agent", "guard");
        addRow("cold keeper and guard, no cgroups", "off", "keeper", "guard");
        addRow("warm keeper and guard, no cgroups", "on", "keeper", "guard");
    }

    void leavesNothing()
    {
        QFETCH(QString, warm);
        QFETCH(QString, first);
        QFETCH(QString, second);
        QFETCH(bool, hasGroups);
        if (!hasGroups && !canHideGroups())
            QSKIP("no file system can be mounted here");
        const int times = qEnvironmentVariable("RINGMASTER_KILLS", "1").toInt();
        qint64 longest = 0;
        for (int i = 0; i < times; ++i) {
            const Ringmaster place;
            const auto process = start(place, warm, hasGroups);
            const auto who = processesOf(place, *process);
            QVERIFY2(who[first] > 0 && who[second] > 0, qPrintable(first + " or " + second));
            QCOMPARE(processesWith(daemonOf(place)), 2);
            // With the worker itself; daemons can't leave it.
            QCOMPARE(processesInGroups(place) >= 3, hasGroups && !ControlGroup::place().empty());
            const ringmaster::test::Turns turns;
            QElapsedTimer timer;
            timer.start();
            ::kill(who[first], SIGKILL);
            ::kill(who[second], SIGKILL);
            // Where both that are left can go on, they do.
            const bool isOver = first == "agent" || first == "keeper" || second == "keeper";
            if (!isOver)
                process->terminate();
            QTRY_COMPARE(processesWith(daemonOf(place)), 0);
            const qint64 took = timer.elapsed();
            longest = std::max(longest, took);
            QVERIFY2(took < (turns.wereThere() ? Promised : Promised + Slowness),
                     qPrintable(QString::number(took) + " ms"));
            QVERIFY(process->state() == QProcess::NotRunning || process->waitForFinished(60'000));
            QTRY_COMPARE(processesWith(place.folder().toUtf8() + "/family.py"), 0);
            (void)place.run({"stop", "--warm"});
        }
        qInfo() << times << "times nothing left, at the latest after" << longest << "ms";
    }

private:
    static QByteArray daemonOf(const Ringmaster& place)
    {
        return "daemon-" + place.folder().toUtf8();
    }

    static std::size_t processesInGroups(const Ringmaster& place)
    {
        std::size_t found = 0;
        const std::string run = place.runs().value(0).toStdString();
        for (const ControlGroup& group : ControlGroup::ofRun(ControlGroup::place(), run))
            found += group.processes().size();
        return found;
    }

    std::unique_ptr<QProcess> start(const Ringmaster& place, const QString& warm,
                                    bool hasGroups) const
    {
        QFile program(place.folder() + "/family.py");
        if (program.open(QIODevice::WriteOnly))
            program.write(Family);
        program.close();
        const QStringList command{"run",       "--standalone", "--nproc-per-node", "1",
                                  "--python",  python(),       "--warm",           warm,
                                  "--preload", "decimal",      program.fileName(), place.folder()};
        const QStringList words = (hasGroups ? QStringList() : withoutGroups()) +
                                  QStringList{Ringmaster::executable()} + command;
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(place.environment());
        process->setWorkingDirectory(place.folder());
        process->setStandardInputFile(QProcess::nullDevice());
        process->start(words.first(), words.mid(1));
        if (!waitForText(*process, "up", QProcess::StandardOutput, 180'000))
            qWarning() << process->readAllStandardError();
        return process;
    }

    static QMap<QString, pid_t> processesOf(const Ringmaster& place, const QProcess& agent)
    {
        QMap<QString, pid_t> who{{"agent", static_cast<pid_t>(agent.processId())}};
        for (const Process& process : processesOfRun(place.runs().value(0).toUtf8())) {
            if (process.command.contains("--guard"))
                who["guard"] = process.pid;
            else if (process.command.contains("ringmaster-keeper"))
                who["keeper"] = process.pid;
        }
        const auto starters =
            QJsonDocument::fromJson(place.run({"ps", "--warm", "--json"}).output).array();
        who["starter"] = starters.isEmpty() ? -1 : starters.first()["pid"].toInt(-1);
        return who;
    }
};

QTEST_GUILESS_MAIN(tst_double_kills)
#include "tst_double_kills.moc"
