#include "WarmFixture.h"
#include "engine/base/ChildProcess.h"
#include "engine/base/ProcessSignal.h"
#include "engine/worker/Codes.h"
#include "engine/worker/Descendants.h"
#include "engine/worker/Subreaper.h"
#include "tests/support/DeadFileSystem.h"
#include "tests/support/LimitedGroup.h"

#include <QFileInfo>
#include <QtTest>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <thread>

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

constexpr const char* MuchMemory = "MemTotal: 1000 kB\nMemAvailable: 900 kB\n";
constexpr const char* LittleMemory = "MemTotal: 1000 kB\nMemAvailable: 20 kB\n";

constexpr const char* Patient = "import signal, sys\n"
                                "signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
                                "print('ready', flush=True)\n"
                                "while True: signal.pause()\n";

} // namespace

/// The starter, its keepers and what becomes of them, with modules that are quick to import.
class tst_warm_start : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (torchInterpreter().isEmpty())
            QSKIP("there is no interpreter to start");
        QVERIFY(becomeSubreaper().has_value());
    }

    void forksWorkersFromOneStarter()
    {
        const WarmPlace place;
        WarmBench bench(place.request(place.write("seven.py", "import sys; sys.exit(7)")));
        start(place, bench, 2);
        QVERIFY(bench.untilExit(0) && bench.untilExit(1));
        QCOMPARE(codeName(bench.how()), codeName(code::WarmStartFirst));
        QCOMPARE(bench.host.exits[0].code, 7);
        QVERIFY(bench.host.exits[0].at.monotonicNs > 0);
        QVERIFY(bench.host.exits[0].maxResidentBytes > 0);
        QVERIFY(bench.endAll());

        WarmBench second(bench.request);
        start(place, second, 1);
        QVERIFY(second.untilExit(0));
        QCOMPARE(codeName(second.how()), codeName(code::WarmStart));
        QCOMPARE(second.starter(), bench.starter());
    }

    void forksTheNextAttemptFromTheSameKeeper()
    {
        const WarmPlace place;
        WarmBench bench(place.request(place.write("three.py", "import sys; sys.exit(3)")));
        for (int attempt = 0; attempt < 3; ++attempt) {
            bench.host.exits.clear();
            start(place, bench, 2);
            QVERIFY(bench.untilExit(0) && bench.untilExit(1));
            QCOMPARE(bench.host.exits[1].code, 3);
            QVERIFY(bench.endAll());
        }
        QCOMPARE(bench.host.explanations.size(), size_t{1});
    }

    /// What it has forked holds open what it would have said by closing it.
    void aWorkerMayEndBeforeItsProgramRuns()
    {
        const WarmPlace place;
        place.write("lib/finder.py", "import os, signal, sys\n"
                                     "class Finder:\n"
                                     "    def find_spec(*_): return None\n"
                                     "    def invalidate_caches(*_):\n"
                                     "        if 'LOCAL_RANK' not in os.environ: return\n"
                                     "        if os.fork() == 0: signal.pause()\n"
                                     "        os._exit(3)\n"
                                     "sys.meta_path.append(Finder())\n");
        WarmRequest request = place.request(place.write("quick.py", "pass"));
        request.settings.preload = {"finder"};
        request.environment.push_back("PYTHONPATH=" + (place.folder() / "lib").string());
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.untilExit(0));
        QCOMPARE(codeName(bench.how()), codeName(code::WarmStartFirst));
        QCOMPARE(bench.host.exits[0].code, 3);
        QVERIFY(bench.endAll());
    }

    void aKilledStarterTouchesNoWorker()
    {
        const WarmPlace place;
        WarmBench bench(place.request(place.write("patient.py", Patient)));
        start(place, bench, 1);
        QVERIFY(bench.until([&] { return bench.host.pids.contains(0); }));
        QVERIFY(bench.starter() > 0); // -1, after a cold start, would be everybody
        ::kill(bench.starter(), SIGKILL);
        QTRY_VERIFY(isGone(bench.starter()));
        QVERIFY(!isGone(bench.host.pids[0]));
        QVERIFY(::getpgid(bench.host.pids[0]) == bench.host.pids[0]);
        endPatient(bench);

        WarmBench next(bench.request);
        start(place, next, 1);
        QVERIFY(next.until([&] { return next.host.pids.contains(0); }));
        QCOMPARE(codeName(next.how()), codeName(code::WarmStartFirst));
        endPatient(next);
    }

    void aKilledKeeperLeavesNothing_data()
    {
        QTest::addColumn<bool>("killsStarter");
        QTest::newRow("keeper") << false;
        QTest::newRow("keeper and starter") << true;
    }

    void aKilledKeeperLeavesNothing()
    {
        QFETCH(bool, killsStarter);
        const WarmPlace place;
        WarmBench bench(place.request(place.write("parent.py", parentOfDaemon(place))));
        start(place, bench, 1);
        const pid_t daemon = daemonOf(place, bench);
        QVERIFY(daemon > 0 && bench.starter() > 0 && bench.keeper.pid() > 0);
        if (killsStarter)
            ::kill(bench.starter(), SIGKILL);
        ::kill(bench.keeper.pid(), SIGKILL);
        QVERIFY(bench.until([&] { return bench.host.death.has_value(); }));
        QCOMPARE(codeName(bench.host.death->code), codeName(code::KeeperDied));
        QVERIFY(isGone(bench.host.pids[0]));
        QVERIFY(isGone(daemon));
    }

    void aKilledGuardLeavesNothingEither()
    {
        const WarmPlace place;
        WarmBench bench(place.request(place.write("parent.py", parentOfDaemon(place))));
        start(place, bench, 1);
        const pid_t daemon = daemonOf(place, bench);
        QVERIFY(daemon > 0 && bench.keeper.pid() > 0);
        pid_t guard = -1;
        QTRY_VERIFY((guard = guardOf(bench)) > 0);
        ::kill(guard, SIGKILL);
        ::kill(bench.keeper.pid(), SIGKILL);
        QVERIFY(bench.until([&] { return bench.host.death.has_value(); }));
        // The starter ends it, too: what has lost its environment by that is found by nobody.
        QTRY_VERIFY(isGone(daemon));
    }

    void anAgentThatIsGoneLeavesNothing()
    {
        const WarmPlace place;
        pid_t daemon = -1;
        std::string token;
        {
            WarmBench bench(place.request(place.write("parent.py", parentOfDaemon(place))));
            token = bench.request.title;
            start(place, bench, 1);
            daemon = daemonOf(place, bench);
            QVERIFY(daemon > 0);
        }
        QTRY_VERIFY(isGone(daemon));
        QTRY_COMPARE(processesWithEnvironment("RINGMASTER_RUN", token).size(), size_t{0});
    }

    void isFoundByTheRunsToken()
    {
        const WarmPlace place;
        WarmBench bench(place.request(place.write("patient.py", Patient)));
        start(place, bench, 1);
        QVERIFY(bench.until([&] { return bench.host.pids.contains(0); }));
        // Worker, keeper, guard.
        QTRY_COMPARE(processesWithEnvironment("RINGMASTER_RUN", bench.request.title).size(),
                     size_t{3});
        endPatient(bench);
    }

    void endsWithItsOwner()
    {
        const WarmPlace place;
        QProcess owner;
        owner.start("sleep", {"1000"});
        QVERIFY(owner.waitForStarted());
        WarmRequest request = place.request(place.write("quick.py", "pass"));
        request.settings.owner = *identityOf(static_cast<pid_t>(owner.processId()));
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.untilExit(0));
        QVERIFY(!isGone(bench.starter()));
        owner.kill();
        QVERIFY(owner.waitForFinished());
        QTRY_VERIFY(isGone(bench.starter()));
    }

    void endsWhenItsRuntimeFolderIsGone()
    {
        pid_t starter = -1;
        {
            const WarmPlace place;
            WarmBench bench(place.request(place.write("quick.py", "pass")));
            start(place, bench, 1);
            QVERIFY(bench.untilExit(0));
            QVERIFY(bench.endAll());
            starter = bench.starter();
            QVERIFY(!isGone(starter));
        }
        QTRY_VERIFY(isGone(starter));
    }

    void endsWhenItHasBeenIdleForLong()
    {
        const WarmPlace place;
        WarmRequest request = place.request(place.write("patient.py", Patient));
        request.settings.idle = std::chrono::seconds(2); // In which it has to be asked, too.
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.until([&] { return bench.host.pids.contains(0); }));
        QElapsedTimer running;
        running.start();
        QVERIFY(bench.until([&] { return running.hasExpired(2500); }));
        QVERIFY(!isGone(bench.starter())); // A run of its own keeps it.
        {
            WarmBench second(request);
            start(place, second, 1);
            QVERIFY(second.until([&] { return second.host.pids.contains(0); }));
            QCOMPARE(second.starter(), bench.starter());
        }
        QVERIFY(bench.keeper.pid() > 0);
        ::kill(bench.keeper.pid(), SIGKILL);
        QVERIFY(bench.until([&] { return bench.host.death.has_value(); }));
        QTRY_VERIFY(isGone(bench.starter()));
    }

    void endsWhenMemoryIsShort()
    {
        const WarmPlace place;
        WarmRequest request = place.request(place.write("quick.py", "pass"));
        request.settings.memoryFile = place.write("meminfo", MuchMemory);
        pid_t starter = -1;
        {
            WarmBench bench(request);
            start(place, bench, 1);
            QVERIFY(bench.untilExit(0));
            starter = bench.starter();
            place.write("meminfo", LittleMemory);
            // A run needs it: it is asked, looks, and stays.
            WarmBench second(request);
            start(place, second, 1);
            QVERIFY(second.untilExit(0));
            QCOMPARE(codeName(second.how()), codeName(code::WarmStart));
        }
        QTRY_VERIFY(isGone(starter));
        place.write("meminfo", MuchMemory);
        WarmBench third(request);
        start(place, third, 1);
        QVERIFY(third.untilExit(0));
        QCOMPARE(codeName(third.how()), codeName(code::WarmStartFirst));
    }

    void waitingForMemoryElsewhereDoesntEndIt()
    {
        const MemoryGroup group(64LL << 20);
        if (!group.isUsable())
            QSKIP("memory cgroups can't be made here");
        const WarmPlace place;
        WarmRequest request = place.request(place.write("quick.py", "pass"));
        pid_t starter = -1;
        {
            WarmBench bench(request);
            start(place, bench, 1);
            QVERIFY(bench.untilExit(0));
            starter = bench.starter();
        }
        // Allocates more than there is, again and again: the kernel says so, then ends it.
        QProcess other;
        other.start("sh", {"-c", "for i in $(seq 10); do sh -c 'echo $$ > " + group.members() +
                                     "; exec tail /dev/zero'; done"});
        QVERIFY(other.waitForFinished(120'000));
        WarmBench second(request);
        start(place, second, 1);
        QVERIFY(second.untilExit(0));
        QCOMPARE(second.starter(), starter);
    }

    void startsColdAndSaysWhy_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("preload");
        QTest::addColumn<qint64>("memory");
        QTest::addColumn<QString>("interpreter");
        const QString threads =
            "import threading\n"
            "threading.Thread(target=threading.Event().wait, daemon=True).start()\n";
        const QString python = torchInterpreter();
        const qint64 plenty = qint64{4} << 30;
        QTest::newRow("a module starts threads")
            << "ColdThreads"
            << "lib/busy.py" << threads << "busy" << plenty << python;
        QTest::newRow("sitecustomize starts threads")
            << "ColdThreads"
            << "lib/sitecustomize.py" << threads << "decimal" << plenty << python;
        QTest::newRow("a module keeps a device open") << "ColdDevice"
                                                      << "lib/greedy.py"
                                                      << "file = open('/dev/full', 'wb')"
                                                      << "greedy" << plenty << python;
        QTest::newRow("a module can't be imported") << "ColdCannotImport"
                                                    << "lib/broken.py"
                                                    << "import no_such_module"
                                                    << "broken" << plenty << python;
        QTest::newRow("torch can't be imported") << "ColdCannotImport"
                                                 << "lib/torch.py"
                                                 << "raise OSError('libcudart.so is missing')"
                                                 << "" << plenty << python;
        QTest::newRow("a module needs too much memory") << "ColdMemory"
                                                        << "unused"
                                                        << ""
                                                        << "decimal" << qint64{1} << python;
        QTest::newRow("a module ends the process") << "ColdStarterGone"
                                                   << "lib/ending.py"
                                                   << "import os; os._exit(3)"
                                                   << "ending" << plenty << python;
        QTest::newRow("a file beside the program hides a module") << "ColdShadowed"
                                                                  << "decimal.py"
                                                                  << ""
                                                                  << "decimal" << plenty << python;
        QTest::newRow("the interpreter isn't Python") << "ColdStarterGone"
                                                      << "unused"
                                                      << ""
                                                      << "decimal" << plenty << "/bin/false";
        QTest::newRow("there is no interpreter") << "ColdStarterGone"
                                                 << "unused"
                                                 << ""
                                                 << "decimal" << plenty << "/no/such/python";
    }

    void startsColdAndSaysWhy()
    {
        QFETCH(QString, code);
        QFETCH(QString, file);
        QFETCH(QString, text);
        QFETCH(QString, preload);
        QFETCH(qint64, memory);
        QFETCH(QString, interpreter);
        const WarmPlace place;
        place.write(file.toStdString(), text.toStdString());
        WarmRequest request = place.request(place.write("nine.py", "import sys; sys.exit(9)"));
        request.settings.preload.clear();
        if (!preload.isEmpty())
            request.settings.preload.push_back(preload.toStdString());
        request.settings.memoryLimit = memory;
        request.interpreter = interpreter.toStdString();
        request.environment.push_back("PYTHONPATH=" + (place.folder() / "lib").string());
        for (int times = 0; times < 2; ++times) {
            WarmBench bench(request);
            start(place, bench, 2);
            QVERIFY(bench.untilExit(0) && bench.untilExit(1));
            QCOMPARE(QString::fromUtf8(codeName(bench.how()).data()), code);
            QCOMPARE(bench.host.explanations.size(), size_t{1});
            if (interpreter == torchInterpreter())
                QCOMPARE(bench.host.exits[1].code, 9);
            QVERIFY(bench.endAll());
        }
    }

    /// What is started there waits in the kernel; the agent doesn't wait with it.
    void aFolderThatDoesntAnswerIsAColdStart()
    {
        DeadFileSystem disk;
        if (!disk.isUsable())
            QSKIP("no file system can be mounted here");
        const WarmPlace place;
        WarmRequest request = place.request(place.write("nine.py", "import sys; sys.exit(9)"));
        request.programs.front().folder = disk.path().toStdString() + "/data";
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.untilExit(0));
        QCOMPARE(codeName(bench.how()), codeName(code::ColdStarterNotStarted));
        QCOMPARE(bench.host.exits[0].code, 9);
        QVERIFY(bench.endAll());
        disk.die();
        QTRY_VERIFY(ChildProcess::all().empty());
    }

    void hostsThatShareAHomeRememberSideBySide()
    {
        const QTemporaryDir folder;
        const auto parts = builtKeeper().parent_path() / "ringmaster-warm/parts";
        QProcess checks;
        checks.start(torchInterpreter(),
                     {"-B", RINGMASTER_SOURCE_DIR "/tests/worker/programs/remembering.py",
                      QString::fromStdString(parts.string()), folder.path()});
        QVERIFY(checks.waitForFinished());
        const QByteArray error = checks.readAllStandardError();
        QVERIFY2(checks.exitStatus() == QProcess::NormalExit && checks.exitCode() == 0, error);
    }

    void aStarterThatCantForkStaysForTheNext_data()
    {
        QTest::addColumn<int>("descriptors");
        QTest::newRow("no process left") << -1;
        for (const int left : {0, 1, 2})
            QTest::addRow("%d descriptors left", left) << left;
    }

    void aStarterThatCantForkStaysForTheNext()
    {
        QFETCH(int, descriptors);
        const ProcessesGroup group(1);
        if (descriptors < 0 && !group.isUsable())
            QSKIP("a cgroup with a limit of processes can't be made here");
        const WarmPlace place;
        WarmBench first(place.request(place.write("nine.py", "import sys; sys.exit(9)")));
        start(place, first, 1);
        QVERIFY(first.untilExit(0));
        const pid_t starter = first.starter();
        QVERIFY(starter > 0);
        // It is done with the connection, whose descriptors would count.
        QTRY_COMPARE(socketCount(starter), size_t{1});
        rlimit before{};
        QCOMPARE(::prlimit(starter, RLIMIT_NOFILE, nullptr, &before), 0);
        if (descriptors < 0) {
            QVERIFY(enter(starter, group.members()));
        } else {
            const rlimit few{freeDescriptor(starter, descriptors), before.rlim_max};
            QCOMPARE(::prlimit(starter, RLIMIT_NOFILE, &few, nullptr), 0);
        }
        for (int times = 0; times < 3; ++times) {
            WarmBench cold(first.request);
            start(place, cold, 1);
            QVERIFY(cold.untilExit(0));
            QCOMPARE(codeName(cold.how()), codeName(code::ColdStarterFull));
            QCOMPARE(cold.host.exits[0].code, 9);
            QVERIFY(cold.endAll());
        }
        if (descriptors < 0)
            QVERIFY(enter(starter, QFileInfo(group.members()).path() + "/../cgroup.procs"));
        else
            QCOMPARE(::prlimit(starter, RLIMIT_NOFILE, &before, nullptr), 0);
        WarmBench next(first.request);
        start(place, next, 1);
        QVERIFY(next.untilExit(0));
        QCOMPARE(codeName(next.how()), codeName(code::WarmStart));
        QCOMPARE(next.starter(), starter);
    }

    void aMissingProgramIsTheInterpretersToComplainAbout()
    {
        const WarmPlace place;
        WarmBench bench(place.request("missing.py"));
        start(place, bench, 1);
        QVERIFY(bench.untilExit(0));
        QCOMPARE(codeName(bench.how()), codeName(code::ColdProgramUnusual));
        QCOMPARE(bench.host.exits[0].code, 2);
    }

    void aStarterThatDoesntFitIsReplaced_data()
    {
        QTest::addColumn<QString>("change");
        QTest::newRow("a variable that is read at load time") << "variable";
        QTest::newRow("the preload list") << "preload";
        QTest::newRow("the installed packages") << "packages";
    }

    void aStarterThatDoesntFitIsReplaced()
    {
        QFETCH(QString, change);
        const WarmPlace place;
        place.write("site-packages/one.py", "");
        WarmRequest request = place.request(place.write("quick.py", "pass"));
        request.environment.push_back("PYTHONPATH=" + (place.folder() / "site-packages").string());
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.untilExit(0));
        if (change == "variable")
            request.environment.push_back("OMP_NUM_THREADS=3");
        else if (change == "preload")
            request.settings.preload.push_back("fractions");
        else
            place.write("site-packages/two.py", "");
        WarmBench second(request);
        start(place, second, 1);
        QVERIFY(second.untilExit(0));
        QCOMPARE(codeName(second.how()), codeName(code::WarmStartFirst));
        QVERIFY(second.starter() != bench.starter());
        QTRY_VERIFY(isGone(bench.starter()));
    }

    /// It may be on its way out when it is asked: then nobody reads the question.
    void aStarterThatEndsWhileItIsAskedIsReplaced()
    {
        const WarmPlace place;
        const WarmRequest request = place.request(place.write("quick.py", "pass"));
        FileDescriptor listening(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
        const auto name = starterName(request.interpreter);
        QVERIFY(name.has_value());
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::copy(name->begin(), name->end(), &address.sun_path[1]);
        const auto size = offsetof(sockaddr_un, sun_path) + 1 + name->size();
        QCOMPARE(::bind(listening.get(), reinterpret_cast<const sockaddr*>(&address),
                        static_cast<socklen_t>(size)),
                 0);
        QCOMPARE(::listen(listening.get(), 1), 0);
        std::thread ending([&listening] {
            FileDescriptor asked(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
            asked.close();
            listening.close();
        });
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.untilExit(0));
        ending.join();
        QCOMPARE(codeName(bench.how()), codeName(code::WarmStartFirst));
    }

    /// Who asks again meets it once more before it is gone.
    void aNewStarterThatEndsSlowlyIsReplaced()
    {
        const WarmPlace place;
        const std::string once = place.write("once", "");
        // Without the environment's sitecustomize, which is the real one.
        const std::string interpreter =
            place.write("python", "#!" + torchInterpreter().toStdString() + R"( -I
import os, socket, sys
once = os.path.join(os.path.dirname(sys.argv[0]), "once")
if not os.path.exists(once):
    os.execv(sys.executable, [sys.executable] + sys.argv[1:])
os.unlink(once)
listening = socket.socket(fileno=3)
asked, _ = listening.accept()
asked.recv(1 << 20)
asked.sendall(b'{"answer": "no", "reason": "stale"}')
asked.close()
listening.accept()
)");
        std::filesystem::permissions(interpreter, std::filesystem::perms::owner_all);
        WarmRequest request = place.request(place.write("quick.py", "pass"));
        request.interpreter = interpreter;
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.untilExit(0));
        QVERIFY(!std::filesystem::exists(once));
        QCOMPARE(codeName(bench.how()), codeName(code::WarmStartFirst));
    }

    void anAbandonedStartStartsNothing()
    {
        const WarmPlace place;
        place.write("lib/slow.py", "import time; time.sleep(1000)");
        WarmRequest request = place.request(place.write("quick.py", "pass"));
        request.settings.preload = {"slow"};
        request.environment.push_back("PYTHONPATH=" + (place.folder() / "lib").string());
        QProcess owner;
        owner.start("sleep", {"1000"});
        QVERIFY(owner.waitForStarted());
        request.settings.owner = *identityOf(static_cast<pid_t>(owner.processId()));
        WarmBench bench(request);
        start(place, bench, 1);
        QVERIFY(bench.keeper.abandonStart());
        QVERIFY(!bench.keeper.abandonStart());
        QVERIFY(bench.endAll());
        QVERIFY(bench.host.pids.empty());
        owner.kill();
        owner.waitForFinished();
    }

    void aHundredStartsAndKillsLeaveNothing()
    {
        const WarmPlace place;
        const auto before = descriptorCount();
        std::vector<ProcessIdentity> processes;
        const std::string program = place.write("patient.py", Patient);
        for (int round = 0; round < 100; ++round) {
            WarmBench bench(place.request(program));
            start(place, bench, 1);
            QVERIFY(bench.until([&] { return bench.host.pids.contains(0); }));
            const std::array group{identityOf(bench.host.pids[0]), identityOf(bench.starter()),
                                   identityOf(bench.keeper.pid())};
            for (const auto& process : group) {
                QVERIFY(process.has_value());
                processes.push_back(*process);
            }
            QVERIFY(signalProcess(*group[static_cast<size_t>(round % 3)], SIGKILL));
        }
        (void)signalProcess(processes[processes.size() - 2], SIGKILL);
        for (const ProcessIdentity& process : processes)
            QTRY_VERIFY(!isAlive(process));
        QCOMPARE(descriptorCount(), before);
        const auto prefix = starterNamePrefix();
        QVERIFY(prefix.has_value());
        QTRY_VERIFY(readFile("/proc/net/unix")->find(*prefix) == std::string::npos);
    }

private:
    static void start(const WarmPlace& place, WarmBench& bench, int workers)
    {
        std::vector<WorkerLaunch> launches;
        for (int rank = 0; rank < workers; ++rank)
            launches.push_back(place.launch(bench.request, rank));
        QVERIFY(bench.keeper.start(std::move(launches), &bench.request).has_value());
    }

    static void endPatient(WarmBench& bench)
    {
        bench.keeper.signal(0, SIGKILL);
        QVERIFY(bench.untilExit(0));
        QVERIFY(bench.host.exits[0].signal == SIGKILL);
        QVERIFY(bench.endAll());
    }

    /// A worker with a child that has left its session and its parents; its pid is in a file.
    static std::string parentOfDaemon(const WarmPlace& place)
    {
        return "import os, signal\n"
               "if os.fork() == 0:\n"
               "    os.setsid()\n"
               "    if os.fork() != 0: os._exit(0)\n"
               "    with open('" +
               (place.folder() / "daemon.new").string() +
               "', 'w') as file: file.write(str(os.getpid()))\n"
               "    os.rename('" +
               (place.folder() / "daemon.new").string() + "', '" +
               (place.folder() / "daemon").string() +
               "')\n"
               "while True: signal.pause()\n";
    }

    static pid_t daemonOf(const WarmPlace& place, WarmBench& bench)
    {
        const auto file = place.folder() / "daemon";
        if (!bench.until([&] { return std::filesystem::exists(file); }))
            return -1;
        return std::stoi(*readFile(file));
    }

    /// -1: it isn't there, or hasn't its name yet.
    static pid_t guardOf(const WarmBench& bench)
    {
        for (const pid_t pid : processesWithEnvironment("RINGMASTER_RUN", bench.request.title)) {
            const auto command = readFile("/proc/" + std::to_string(pid) + "/cmdline");
            if (command && command->find("--guard") != std::string::npos)
                return pid;
        }
        return -1;
    }

    static bool enter(pid_t process, const QString& members)
    {
        std::ofstream file(members.toStdString());
        file << process << std::flush;
        return file.good();
    }

    static size_t socketCount(pid_t process)
    {
        size_t count = 0;
        const std::string folder = "/proc/" + std::to_string(process) + "/fd";
        std::error_code gone;
        for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) {
            const auto target = std::filesystem::read_symlink(entry.path(), gone);
            count += target.string().starts_with("socket:") ? 1 : 0;
        }
        return count;
    }

    /// The number that so many others that are free come before.
    static rlim_t freeDescriptor(pid_t process, int others)
    {
        rlim_t number = 0;
        for (;; ++number) {
            const std::string path =
                "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
            if (!std::filesystem::is_symlink(path) && others-- == 0)
                return number;
        }
    }

    static size_t descriptorCount()
    {
        size_t count = 0;
        for ([[maybe_unused]] const auto& entry :
             std::filesystem::directory_iterator("/proc/self/fd"))
            ++count;
        return count;
    }
};

QTEST_GUILESS_MAIN(tst_warm_start)
#include "tst_warm_start.moc"
