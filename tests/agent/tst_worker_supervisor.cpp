#include "engine/agent/Codes.h"
#include "engine/agent/WorkerSupervisor.h"
#include "engine/base/Codes.h"
#include "engine/worker/Codes.h"
#include "tests/agent/FakeNode.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

/// Keeps what it hears, and stops a group that has failed.
struct Owner : WorkerSupervisor::Host
{
    void attemptReady() override { heard.emplace_back("ready"); }
    void openFailed(const Error& error) override { keep("open failed", error); }
    void startFailed(const Error& error) override
    {
        keep("start failed", error);
        supervisor->stop({.signal = SIGTERM});
    }
    void workerMissing(const Error& error) override
    {
        keep("missing", error);
        supervisor->stop({.signal = SIGTERM});
    }
    void groupRuns() override { heard.emplace_back("runs"); }
    void groupSucceeded() override { heard.emplace_back("succeeded"); }
    void groupFailed() override
    {
        heard.emplace_back("failed");
        supervisor->stop({.signal = SIGTERM});
    }
    void groupEnded() override { heard.emplace_back("ended"); }
    void workersSurvived(const std::vector<Message>& survivors) override
    {
        heard.push_back("survived " + std::to_string(survivors.size()));
    }

    void keep(const char* what, const Error& error)
    {
        heard.emplace_back(what);
        reason = error.code;
    }

    WorkerSupervisor* supervisor = nullptr;
    std::vector<std::string> heard;
    Code reason = code::None;
};

/// A supervisor on a loop of its own, with two workers to start.
class SupervisedNode
{
public:
    explicit SupervisedNode(std::chrono::milliseconds outputPatience = 60s)
    {
        m_options.outputPatience = outputPatience;
        m_spec.roles = {Role{.program = "train.py"}};
        m_spec.restart.grace = 50ms;
        m_spec.monitorInterval = 20ms;
        owner.supervisor = &supervisor;
    }

    void open(int attempt = 0)
    {
        const std::vector<WorkerAssignment> workers{
            {.localRank = 0, .globalRank = 0, .roleWorldSize = 2},
            {.localRank = 1, .globalRank = 1, .roleRank = 1, .roleWorldSize = 2}};
        supervisor.open(WorkerGroup({.attempt = attempt, .worldSize = 2}, workers),
                        {.worldSize = 2, .masterAddress = "localhost", .masterPort = 29500});
    }
    bool untilHeard(const std::string& what)
    {
        return runUntil(loop, 20s,
                        [&] { return !owner.heard.empty() && owner.heard.back() == what; });
    }

    EventLoop loop;
    SystemClock clock;
    Record record;
    Owner owner;
    FakeProcesses* processes = nullptr;
    std::vector<Code> examinedFor;

private:
    JobSpec m_spec;
    AgentOptions m_options{.hostName = "localhost",
                           .workers = {2},
                           .interpreter = "/usr/bin/python3",
                           .temporaryFolder = "/tmp",
                           .killPatience = 100ms};
    AgentEventEmitter m_emitter{m_spec, m_options, {clock, record, [this](std::string_view text) {
                                                        record.printed(text);
                                                    }}};

public:
    WorkerSupervisor supervisor{
        m_spec,
        m_options,
        {.loop = loop,
         .clock = clock,
         .emitter = m_emitter,
         .host = owner,
         .processes =
             [this](WorkerProcesses::Host& host) {
                 auto made = std::make_unique<FakeProcesses>(loop, host);
                 processes = made.get();
                 return made;
             },
         .examine =
             [this](const Message& why, WorkerSupervisor::Ending, std::function<void()> done) {
                 examinedFor.push_back(why.code);
                 done();
             }}};
};

using Heard = std::vector<std::string>;

} // namespace

/// A group of workers from its output to its end, without an agent around it.
class tst_worker_supervisor : public QObject
{
    Q_OBJECT

private:
    using Phase = WorkerSupervisor::Phase;

private Q_SLOTS:
    void aGroupSucceedsAndTheNextIsOpened()
    {
        SupervisedNode node;
        for (int attempt = 0; attempt < 2; ++attempt) {
            node.open(attempt);
            QVERIFY(node.supervisor.phase() == Phase::Opening && node.supervisor.isUp());
            QVERIFY(node.untilHeard("runs"));
            node.processes->end(0, {});
            QVERIFY(node.supervisor.phase() == Phase::Running);
            node.processes->end(1, {});
            QVERIFY(node.supervisor.phase() == Phase::Closing && !node.supervisor.isUp());
            QVERIFY(node.untilHeard("ended"));
            QVERIFY(node.supervisor.phase() == Phase::Idle);
            QCOMPARE(node.owner.heard, (Heard{"ready", "runs", "succeeded", "ended"}));
            QCOMPARE(node.supervisor.group().attempt().attempt, attempt);
            node.owner.heard.clear();
        }
        QVERIFY(node.processes->signals.empty() && node.examinedFor.empty());
    }

    void theOthersOfAFailedWorkerAreToldToEnd()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->end(1, {.code = 3});
        QVERIFY(node.untilHeard("ended"));
        QCOMPARE(node.owner.heard, (Heard{"ready", "runs", "failed", "ended"}));
        QCOMPARE(node.processes->signals, (std::vector<std::pair<int, int>>{{0, SIGTERM}}));
        QCOMPARE(node.supervisor.group().ends().front().exit.globalRank, 1);
    }

    void stopsForTheReasonThatIsToldLast()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->ignoresSignals = true;
        node.supervisor.stop({.why = {code::UserRestarted, {}, {}}, .signal = SIGTERM});
        QVERIFY(node.supervisor.phase() == Phase::Stopping);
        QCOMPARE(node.processes->signals.size(), size_t{2});
        node.supervisor.stop({.why = {code::UserStopped, {}, {}}, .signal = SIGTERM});
        QCOMPARE(node.processes->signals.size(), size_t{2}); // the same one isn't sent again
        node.supervisor.stop({.why = {code::UserStopped, {}, {}}, .signal = SIGINT});
        QCOMPARE(node.processes->signals.back(), std::make_pair(1, SIGINT));
        QVERIFY(node.untilHeard("ended"));
        QCOMPARE(node.examinedFor, (std::vector<Code>{code::UserRestarted, code::UserStopped}));
        QVERIFY(node.record.hasNotice(code::WorkerIgnoresSignal));
    }

    /// What its keeper couldn't tell it any more was nothing of the agent's.
    void whoEndsBeforeItIsToldHasFailed()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->ignoresSignals = true;
        node.supervisor.stop({.signal = SIGTERM});
        std::erase(node.processes->running, 1);
        node.processes->host.workerExited(1, {.signal = SIGSEGV, .at = node.clock.now()});
        node.processes->host.workerExplained({.localRank = 1}, OutOfMemoryWatch::Finding::No);
        QVERIFY(node.untilHeard("ended"));
        const auto& workers = node.supervisor.group().workers();
        QVERIFY(workers[0].exit->endedByAgent && workers[0].state == WorkerState::Stopped);
        QVERIFY(!workers[1].exit->endedByAgent && workers[1].state == WorkerState::Failed);
    }

    void whoIsKilledBeforeItsStartIsHeardHasNotFailed()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("ready"));
        node.supervisor.stop({.signal = SIGTERM});
        node.supervisor.kill();
        QVERIFY(node.untilHeard("ended"));
        for (const Worker& worker : node.supervisor.group().workers())
            QVERIFY(worker.exit->endedByAgent && worker.state == WorkerState::Stopped);
    }

    void aDrillStopsAWorkerAndLetsItGoOn()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->ignoresSignals = true;
        QVERIFY(!node.supervisor.disturb({BeginDrill::Kind::Stop, 7, 10ms, 1s, {}}));
        QVERIFY(node.supervisor.disturb({BeginDrill::Kind::Stop, 1, 10ms, 1s, {}}));
        QVERIFY(runUntil(node.loop, 60s, [&] { return node.processes->signals.size() == 2; }));
        QCOMPARE(node.processes->signals,
                 (std::vector<std::pair<int, int>>{{1, SIGSTOP}, {1, SIGCONT}}));
        QVERIFY(node.supervisor.isUp());
    }

    void aDrillSlowsAWorkerDownByStoppingItAgainAndAgain()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->ignoresSignals = true;
        QVERIFY(node.supervisor.disturb({BeginDrill::Kind::Slow, 0, 1h, 1s, {}}));
        QVERIFY(runUntil(node.loop, 60s, [&] { return node.processes->signals.size() == 5; }));
        for (size_t i = 0; i < 5; ++i)
            QCOMPARE(node.processes->signals[i], std::make_pair(0, i % 2 == 0 ? SIGSTOP : SIGCONT));
    }

    void aGroupThatIsToldToEndIsntHeldUpByADrill()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->ignoresSignals = true;
        QVERIFY(node.supervisor.disturb({BeginDrill::Kind::Stop, 1, 1h, 1s, {}}));
        node.supervisor.stop({.why = {code::UserStopped, {}, {}}, .signal = SIGTERM});
        QCOMPARE(node.processes->signals,
                 (std::vector<std::pair<int, int>>{
                     {1, SIGSTOP}, {1, SIGCONT}, {0, SIGTERM}, {1, SIGTERM}}));
        QVERIFY(node.untilHeard("ended"));
        QVERIFY(!node.supervisor.disturb({BeginDrill::Kind::Stop, 1, 1h, 1s, {}}));
    }

    void endsWhatCantBeStarted_data()
    {
        QTest::addColumn<bool>("isWhole");
        QTest::addColumn<QString>("heard");
        QTest::newRow("none of them") << true << "start failed";
        QTest::newRow("one of them") << false << "missing";
    }
    void endsWhatCantBeStarted()
    {
        QFETCH(bool, isWhole);
        QFETCH(QString, heard);
        SupervisedNode node;
        if (isWhole)
            node.processes->startError = Error{{code::KeeperLost, {}, {}}};
        node.open();
        if (!isWhole) {
            QVERIFY(node.untilHeard("ready"));
            node.processes->host.workerNotStarted(0, Error{{code::KeeperLost, {}, {}}});
        }
        QVERIFY(node.untilHeard("ended"));
        QCOMPARE(node.owner.heard, (Heard{"ready", heard.toStdString(), "ended"}));
        QVERIFY(node.owner.reason == code::KeeperLost);
    }

    void aGroupWhoseOutputCantBeMadeReadyEnds()
    {
        SupervisedNode node;
        node.processes->opensAtOnce = false;
        node.open();
        node.processes->host.attemptOpened(fail(code::FileNotReadable));
        QVERIFY(node.untilHeard("ended"));
        QCOMPARE(node.owner.heard, (Heard{"open failed", "ended"}));
        QVERIFY(node.processes->started.empty());
    }

    void namesWhatCantBeKilled()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->ignoresSignals = true;
        node.processes->survivorsOfClose = {{code::TimedOut, {}, {}}};
        node.supervisor.stop({.signal = SIGTERM});
        node.supervisor.kill();
        QVERIFY(node.supervisor.phase() == Phase::Closing);
        QVERIFY(node.untilHeard("survived 1"));
    }

    void aSweepThatWasGivenUpHasEndedNothing()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->isSweepGivenUp = true;
        node.processes->host.keeperDied({{.code = code::KeeperDied}});
        QCOMPARE(node.owner.heard, (Heard{"ready", "runs", "survived 0"}));
    }

    void aSlowDiskIsNoFailureOfTheWorkers()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->keepsWriting = true;
        node.processes->end(0, {});
        node.processes->end(1, {});
        QVERIFY(runUntil(node.loop, 20s,
                         [&] { return node.record.hasNotice(code::OutputStillWritten); }));
        QCOMPARE(node.owner.heard, (Heard{"ready", "runs", "succeeded"}));
        node.processes->host.attemptClosed();
        QCOMPARE(node.owner.heard, (Heard{"ready", "runs", "succeeded", "ended"}));
    }

    void aDiskThatDoesNotAnswerIsNotWaitedForForEver()
    {
        SupervisedNode node(50ms);
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.processes->keepsWriting = true;
        node.supervisor.kill();
        QVERIFY(node.untilHeard("survived 1"));
    }

    void whatComesAfterTheEndIsntHeard()
    {
        SupervisedNode node;
        node.open();
        QVERIFY(node.untilHeard("runs"));
        node.supervisor.release();
        node.processes->end(0, {});
        node.processes->end(1, {.code = 1});
        bool isOver = false;
        node.supervisor.finish([&] { isOver = true; });
        QVERIFY(runUntil(node.loop, 20s, [&] { return isOver; }));
        QCOMPARE(node.owner.heard, (Heard{"ready", "runs"}));
    }
};

QTEST_GUILESS_MAIN(tst_worker_supervisor)
#include "tst_worker_supervisor.moc"
