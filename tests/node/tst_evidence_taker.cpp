#include "engine/base/Codes.h"
#include "engine/base/LoopThread.h"
#include "engine/diagnose/Codes.h"
#include "engine/machine/PySpyProgram.h"
#include "engine/node/Codes.h"
#include "engine/node/EvidenceTaker.h"
#include "tests/support/TorchInterpreter.h"

#include <QElapsedTimer>
#include <QLocalServer>
#include <QLocalSocket>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <csignal>
#include <future>

#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;
using Source = RankEvidence::Source;
using Process = RankEvidence::Process;
using Depth = EvidenceTaker::Depth;

namespace {

constexpr const char* PySpyJson =
    R"([{"pid": 7, "os_thread_id": 7, "thread_name": "MainThread", "owns_gil": false,)"
    R"( "frames": [{"name": "spied", "filename": "/train.py", "line": 9}]}])";

bool isThere(const RankEvidence& rank, const char* function)
{
    for (const ThreadStack& thread : rank.threads) {
        for (const StackFrame& frame : thread.frames) {
            if (frame.function == function)
                return true;
        }
    }
    return false;
}

} // namespace

/// Where real processes stand, by whoever can say it: py-spy, torch's worker server, /proc.
class tst_evidence_taker : public QObject
{
    Q_OBJECT

private:
    void install(const QByteArray& script)
    {
        QFile file(m_folder->filePath("bin/py-spy"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(script);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    /// Only what the test installs is found.
    void hideTools()
    {
        qputenv("PATH", m_folder->filePath("bin").toUtf8());
        qputenv("XDG_DATA_HOME", m_folder->filePath("data").toUtf8());
    }

    struct Ender
    {
        void operator()(QProcess* process) const
        {
            process->kill();
            process->waitForFinished();
            delete process;
        }
    };
    using Running = std::unique_ptr<QProcess, Ender>;

    /// Python that has printed a line with "here".
    Running python(const QByteArray& program) const
    {
        Running process(new QProcess);
        process->start(m_python, {"-u", "-c", QString::fromUtf8(program)});
        QByteArray seen;
        while (!seen.contains("here\n") && process->waitForReadyRead(60'000))
            seen += process->readAllStandardOutput();
        return seen.contains("here\n") ? std::move(process) : nullptr;
    }

    static int pidOf(const QProcess& process) { return static_cast<int>(process.processId()); }

    static Evidence take(std::vector<EvidenceTaker::Target> targets, Depth depth = Depth::Python,
                         std::chrono::milliseconds patience = 20s)
    {
        LoopThread thread("test-loop");
        std::unique_ptr<EvidenceTaker> taker;
        std::promise<Evidence> taken;
        thread.post([&] {
            taker = std::make_unique<EvidenceTaker>(
                thread.loop(),
                EvidenceTaker::Request{
                    .targets = std::move(targets), .depth = depth, .patience = patience},
                [&](Evidence evidence) {
                    taker.reset();
                    taken.set_value(std::move(evidence));
                });
        });
        return taken.get_future().get();
    }

    /// Until the process waits in that call, or one like it.
    static bool untilWaiting(int pid, const QByteArray& channel)
    {
        return QTest::qWaitFor(
            [&] {
                QFile file(QString("/proc/%1/wchan").arg(pid));
                return file.open(QIODevice::ReadOnly) && file.readAll().contains(channel);
            },
            60'000);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_path;
    QByteArray m_data;
    QString m_python;
    QProcess m_sleeper;

private Q_SLOTS:
    void initTestCase()
    {
        m_path = qgetenv("PATH");
        m_data = qgetenv("XDG_DATA_HOME");
        m_python = test::torchInterpreter();
        if (m_python.isEmpty())
            m_python = QStandardPaths::findExecutable("python3");
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(m_folder->path()).mkdir("bin"));
        m_sleeper.start("/bin/sleep", {"600"});
        QVERIFY(m_sleeper.waitForStarted());
        QVERIFY(untilWaiting(pidOf(m_sleeper), "sleep"));
    }

    void cleanup()
    {
        qputenv("PATH", m_path);
        if (m_data.isNull())
            qunsetenv("XDG_DATA_HOME");
        else
            qputenv("XDG_DATA_HOME", m_data);
        m_sleeper.kill();
        m_sleeper.waitForFinished();
    }

    void allAreAskedAtOnce()
    {
        hideTools();
        // Each waits until all have been started.
        install("#!/bin/sh\n: > " + m_folder->path().toUtf8() + "/$5\nwhile [ ! -e " +
                m_folder->path().toUtf8() + "/1 -o ! -e " + m_folder->path().toUtf8() + "/" +
                QByteArray::number(m_sleeper.processId()) + " ]; do :; done\necho '" + PySpyJson +
                "'\n");
        const Evidence evidence =
            take({{.rank = 0, .launched = 1}, {.rank = 1, .launched = pidOf(m_sleeper)}});
        QCOMPARE(evidence.ranks.size(), size_t(2));
        for (const RankEvidence& rank : evidence.ranks) {
            QVERIFY(rank.source == Source::PySpy && isThere(rank, "spied"));
            QVERIFY(rank.problem.code == code::None);
        }
        QVERIFY(evidence.tookNs > 0);
    }

    void whoCanNotReadIsSaid_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("code");
        QTest::newRow("no reader") << QByteArray() << "NoStackNoReader";
        QTest::newRow("refused")
            << QByteArray("#!/bin/sh\necho 'Permission Denied: try again' >&2\nexit 1\n")
            << "NoStackRefused";
        QTest::newRow("another error")
            << QByteArray("#!/bin/sh\necho 'Error: no python' >&2\nexit 1\n") << "NoStackFailed";
        QTest::newRow("no stack") << QByteArray("#!/bin/sh\necho '[]'\n") << "NoStackFailed";
        QTest::newRow("it never ends")
            << QByteArray("#!/bin/sh\nexec /bin/sleep 600\n") << "NoStackSlow";
    }
    /// The system says something in any case.
    void whoCanNotReadIsSaid()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, code);
        hideTools();
        if (!script.isEmpty())
            install(script);
        const std::chrono::milliseconds patience = code == "NoStackSlow" ? 500ms : 20s;
        const Evidence evidence = take({{.rank = 3,
                                         .launched = pidOf(m_sleeper),
                                         .operation = {code::BeforeOperations, {}, {}}}},
                                       Depth::Python, patience);
        const RankEvidence& rank = evidence.ranks.at(0);
        QCOMPARE(QString::fromStdString(std::string(codeName(rank.problem.code))), code);
        QVERIFY(rank.source == Source::System && rank.threads.empty());
        QVERIFY(rank.process == Process::Waiting);
        QCOMPARE(rank.systemCall, std::string("clock_nanosleep"));
        QVERIFY(rank.operation.code == code::BeforeOperations);
    }

    void theTimeHoldsForAll()
    {
        hideTools();
        install("#!/bin/sh\nexec /bin/sleep 600\n");
        std::vector<EvidenceTaker::Target> targets;
        for (int rank = 0; rank < 64; ++rank)
            targets.push_back({.rank = rank, .launched = pidOf(m_sleeper)});
        QElapsedTimer timer;
        timer.start();
        const Evidence evidence = take(targets, Depth::Native, 2s);
        QVERIFY2(timer.elapsed() < 30'000, QByteArray::number(timer.elapsed()));
        QCOMPARE(evidence.ranks.size(), size_t(64));
        for (int rank = 0; rank < 64; ++rank) {
            const RankEvidence& one = evidence.ranks[static_cast<size_t>(rank)];
            QVERIFY(one.globalRank == rank && one.problem.code == code::NoStackSlow);
            QVERIFY(one.process == Process::Waiting);
        }
    }

    void oneThatIsDestroyedSaysNothing()
    {
        EventLoop loop;
        bool isDone = false;
        auto taker = std::make_unique<EvidenceTaker>(loop, EvidenceTaker::Request{},
                                                     [&](const Evidence&) { isDone = true; });
        // Without a target its first step is its end. Both are due before the loop begins.
        const auto destroying = loop.callAfter(0s, [&] {
            taker.reset();
            loop.post([&] { loop.stop(); });
        });
        loop.run();
        QVERIFY(!isDone);
    }

    void thenTorchsWorkerServerIsAsked()
    {
        hideTools();
        QLocalServer server;
        connect(&server, &QLocalServer::newConnection, this, [&] {
            QLocalSocket* socket = server.nextPendingConnection();
            connect(socket, &QLocalSocket::readyRead, socket, [socket] {
                socket->write("HTTP/1.1 200 OK\r\n\r\nThread 0x1 (most recent call first):\n"
                              "  File \"/train.py\", line 3 in step\n");
                socket->disconnectFromServer();
            });
        });
        const QString path = m_folder->filePath("s");
        QVERIFY(server.listen(path));
        auto taking = std::async(std::launch::async, [&] {
            return take({{.rank = 0, .launched = pidOf(m_sleeper), .server = path.toStdString()}});
        });
        QVERIFY(QTest::qWaitFor([&] { return taking.wait_for(0s) == std::future_status::ready; },
                                60'000));
        const Evidence evidence = taking.get();
        QVERIFY(evidence.ranks[0].source == Source::WorkerServer);
        QVERIFY(isThere(evidence.ranks[0], "step") && evidence.ranks[0].problem.code == code::None);
    }

    /// A container's first process is 1, too.
    void aPidThatIsNotBelowTheWorkersIsNotBelieved()
    {
        hideTools();
        QProcess shell;
        shell.start("/bin/sh", {"-c", "/bin/sleep 600 & echo $!; wait"});
        QVERIFY(shell.waitForReadyRead(60'000));
        const int child = shell.readAllStandardOutput().trimmed().toInt();
        const Evidence evidence = take({{.rank = 0, .launched = pidOf(m_sleeper), .pid = 1},
                                        {.rank = 1, .launched = pidOf(shell), .pid = child},
                                        {.rank = 2, .launched = pidOf(shell)}});
        QCOMPARE(evidence.ranks[0].pid, pidOf(m_sleeper));
        QCOMPARE(evidence.ranks[1].pid, child);
        QCOMPARE(evidence.ranks[2].pid, pidOf(shell));
        ::kill(child, SIGKILL);
        QVERIFY(shell.waitForFinished(60'000));
    }

    void aProcessThatIsGoneHasEnded()
    {
        m_sleeper.kill();
        const int pid = pidOf(m_sleeper);
        m_sleeper.waitForFinished();
        const Evidence evidence = take({{.rank = 0, .launched = pid}});
        QVERIFY(evidence.ranks[0].process == Process::Ended);
        QVERIFY(evidence.ranks[0].problem.code != code::None);
    }

    void realProcessesAreReadWithoutBeingStopped()
    {
        const auto sleeps = python("import time\n"
                                   "def naps():\n print('here')\n time.sleep(600)\n"
                                   "naps()\n");
        QVERIFY(sleeps);
        if (pySpyFor(pidOf(*sleeps)).empty())
            QSKIP("no py-spy");
        const auto spins = python("def spins():\n print('here')\n while True: pass\n"
                                  "spins()\n");
        QVERIFY(spins);
        // Holds the GIL in C: a read by ctypes.PyDLL doesn't let it go.
        const auto holds = python("import ctypes, os\n"
                                  "libc = ctypes.PyDLL(None)\n"
                                  "def holds():\n print('here')\n libc.sleep(600)\n"
                                  "holds()\n");
        QVERIFY(holds && untilWaiting(pidOf(*holds), "sleep"));
        const auto stopped = python("import time\n"
                                    "def rests():\n print('here')\n time.sleep(600)\n"
                                    "rests()\n");
        QVERIFY(stopped);
        ::kill(pidOf(*stopped), SIGSTOP);
        const auto locked = python("import threading\n"
                                   "lock = threading.Lock()\nlock.acquire()\n"
                                   "def locks():\n print('here')\n lock.acquire()\n"
                                   "threading.Thread(target=locks, name='other',"
                                   " daemon=True).start()\nlocks()\n");
        QVERIFY(locked && untilWaiting(pidOf(*locked), "futex"));
        QTRY_VERIFY(take({{.rank = 0, .launched = pidOf(*stopped)}}).ranks[0].process ==
                    Process::Stopped);
        const Evidence evidence = take({{.rank = 0, .launched = pidOf(*sleeps)},
                                        {.rank = 1, .launched = pidOf(*spins)},
                                        {.rank = 2, .launched = pidOf(*holds)},
                                        {.rank = 3, .launched = pidOf(*stopped)},
                                        {.rank = 4, .launched = pidOf(*locked)}});
        const char* const functions[] = {"naps", "spins", "holds", "rests", "locks"};
        for (const RankEvidence& rank : evidence.ranks)
            QVERIFY2(rank.source == Source::PySpy && isThere(rank, functions[rank.globalRank]),
                     functions[rank.globalRank]);
        QVERIFY(evidence.ranks[2].threads[0].holdsGil);
        QVERIFY(evidence.ranks[3].process == Process::Stopped);
        QCOMPARE(evidence.ranks[4].threads.size(), size_t(2));
        QVERIFY(evidence.ranks[4].threads[0].isMain);
        QVERIFY(evidence.ranks[4].systemCall == "futex");
    }

    /// A stop would let it write a part, and go on.
    void aPipeThatIsFullStaysFull_data()
    {
        QTest::addColumn<bool>("isNative");
        QTest::newRow("asked") << false;
        QTest::newRow("before the end") << true;
    }
    void aPipeThatIsFullStaysFull()
    {
        QFETCH(bool, isNative);
        const auto writes = python("import os, sys\n"
                                   "end, start = os.pipe()\n"
                                   "def fills():\n print('here')\n"
                                   " print('wrote', os.write(start, b'x' * (1 << 20)))\n"
                                   "fills()\n");
        QVERIFY(writes && untilWaiting(pidOf(*writes), "pipe"));
        if (pySpyFor(pidOf(*writes)).empty())
            QSKIP("no py-spy");
        for (int times = 0; times < 3; ++times) {
            const Evidence evidence = take({{.rank = 0, .launched = pidOf(*writes)}},
                                           isNative ? Depth::Native : Depth::Python);
            const RankEvidence& rank = evidence.ranks[0];
            QVERIFY(rank.source == Source::PySpy && isThere(rank, "fills"));
            QCOMPARE(rank.systemCall, std::string("write"));
            QVERIFY2(rank.systemFile.starts_with("pipe:["), rank.systemFile.c_str());
            QVERIFY(rank.nativeThreads.empty());
        }
        QVERIFY(untilWaiting(pidOf(*writes), "pipe"));
        QVERIFY(!writes->waitForReadyRead(100));
        QCOMPARE(writes->readAllStandardOutput(), QByteArray());
    }

    void cCodeIsReadOfOneOfEachPlace()
    {
        const QByteArray program = "import time\n"
                                   "def naps():\n print('here')\n time.sleep(600)\n"
                                   "naps()\n";
        const auto first = python(program);
        const auto second = python(program);
        QVERIFY(first && second);
        if (pySpyFor(pidOf(*first)).empty())
            QSKIP("no py-spy");
        const Evidence evidence =
            take({{.rank = 0, .launched = pidOf(*first)}, {.rank = 1, .launched = pidOf(*second)}},
                 Depth::Native, 60s);
        QVERIFY(!evidence.ranks[0].nativeThreads.empty());
        QVERIFY(evidence.ranks[1].nativeThreads.empty());
        const auto& frames = evidence.ranks[0].nativeThreads[0].frames;
        QVERIFY(std::ranges::any_of(frames, [](const StackFrame& frame) {
            return frame.file.find("libc") != std::string::npos;
        }));
        QVERIFY(std::ranges::any_of(
            frames, [](const StackFrame& frame) { return frame.function == "naps"; }));
    }
};

QTEST_GUILESS_MAIN(tst_evidence_taker)
#include "tst_evidence_taker.moc"
