#include "tests/cli/Ringmaster.h"
#include "tests/support/LimitedGroup.h"
#include "tests/support/TorchInterpreter.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>

using ringmaster::test::MemoryGroup;

namespace {

constexpr const char* GroupOfOne = R"(
import os, sys, time, torch, torch.distributed as dist
if "die" in sys.argv:
    print("knows", "wave" in sys.modules, flush=True)
    import wave
dist.init_process_group("gloo")
value = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(value)
print("sum", value.item(), "argument", sys.argv[1:], "loaded", "torch._dynamo" in sys.modules, flush=True)
if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" and "fail" in sys.argv and dist.get_rank() == 1:
    raise ValueError("boom on 1")
if "learn" in sys.argv:
    print("known", "mailbox" in sys.modules, "mine" in sys.modules, flush=True)
    import mailbox, mine
if "die" in sys.argv:
    os._exit(0)
if "wait" in sys.argv:
    sys.stdin.read()
    while not os.path.exists("go on"):
        time.sleep(0.01)
dist.destroy_process_group()
)";

/// A thread gets the GIL only when another one gives it up: what hangs in one of many runs hangs in
/// every second one.
constexpr const char* LateNet = R"(
import sys, torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
def main():
    dist.init_process_group("gloo")
    net = DistributedDataParallel(torch.nn.Linear(4, 4))
    net(torch.ones(2, 4)).sum().backward()
    sys.setswitchinterval(60)
    dist.all_reduce(torch.ones(1))
    dist.destroy_process_group()
main()
)";

} // namespace

/// `ringmaster run --warm on` with torch, as a user runs it.
class tst_run_warm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = ringmaster::test::torchInterpreter();
        if (m_python.isEmpty())
            QSKIP("no interpreter with torch");
        QVERIFY(QDir().mkpath(m_ringmaster.folder() + "/runtime"));
        QFile::setPermissions(m_ringmaster.folder() + "/runtime",
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QFile file(m_ringmaster.folder() + "/program.py");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(GroupOfOne);
    }

    void cleanupTestCase()
    {
        if (!m_python.isEmpty())
            m_ringmaster.run({"stop", "--warm"});
    }

    void theFirstRunStartsAStarterForTheNext()
    {
        const auto first = run({"--warm", "on"}, {"a", "b"});
        QVERIFY2(first.exitCode == 0, first.error);
        QCOMPARE(first.output.count("sum 3.0 argument ['a', 'b'] loaded True"), 2);
        QVERIFY2(eventsOfLast().contains("\"WarmStartFirst\""), eventsOfLast());
        const auto second = run({"--warm", "on"}, {});
        QVERIFY2(second.exitCode == 0, second.error);
        QVERIFY2(eventsOfLast().contains("\"WarmStart\""), eventsOfLast());
        QCOMPARE(starters().size(), 1);
        const QJsonObject starter = starters().first().toObject();
        QCOMPARE(starter["interpreter"].toString(), m_python);
        QVERIFY(starter["modules"].toInt() > 1000);
        QVERIFY(starter["memory_bytes"].toInteger() > 1'000'000);
        const auto table = m_ringmaster.run({"ps", "--warm"});
        QVERIFY2(table.output.contains(m_python.toUtf8()), table.output);
    }

    void aGroupThatFailedStartsAgainFromTheSameStarter()
    {
        const auto done = run({"--warm", "on", "--max-restarts", "1"}, {"fail"});
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output.count("sum 3.0"), 4);
        QVERIFY2(done.error.contains("boom on 1"), done.error);
        // Not one frame of ours in the traceback.
        QVERIFY2(!done.error.contains("_ringmaster"), done.error);
    }

    void whoNeedntBeWarmStartsCold()
    {
        QCOMPARE(run({"--warm", "on"}, {}).exitCode, 0);
        // Nobody is at a terminal, and nobody has asked.
        const auto done = run({}, {});
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(!eventsOfLast().contains("WarmStart"), eventsOfLast());
        // The run knows why; the terminal isn't bothered.
        QCOMPARE(eventsOfLast().count("\"ColdNobodyThere\""), 1);
        QVERIFY2(!done.error.contains("Cold start"), done.error);
        QCOMPARE(run({"--warm", "off"}, {}).exitCode, 0);
        QVERIFY2(!eventsOfLast().contains("Cold start"), eventsOfLast());
        const auto plain = run({"--warm", "on", "--plain"}, {});
        QVERIFY2(plain.exitCode == 0, plain.error);
        QVERIFY2(plain.error.contains("Cold start: the job is plain"), plain.error);
    }

    void theNextStarterImportsWhatARunHasUsed_data()
    {
        QTest::addColumn<QString>("warm");
        QTest::newRow("a warm one") << "on";
        QTest::newRow("a cold one") << "auto";
    }

    void theNextStarterImportsWhatARunHasUsed()
    {
        QFETCH(QString, warm);
        QFile mine(m_ringmaster.folder() + "/mine.py");
        QVERIFY(mine.open(QIODevice::WriteOnly));
        mine.close();
        forgetAll();
        const auto first = run({"--warm", warm}, {"learn"});
        QVERIFY2(first.exitCode == 0, first.error);
        QCOMPARE(first.output.count("known False False"), 2);
        m_ringmaster.run({"stop", "--warm"});
        QTRY_VERIFY(starters().isEmpty());
        const auto second = run({"--warm", "on"}, {"learn"});
        QVERIFY2(second.exitCode == 0, second.error);
        // The standard library's, never the user's own.
        QCOMPARE(second.output.count("known True False"), 2);
    }

    void whatAWorkerUsedBeforeItsFirstGroupIsLearntHoweverItEnds()
    {
        forgetAll();
        const auto first = run({}, {"die"});
        QVERIFY2(first.exitCode == 0, first.error);
        QCOMPARE(first.output.count("knows False"), 2);
        const auto second = run({"--warm", "on"}, {"die"});
        QVERIFY2(second.exitCode == 0, second.error);
        QCOMPARE(second.output.count("knows True"), 2);
        // What it used is with the interpreter's, and not in the run's folder any more.
        const QDir runs(m_ringmaster.runsFolder());
        for (const QString& entry : runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QVERIFY(!QFile::exists(runs.filePath(entry + "/modules")));
    }

    void anAttemptTellsWhereItsTimeWentHoweverShortItIs()
    {
        const auto done = run({"--warm", "on"}, {"die"});
        QVERIFY2(done.exitCode == 0, done.error);
        const QByteArray events = eventsOfLast();
        const auto told = events.indexOf("\"FirstCollective\"");
        QVERIFY2(told >= 0, events);
        QVERIFY2(told < events.lastIndexOf("\"succeeded\""), events);
    }

    void aRestartTellsWhereItsTimeWent()
    {
        const auto done = run({"--warm", "on", "--max-restarts", "1"}, {"fail"});
        QVERIFY2(done.exitCode == 0, done.error);
        const QByteArray events = eventsOfLast();
        QVERIFY2(events.contains("\"FirstCollective\""), events);
        QVERIFY2(events.contains("\"FirstCollectiveAgain\""), events);
        QVERIFY2(events.contains("\"import\": \"0.000\""), events);
    }

    void aNetThatOutlivesItsGroupsEnds_data()
    {
        QTest::addColumn<QString>("warm");
        for (const char* way : {"first on", "second on", "third on", "off"})
            QTest::newRow(way) << QString(way).section(' ', -1);
    }

    void aNetThatOutlivesItsGroupsEnds()
    {
        QFETCH(QString, warm);
        write(m_ringmaster, "late_net.py", LateNet);
        const auto done = Ringmaster::finish(
            *m_ringmaster.start({"run", "--standalone", "--nproc-per-node", "4", "--python",
                                 m_python, "--warm", warm, "late_net.py"}),
            180'000);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void aStarterThatIsEndedLeavesTheRunAlone()
    {
        const auto process = m_ringmaster.start(arguments({"--warm", "on"}, {"wait"}));
        QVERIFY(waitForText(*process, "sum 3.0", QProcess::StandardOutput));
        // What each worker has of the memory that all share.
        QTRY_VERIFY2(m_ringmaster.run({"show"}).output.contains("MEMORY"),
                     m_ringmaster.run({"show"}).output);
        const auto memoryOf = [&](int rank) {
            const auto shown = QJsonDocument::fromJson(m_ringmaster.run({"show", "--json"}).output);
            return shown["workers"][rank]["memory_bytes"].toInteger();
        };
        // One that started a moment later is measured a second later.
        for (const int rank : {0, 1})
            QTRY_VERIFY(memoryOf(rank) > 1'000'000);
        const auto stopped = m_ringmaster.run({"stop", "--warm"});
        QVERIFY2(stopped.error.contains("Ended 1 warm starter"), stopped.error);
        QTRY_VERIFY(starters().isEmpty());
        QFile goOn(m_ringmaster.folder() + "/go on");
        QVERIFY(goOn.open(QIODevice::WriteOnly));
        const auto done = Ringmaster::finish(*process);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void stoppingTheRunLeavesTheStarterAlone()
    {
        QFile::remove(m_ringmaster.folder() + "/go on");
        const auto process = m_ringmaster.start(arguments({"--warm", "on"}, {"wait"}));
        QVERIFY(waitForText(*process, "sum 3.0", QProcess::StandardOutput));
        ::kill(static_cast<pid_t>(process->processId()), SIGKILL);
        QVERIFY(process->waitForFinished());
        const QByteArray token = "RINGMASTER_RUN=" + m_ringmaster.runs().first().toUtf8();
        QTRY_COMPARE(processesWith(token), 0);
        QTRY_COMPARE(starters().size(), 1);
    }

    void theDashboardsStarterEndsWithTheDashboard()
    {
        const Ringmaster place;
        QFile job(place.folder() + "/one.ringjob");
        QVERIFY(job.open(QIODevice::WriteOnly));
        job.write(
            "program = \"quick.py\"\nworkers = 1\ninterpreter = \"" + m_python.toUtf8() +
            "\"\nwarm = \"auto\"\npreload = [\"decimal\"]\n[rendezvous]\nstandalone = true\n");
        job.close();
        write(place, "quick.py", "print('quick')\n");
        // It waits for the command, and so is its parent.
        QProcess dashboard;
        dashboard.setProcessEnvironment(place.environment());
        dashboard.setWorkingDirectory(place.folder());
        dashboard.start("sh", {"-c", Ringmaster::executable() +
                                         " run --detach --job-from-stdin < one.ringjob; echo "
                                         "launched; exec sleep 1000"});
        QVERIFY(waitForText(dashboard, "launched", QProcess::StandardOutput));
        const auto events = [&] { return place.run({"show", "--events", "--json"}).output; };
        // The starter imports torch first, which takes long on a machine that does much else.
        QTRY_VERIFY2_WITH_TIMEOUT(events().contains("\"succeeded\""),
                                  (events() + dashboard.readAllStandardError()), 180'000);
        QVERIFY2(events().contains("\"WarmStartFirst\""), events());
        QTRY_COMPARE(startersOf(place).size(), 1);
        const int starter = startersOf(place).first().toObject()["pid"].toInt();
        dashboard.kill();
        QVERIFY(dashboard.waitForFinished());
        QTRY_VERIFY(!QFile::exists("/proc/" + QString::number(starter) + "/exe"));
        QVERIFY(startersOf(place).isEmpty());
    }

    void aWarmWorkerThatTheKernelEndsForMemoryIsToldAsOne()
    {
        const MemoryGroup group(400LL << 20);
        if (!group.isUsable())
            QSKIP("memory cgroups can't be made here");
        const Ringmaster place;
        write(place, "greedy.py", "print('allocates', flush=True)\nx = b'x' * (2 << 30)\n");
        const QStringList words{"run",       "--standalone", "--nproc-per-node", "1",
                                "--python",  m_python,       "--warm",           "on",
                                "--preload", "decimal",      "greedy.py"};
        const auto inGroup = [&](const QString& command) {
            QProcess shell;
            shell.setProcessEnvironment(place.environment());
            shell.setWorkingDirectory(place.folder());
            shell.start("sh", QStringList{"-c", "echo $$ > " + group.members() + " && " + command,
                                          Ringmaster::executable()} +
                                  words);
            return Ringmaster::finish(shell, 180'000);
        };
        // The shell leads no session: the starter's owner is that of this test.
        const auto done = inGroup("exec \"$0\" \"$@\"");
        QCOMPARE(done.exitCode, 1);
        const QByteArray events = place.run({"show", "--events", "--json"}).output;
        QVERIFY2(events.contains("\"WarmStartFirst\""), events + done.error);
        QVERIFY2(events.contains("\"WorkerOutOfMemory\""), events + done.error);
        // Neither the starter nor the agent was ended with it.
        QCOMPARE(startersOf(place).size(), 1);
        write(place, "greedy.py", "print('modest')\n");
        const auto next = inGroup("exec \"$0\" \"$@\"");
        QVERIFY2(next.exitCode == 0, next.error);
        QVERIFY(place.run({"show", "--events", "--json"}).output.contains("\"WarmStart\""));
        place.run({"stop", "--warm"});
        QTRY_VERIFY(startersOf(place).isEmpty());
    }

    void workersUseTheGpuAndTheStarterDoesnt()
    {
        QProcess check;
        check.start(m_python, {"-c", "import sys, torch; sys.exit(not torch.cuda.is_available() or "
                                     "not torch.distributed.is_nccl_available())"});
        QVERIFY(check.waitForFinished(120'000));
        if (check.exitCode() != 0)
            QSKIP("there is no GPU that this torch can use");
        const Ringmaster place;
        // NCCL takes the ranks for those of two hosts, and lets them share the one GPU.
        write(place, "gpu.py", R"(
import os, torch, torch.distributed as dist
os.environ["NCCL_HOSTID"] = "host" + os.environ["RANK"]
torch.cuda.set_device(0)
dist.init_process_group("nccl")
value = torch.full((1024,), float(dist.get_rank() + 1), device="cuda")
dist.all_reduce(value)
print("sum", value[0].item(), flush=True)
dist.destroy_process_group()
)");
        for (int times = 0; times < 2; ++times) {
            const auto process = place.start({"run", "--standalone", "--nproc-per-node", "2",
                                              "--python", m_python, "--warm", "on", "gpu.py"});
            const auto done = Ringmaster::finish(*process, 180'000);
            QVERIFY2(done.exitCode == 0, done.error);
            QCOMPARE(done.output.count("sum 3.0"), 2);
            const QByteArray events = place.run({"show", "--events", "--json"}).output;
            QVERIFY2(events.contains(times == 0 ? "\"WarmStartFirst\"" : "\"WarmStart\""), events);
            // A context keeps the devices open.
            const QJsonArray list = startersOf(place);
            QCOMPARE(list.size(), 1);
            const QDir open("/proc/" + QString::number(list.first().toObject()["pid"].toInt()) +
                            "/fd");
            for (const QFileInfo& link : open.entryInfoList(QDir::Files | QDir::System))
                QVERIFY2(!link.symLinkTarget().startsWith("/dev/nvidia"),
                         qPrintable(link.symLinkTarget()));
        }
        place.run({"stop", "--warm"});
    }

private:
    QStringList arguments(const QStringList& options, const QStringList& words) const
    {
        return QStringList{"run", "--standalone", "--nproc-per-node", "2", "--python", m_python} +
               options + QStringList{"program.py"} + words;
    }

    Ringmaster::Outcome run(const QStringList& options, const QStringList& words) const
    {
        return Ringmaster::finish(*m_ringmaster.start(arguments(options, words)), 180'000);
    }

    QByteArray eventsOfLast() const
    {
        return m_ringmaster.run({"show", "--events", "--json"}).output;
    }

    QJsonArray starters() const { return startersOf(m_ringmaster); }

    static QJsonArray startersOf(const Ringmaster& place)
    {
        return QJsonDocument::fromJson(place.run({"ps", "--warm", "--json"}).output).array();
    }

    static void write(const Ringmaster& place, const char* name, const char* text)
    {
        QFile file(place.folder() + '/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

    /// No starter, and nothing learnt.
    void forgetAll() const
    {
        m_ringmaster.run({"stop", "--warm"});
        QTRY_VERIFY(starters().isEmpty());
        QDir(m_ringmaster.folder() + "/state/ringmaster/warm").removeRecursively();
    }

    const Ringmaster m_ringmaster;
    QString m_python;
};

QTEST_GUILESS_MAIN(tst_run_warm)
#include "tst_run_warm.moc"
