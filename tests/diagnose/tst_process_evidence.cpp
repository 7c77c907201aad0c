#include "Scenario.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/ProcessEvidence.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using Kind = ProcessWait::Kind;
using Child = ProcessWait::Child;

namespace {

constexpr const char* LoaderFile = "/venv/lib/python3.11/site-packages/torch/utils/data/"
                                   "dataloader.py";

QStringList linesOf(const std::vector<Message>& messages)
{
    QStringList lines;
    for (const Message& message : messages)
        lines += QString::fromStdString(describe(message));
    return lines;
}

} // namespace

/// What is said of a rank that does nothing, by what the system says that it waits for.
class tst_process_evidence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatARankWaitsFor_data()
    {
        QTest::addColumn<ProcessWait>("wait");
        QTest::addColumn<QStringList>("lines");
        const auto row = [](const char* name, const ProcessWait& wait, const QStringList& lines) {
            QTest::newRow(name) << wait << lines;
        };
        row("nothing known", {}, {});
        row("lock", {.kind = Kind::Lock},
            {"Rank 1 waits for a lock or for another of its threads."});
        row("pipe", {.kind = Kind::Pipe}, {"Rank 1 reads from a pipe, and nothing comes."});
        row("full pipe", {.kind = Kind::Pipe, .isWriting = true},
            {"Rank 1 writes to a pipe that nobody reads."});
        row("FIFO", {.kind = Kind::Fifo}, {"Rank 1 opens a FIFO, and nobody opens its other end."});
        row("file lock", {.kind = Kind::FileLock, .name = "/a.lock"},
            {"Rank 1 waits for the lock of /a.lock, which another process holds."});
        row("driver", {.kind = Kind::Device, .name = "/dev/nvidia0"},
            {"Rank 1 waits for the driver of /dev/nvidia0."});
        row("sleep", {.kind = Kind::Sleep}, {"Rank 1 sleeps."});
        row("pause", {.kind = Kind::Sleep, .leftNs = 4 * Second, .sleepNs = 14 * Second},
            {"Rank 1 sleeps for 4.0 s more."});
        row("download",
            {.kind = Kind::Socket, .name = "10.0.0.1:443", .bytes = 12'000, .spanNs = 5 * Second},
            {"Rank 1 reads from a socket to 10.0.0.1:443; 12 kB came in the last 5.0 s."});
        row("upload",
            {.kind = Kind::Socket,
             .isWriting = true,
             .name = "10.0.0.1:443",
             .bytes = 700,
             .spanNs = 5 * Second},
            {"Rank 1 writes to a socket to 10.0.0.1:443; 700 B arrived there in the last 5.0 s."});
        row("silent peer",
            {.kind = Kind::Socket, .name = "10.0.0.1:443", .bytes = 0, .spanNs = 5 * Second},
            {"Rank 1 reads from a socket to 10.0.0.1:443; nothing came in the last 5.0 s."});
        row("another network", {.kind = Kind::Socket, .name = "10.0.0.1:443"},
            {"Rank 1 waits at a socket to 10.0.0.1:443."});
        row("a socket of this machine", {.kind = Kind::Socket}, {"Rank 1 waits at a socket."});
        row("a thread that downloads",
            {.kind = Kind::Socket,
             .isOtherThread = true,
             .name = "10.0.0.1:443",
             .bytes = 5000,
             .spanNs = 5 * Second},
            {"Rank 1's main thread waits for another of its threads.",
             "Rank 1 reads from a socket to 10.0.0.1:443; 5 kB came in the last 5.0 s."});
        row("file",
            {.kind = Kind::File,
             .isWriting = true,
             .name = "/data/model.pt",
             .bytes = 3'400'000,
             .spanNs = 5 * Second},
            {"Rank 1 writes to disk, /data/model.pt: 3400 kB in the last 5.0 s."});
        row("stalled disk",
            {.kind = Kind::File, .name = "/data/model.pt", .bytes = 0, .spanNs = 5 * Second},
            {"Rank 1 reads from disk, /data/model.pt: 0 B in the last 5.0 s."});
        row("page", {.kind = Kind::File, .state = "D"}, {"Rank 1 waits for a disk."});
        row("child",
            {.kind = Kind::Child,
             .children = {{.pid = 7, .command = "sleep 14", .isAwaited = true}}},
            {"Rank 1 waits for its child `sleep 14` (pid 7)."});
        row("stopped child",
            {.kind = Kind::Child,
             .children = {{.pid = 7,
                           .command = "sleep 14",
                           .state = Child::State::Stopped,
                           .isAwaited = true}}},
            {"Rank 1 waits for its child `sleep 14` (pid 7), which is stopped."});
        row("idle copy",
            {.kind = Kind::Child,
             .children = {{.pid = 7, .command = "python", .isAwaited = true, .isAtWork = false}}},
            {"Rank 1 waits for its child `python` (pid 7), which does nothing either."});
        row("killed child",
            {.kind = Kind::Lock,
             .children = {{.pid = 7,
                           .command = "python",
                           .state = Child::State::Ended,
                           .signal = SIGKILL}}},
            {"A child of rank 1, `python` (pid 7), was killed by SIGKILL.",
             "Rank 1 waits for a lock or for another of its threads."});
        row("a child that nobody waits for",
            {.kind = Kind::Lock, .children = {{.pid = 7, .command = "nvidia-smi"}}},
            {"Rank 1 waits for a lock or for another of its threads."});
    }
    void saysWhatARankWaitsFor()
    {
        QFETCH(ProcessWait, wait);
        QFETCH(QStringList, lines);
        Scenario scenario(2);
        scenario.process(1).wait = wait;
        QCOMPARE(linesOf(waitEvidence(scenario.view(1))), lines);
    }

    void linksARankToItsLoader_data()
    {
        QTest::addColumn<Child>("child");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("quiet");
        QTest::newRow("reads") << Child{.pid = 7, .isLoaderWorker = true}
                               << "Rank 1 waits for its DataLoader worker (pid 7)." << true;
        QTest::newRow("does nothing")
            << Child{.pid = 7, .isLoaderWorker = true, .isAtWork = false}
            << "Rank 1 waits for its DataLoader worker (pid 7), which does nothing either."
            << false;
        QTest::newRow("stopped")
            << Child{.pid = 7, .state = Child::State::Stopped, .isLoaderWorker = true}
            << "Rank 1 waits for its DataLoader worker (pid 7), which is stopped." << false;
        QTest::newRow("killed")
            << Child{.pid = 7,
                     .state = Child::State::Ended,
                     .signal = SIGKILL,
                     .isLoaderWorker = true}
            << "Rank 1 waits for its DataLoader worker (pid 7), which was killed by SIGKILL."
            << false;
        QTest::newRow("ended")
            << Child{.pid = 7, .state = Child::State::Ended, .exitCode = 3, .isLoaderWorker = true}
            << "Rank 1 waits for its DataLoader worker (pid 7), which has ended with exit code 3."
            << false;
    }
    void linksARankToItsLoader()
    {
        QFETCH(Child, child);
        QFETCH(QString, line);
        QFETCH(bool, quiet);
        Scenario scenario(2);
        scenario.stands(1, "_try_get_data", LoaderFile);
        scenario.process(1).wait = ProcessWait{.kind = Kind::Pipe, .children = {child}};
        QCOMPARE(linesOf(waitEvidence(scenario.view(1))), QStringList{line});
        QCOMPARE(isQuiet(scenario.process(1)), quiet);
    }

    void namesTheLineThatWaitsForTheChild()
    {
        Scenario scenario(2);
        scenario.stands(1, "save", "/home/me/save.py", "subprocess.run(command)", 0, 40);
        scenario.process(1).wait =
            ProcessWait{.kind = Kind::Child,
                        .children = {{.pid = 7, .command = "sleep 14", .isAwaited = true}}};
        QCOMPARE(linesOf(waitEvidence(scenario.view(1))),
                 QStringList{"Rank 1 waits for its child `sleep 14` (pid 7) in save, "
                             "/home/me/save.py line 40."});
    }

    void aSaveIsGivenAMinute()
    {
        Scenario scenario(2);
        scenario.stands(1, "_save", "/venv/lib/python3.11/site-packages/torch/serialization.py");
        scenario.process(1).idleNs = 59 * Second;
        QVERIFY(isQuiet(scenario.process(1)));
        scenario.process(1).idleNs = 61 * Second;
        QVERIFY(!isQuiet(scenario.process(1)));
    }

    /// Python polls a child with a timeout by short sleeps, which are no pause of its own.
    void whoPollsAChildIsWorkedFor()
    {
        Scenario scenario(2);
        ProcessView& process = scenario.process(1);
        scenario.stands(1, "_wait", "/usr/lib/python3.11/subprocess.py");
        process.wait = ProcessWait{.kind = Kind::Sleep,
                                   .leftNs = Second / 100,
                                   .sleepNs = Second / 20,
                                   .children = {{.pid = 7, .command = "sleep 14"}}};
        QVERIFY(isQuiet(process) && isWorkedFor(process));
        process.wait->children.front().state = Child::State::Ended;
        QVERIFY(!isWorkedFor(process));
        process.wait->children.clear();
        process.wait->leftNs = process.wait->sleepNs = 10 * Second;
        QVERIFY(isQuiet(process) && !isWorkedFor(process));
    }

    /// Whoever was in a pause has had no CPU time when it ends.
    void whoWakesUpIsNoProof()
    {
        Scenario scenario(2);
        ProcessView& process = scenario.process(1);
        process.wait = ProcessWait{.kind = Kind::Sleep};
        QVERIFY(!isQuietOrWakesUp(process));
        process.quietAgoNs = 4 * Second;
        QVERIFY(isQuietOrWakesUp(process) && !isQuiet(process));
        process.quietAgoNs = 6 * Second;
        QVERIFY(!isQuietOrWakesUp(process));
        process.quietAgoNs = 1 * Second;
        process.state = ProcessView::State::Dead;
        QVERIFY(!isQuietOrWakesUp(process));
    }

    void aChildMayBeWhatItWaitsForUntilItsStackIsRead()
    {
        Scenario scenario(2);
        ProcessView& process = scenario.process(1);
        process.wait = ProcessWait{.kind = Kind::Sleep, .children = {{.pid = 7}}};
        QVERIFY(mayGoOn(process));
        process.noStack.code = code::StackNoAnswer;
        QVERIFY(mayGoOn(process));
        process.noStack.code = code::StackRefused;
        QVERIFY(!mayGoOn(process));
        process.noStack.code = code::None;
        process.wait->children[0].isCopy = true;
        QVERIFY(!mayGoOn(process));
        process.wait->children[0].isCopy = false;
        scenario.stands(1, "step", "/home/me/train.py");
        QVERIFY(!mayGoOn(process));
    }

    void saysWhoHoldsTheInterpretersLock()
    {
        Scenario scenario(2);
        scenario.stands(1, "parse", "/home/me/data.py", "re.match(p, text)", 5);
        Stack& stack = *scenario.process(1).stack;
        QVERIFY(stackEvidence(scenario.view(1)).empty());
        stack.holdsGil = stack.isActive = true;
        QCOMPARE(stackEvidence(scenario.view(1)).at(0).code, code::RunsWithGil);
        stack.sameSinceNs = stack.takenNs; // it may be in its own code
        QVERIFY(stackEvidence(scenario.view(1)).empty());
        stack.isActive = false;
        QCOMPARE(stackEvidence(scenario.view(1)).at(0).code, code::HoldsGil);
    }

    void withoutAStackTheSystemSaysWhereItIs()
    {
        Scenario scenario(2);
        scenario.process(1).wait = ProcessWait{
            .kind = Kind::Pipe, .state = "S", .systemCall = "read", .channel = "pipe_read"};
        QVERIFY(stackEvidence(scenario.view(1)).empty()); // nobody has asked for its stack
        scenario.process(1).noStack = {code::StackRefused, {{"rank", "1"}}, {}};
        QCOMPARE(linesOf(stackEvidence(scenario.view(1))),
                 QStringList{"By the system rank 1 is in state S, system call read, kernel "
                             "function pipe_read."});
        scenario.process(1).wait = ProcessWait{.state = "S"};
        QCOMPARE(linesOf(stackEvidence(scenario.view(1))),
                 QStringList{"By the system rank 1 is in state S; its system call may not be "
                             "read."});
    }

    void showsWhereTheAwaitedProcessStands()
    {
        Scenario scenario(2);
        scenario.stands(1, "work", "/home/me/data.py", "lock.acquire()");
        scenario.process(1).childStack = scenario.process(1).stack;
        scenario.process(1).childStack->text.clear(); // it is shown below the line
        QCOMPARE(linesOf(stackEvidence(scenario.view(1))),
                 QStringList{"The process that rank 1 waits for is in work, /home/me/data.py line "
                             "88: lock.acquire()"});
    }

    void aFailedThreadIsEvidence()
    {
        Scenario scenario(2);
        scenario.process(1).threadsFailed = {{code::ThreadFailed,
                                              {{"rank", "1"},
                                               {"name", "producer"},
                                               {"type", "ValueError"},
                                               {"text", "no more"},
                                               {"function", "produce"},
                                               {"file", "data.py"},
                                               {"line", "7"}},
                                              {}}};
        QVERIFY(linesOf(evidenceOf({1}, scenario.views(), Scenario::at(8)))
                    .contains("A thread of rank 1, producer, has ended with ValueError: no more "
                              "(produce, data.py line 7). Whatever waits for it waits in vain."));
    }

    void advisesTheLineThatIsKnown()
    {
        Scenario scenario(2);
        QCOMPARE(stuckRemedy(scenario.view(1)).code, code::RemedyLookInside);
        scenario.stands(1, "work", "/home/me/data.py");
        QCOMPARE(describe(stuckRemedy(scenario.view(1))),
                 std::string("Look at what rank 1 waits for in /home/me/data.py line 88."));
    }

    void whatACallItselfUsesIsNoComputing()
    {
        Scenario scenario(2);
        scenario.enter(0, 1, {});
        scenario.process(0).idleNs = 0;
        scenario.process(0).cpuShare = 0.03;
        QVERIFY(linesOf(evidenceOf({0}, scenario.views(), Scenario::at(8)))
                    .filter("computes")
                    .isEmpty());
    }

    void countsBytesAsAPersonReadsThem()
    {
        QCOMPARE(bytesText(0), std::string("0 B"));
        QCOMPARE(bytesText(999), std::string("999 B"));
        QCOMPARE(bytesText(12'345), std::string("12 kB"));
        QCOMPARE(bytesText(3'400'000), std::string("3400 kB"));
        QCOMPARE(bytesText(34'000'000), std::string("34 MB"));
        QCOMPARE(bytesText(50'000'000'000), std::string("50 GB"));
    }
};

QTEST_GUILESS_MAIN(tst_process_evidence)
#include "tst_process_evidence.moc"
