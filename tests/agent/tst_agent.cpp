#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/node/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/worker/Codes.h"
#include "tests/agent/FakeNode.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

JobSpec job(int maxRestarts = 0)
{
    JobSpec spec;
    spec.roles = {Role{.program = "train.py"}};
    spec.restart.maxRestarts = maxRestarts;
    spec.restart.grace = 50ms;
    spec.monitorInterval = 20ms;
    return spec;
}

const ErrorReport PeerLost{
    .type = "RuntimeError",
    .text = "[gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:21042"};

std::vector<RunState> runStates(const FakeNode& node)
{
    std::vector<RunState> states;
    for (const auto& change : node.record.all<RunStateChanged>())
        states.push_back(change.state);
    return states;
}

using States = std::vector<RunState>;

} // namespace

class tst_agent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The state table.

    void goesFromInitOverHealthyToSucceeded()
    {
        FakeNode node(job(), {2});
        QVERIFY(node.agent().group() == WorkerState::Init);
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().state() == RunState::Running);
        node.processes->end(0, {});
        QVERIFY(node.agent().group() == WorkerState::Healthy);
        node.processes->end(1, {});
        QVERIFY(node.agent().group() == WorkerState::Succeeded);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QCOMPARE(node.record.exitCode, 0);
        QCOMPARE(node.rendezvous->closes, 1);
        QVERIFY(node.processes->signals.empty());
        QCOMPARE(runStates(node),
                 (States{RunState::Starting, RunState::Running, RunState::Succeeded}));
        QVERIFY(node.record.all<FirstCause>().empty());
    }

    void failsForGoodWithoutARestartBudget()
    {
        FakeNode node(job(), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(1, {.code = 3});
        QVERIFY(node.agent().group() == WorkerState::Failed);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.exitCode, 1);
        QCOMPARE(node.rendezvous->joins, 1);
        QCOMPARE(node.rendezvous->closes, 1);
        QCOMPARE(node.processes->signals, (std::vector<std::pair<int, int>>{{0, SIGTERM}}));
        QCOMPARE(runStates(node), (States{RunState::Starting, RunState::Running, RunState::Stopping,
                                          RunState::Failed}));
        const auto exits = node.record.all<WorkerExited>();
        QCOMPARE(exits.size(), size_t{2});
        QVERIFY(!exits[0].endedByAgent);
        QVERIFY(exits[1].endedByAgent);
        QCOMPARE(exits[1].status.exitCode(), -15);
        const auto causes = node.record.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{1});
        QCOMPARE(causes[0].globalRank, 1);
        QVERIFY(QString::fromStdString(node.record.console).contains("train.py FAILED"));
    }

    void restartsWithinTheBudgetAndChargesIt()
    {
        FakeNode node(job(2), {2});
        node.agent().start();
        for (int attempt = 0; attempt < 3; ++attempt) {
            QVERIFY(node.untilHealthy(attempt));
            QCOMPARE(node.processes->variable(0, "TORCHELASTIC_RESTART_COUNT"),
                     std::to_string(attempt));
            QCOMPARE(node.processes->variable(0, "TORCHELASTIC_MAX_RESTARTS"), std::string("2"));
            QCOMPARE(node.processes->restartCount, attempt);
            node.processes->end(0, {.signal = SIGSEGV});
        }
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        const auto restarts = node.record.all<GroupRestarting>();
        QCOMPARE(restarts.size(), size_t{2});
        QCOMPARE(restarts[0].budgetBefore, 2);
        QCOMPARE(restarts[0].budgetAfter, 1);
        QCOMPARE(restarts[1].budgetAfter, 0);
        QCOMPARE(node.record.all<FirstCause>().size(), size_t{3});
        QVERIFY(node.record.hasNotice(code::RestartBudgetSpent));
    }

    void restartsOnAMembershipChangeWithoutACharge()
    {
        FakeNode node(job(1), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->host.rendezvousMembershipChanged(
            {.code = code::RendezvousNodesWaiting, .parameters = {{"count", "1"}}});
        QVERIFY(node.agent().state() == RunState::Restarting);
        QVERIFY(node.untilHealthy(1));
        QCOMPARE(node.processes->variable(0, "TORCHELASTIC_RESTART_COUNT"), std::string("0"));
        QCOMPARE(node.processes->variable(0, "MASTER_PORT"), std::string("29501"));
        const auto restarts = node.record.all<GroupRestarting>();
        QCOMPARE(restarts.size(), size_t{1});
        QCOMPARE(restarts[0].budgetBefore, restarts[0].budgetAfter);
        QVERIFY(restarts[0].cause.code == code::RendezvousNodesWaiting);
        QVERIFY(node.record.all<FirstCause>().empty());
        QCOMPARE(node.record.all<AttemptStarted>()[1].attempt, 1);
    }

    void restartsForTheUserWithoutACharge()
    {
        FakeNode node(job(0), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(RestartGroup{}).has_value());
        QVERIFY(node.untilHealthy(1));
        QVERIFY(node.record.all<GroupRestarting>()[0].cause.code == code::UserRestarted);
        QCOMPARE(node.record.all<GroupRestarting>()[0].budgetAfter, 0);
    }

    void stopsAllWorkersAndFailsWhenAProgramCantBeStarted()
    {
        FakeNode node(job(3), {2});
        node.agent().start();
        QVERIFY(node.until([&] { return !node.processes->running.empty(); }));
        node.processes->host.workerNotStarted(
            1, {{.code = code::ProgramNotFound, .parameters = {{"path", "/nope"}}}});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.exitCode, 1);
        QVERIFY(node.record.all<GroupRestarting>().empty());
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::ProgramNotFound);
        QVERIFY(QString::fromStdString(node.record.console).contains("/nope"));
    }

    void callsALostKeeperAFailedAttempt()
    {
        FakeNode node(job(1), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->running.clear();
        node.processes->host.keeperDied({{.code = code::KeeperDied}});
        QVERIFY(node.untilHealthy(1));
        QCOMPARE(node.record.all<GroupRestarting>()[0].budgetAfter, 0);
        int unknown = 0;
        for (const auto& change : node.record.all<WorkerStateChanged>())
            unknown += change.state == WorkerState::Unknown ? 1 : 0;
        QCOMPARE(unknown, 2);
        node.processes->running.clear();
        node.processes->host.keeperDied({{.code = code::KeeperDied}});
        QVERIFY(node.untilEnd());
        QCOMPARE(node.record.exitCode, 1);
    }

    void endsWithoutWhatCantBeKilled_data()
    {
        QTest::addColumn<QString>("how");
        QTest::newRow("stopped") << "stopped";
        QTest::newRow("failed") << "failed";
        QTest::newRow("its keeper is killed") << "keeper";
    }

    /// Nothing is started beside it.
    void endsWithoutWhatCantBeKilled()
    {
        QFETCH(QString, how);
        FakeNode node(job(3), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const Message why{.code = code::SurvivorInKernel,
                          .parameters = {{"pid", "7"}, {"name", "python"}, {"place", "nfs_wait"}}};
        node.processes->survivorsOfClose = {why};
        if (how == "stopped")
            QVERIFY(node.agent().handle(StopRun{}).has_value());
        else if (how == "failed")
            node.processes->end(1, {.code = 1});
        else
            node.processes->host.keeperDied({{.code = code::KeeperDied}});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.exitCode, 1);
        QVERIFY(node.record.hasNotice(code::SurvivorInKernel));
        QCOMPARE(node.processes->opens, 1);
    }

    void failsWhenTheKeeperCantBeStarted()
    {
        FakeNode node(job(1), {1});
        node.processes->startError = Error{{.code = code::KeeperNotStarted}};
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::KeeperNotStarted);
    }

    // How the group is watched and stopped.

    void acceptsThatAWorkerIsDoneEarly()
    {
        FakeNode node(job(), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {});
        QVERIFY(node.agent().group() == WorkerState::Healthy);
        QVERIFY(node.processes->signals.empty());
        node.processes->end(1, {.code = 1});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
    }

    void killsWhoIgnoresTheSignalAfterTheGrace()
    {
        FakeNode node(job(), {3});
        node.processes->ignoresSignals = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(1, {.code = 1});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.hasNotice(code::WorkerIgnoresSignal));
        QVERIFY(QString::fromStdString(node.record.console)
                    .contains("via 15, forcefully exiting via 9"));
        for (const auto& exit : node.record.all<WorkerExited>())
            if (exit.globalRank != 1)
                QVERIFY(exit.endedByAgent && exit.status.signal == SIGKILL);
    }

    void waitsForTheGuiltyRankWhenAPeerWasLostFirst()
    {
        JobSpec spec = job();
        spec.monitorInterval = 5s;
        FakeNode node(spec, {3});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1}, PeerLost);
        QVERIFY(node.agent().group() == WorkerState::Healthy);
        QVERIFY(node.processes->signals.empty());
        node.processes->end(2, {.code = 7});
        QVERIFY(node.untilEnd());
        const FirstCause cause = node.record.all<FirstCause>()[0];
        QCOMPARE(cause.globalRank, 2);
        QCOMPARE(cause.consequences, std::vector<int>{0});
    }

    void waitsNoLongerThanTheMonitorInterval()
    {
        FakeNode node(job(), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1}, PeerLost);
        QVERIFY(node.untilEnd());
        QVERIFY(!node.record.all<FirstCause>()[0].sure);
    }

    void waitsTheDelayBeforeARestart()
    {
        JobSpec spec = job(1);
        spec.restart.firstDelay = 30ms;
        FakeNode node(spec, {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1});
        const auto failed = std::chrono::steady_clock::now();
        QVERIFY(node.untilHealthy(1));
        QVERIFY(std::chrono::steady_clock::now() - failed >= 30ms);
        QCOMPARE(node.record.all<GroupRestarting>()[0].delayNs, std::int64_t{30'000'000});
    }

    void skipsTheDelayWhenTheUserRestarts()
    {
        JobSpec spec = job(1);
        spec.restart.firstDelay = 1h;
        spec.restart.longestDelay = 1h;
        FakeNode node(spec, {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1});
        QVERIFY(node.until([&] { return !node.record.all<GroupRestarting>().empty(); }));
        QVERIFY(node.agent().handle(RestartGroup{}).has_value());
        QVERIFY(node.untilHealthy(1));
    }

    void doesNotTryAgainWhatFailedTooSoon()
    {
        JobSpec spec = job(3);
        spec.restart.minimumHealthyTime = 1h;
        FakeNode node(spec, {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.all<GroupRestarting>().empty());
        QVERIFY(node.record.hasNotice(code::FailedTooSoon));
    }

    void triesAgainOnlyWhatTheJobsRuleIsAbout()
    {
        JobSpec spec = job(3);
        spec.restart.onlyIf = "NCCL (error|timeout)";
        FakeNode node(spec, {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1}, {}, "step 7\nNCCL timeout\n");
        QVERIFY(node.untilHealthy(1));
        node.processes->end(0, {.code = 1}, {}, "loss is nan\n");
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.exitCode, 1);
        QCOMPARE(node.record.all<GroupRestarting>().size(), size_t{1});
        QVERIFY(node.record.hasNotice(code::RestartNotExpected));
        const auto exits = node.record.all<WorkerExited>();
        QVERIFY(exits.front().matchesOnlyIf);
        const auto changes = node.record.all<RunStateChanged>();
        QVERIFY(changes[changes.size() - 2].reason.code == code::RestartNotExpected);
        QVERIFY(changes.back().reason.code == code::WorkerExitedWithCode);
    }

    void doesNotTryAgainWhatTheJobsRuleForbids()
    {
        JobSpec spec = job(3);
        spec.restart.unless = "assert";
        FakeNode node(spec, {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(1, {.code = 1}, {}, "assertion failed\n");
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.all<GroupRestarting>().empty());
        QVERIFY(node.record.hasNotice(code::RestartNotWanted));
    }

    void aRestartByTheUserIsNoFailureForSuchARule()
    {
        JobSpec spec = job(3);
        spec.restart.onlyIf = "never";
        FakeNode node(spec, {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(RestartGroup{}).has_value());
        QVERIFY(node.untilHealthy(1));
        QVERIFY(!node.record.hasNotice(code::RestartNotExpected));
    }

    // Signals and what the user asks for.

    void endsWithTheSignalsNumberBeforeTheFirstStart()
    {
        FakeNode node(job(), {1});
        node.rendezvous->completes = false;
        node.agent().start();
        node.agent().signalled(SIGTERM);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QCOMPARE(node.record.exitCode, 143);
        QCOMPARE(node.rendezvous->closes, 0);
    }

    void forwardsTheSameSignalAndEndsWithOne()
    {
        FakeNode node(job(3), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.agent().signalled(SIGUSR1);
        QCOMPARE(node.processes->signals,
                 (std::vector<std::pair<int, int>>{{0, SIGUSR1}, {1, SIGUSR1}}));
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QCOMPARE(node.record.exitCode, 1);
        QCOMPARE(node.rendezvous->closes, 0);
        QVERIFY(node.record.all<GroupRestarting>().empty());
        QVERIFY(node.record.all<FirstCause>().empty());
    }

    void killsAtOnceOnASecondSignal()
    {
        JobSpec spec = job();
        spec.restart.grace = 1h;
        FakeNode node(spec, {1});
        node.processes->ignoresSignals = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.agent().signalled(SIGINT);
        node.agent().signalled(SIGTERM);
        QVERIFY(node.untilEnd());
        QCOMPARE(node.record.exitCode, 1);
        QVERIFY(node.record.hasNotice(code::WorkersKilledAtOnce));
        QCOMPARE(node.record.all<WorkerExited>()[0].status.signal, SIGKILL);
    }

    void namesWhoStillRunsAfterARequestToStop()
    {
        JobSpec spec = job();
        spec.restart.grace = 1h;
        FakeNode node(spec, {1});
        node.processes->ignoresSignals = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.agent().signalled(SIGINT);
        QVERIFY(
            runUntil(node.loop, 5s, [&] { return node.record.hasNotice(code::WorkersStillRun); }));
        node.agent().signalled(SIGTERM);
        QVERIFY(node.untilEnd());
    }

    void aSecondStopEndsTheWaitForADiskToo()
    {
        FakeNode node(job(), {1});
        node.processes->keepsWriting = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.agent().signalled(SIGINT);
        QVERIFY(node.until([&] { return node.record.hasNotice(code::OutputStillWritten); }));
        QVERIFY(!node.record.end);
        QVERIFY(node.agent().signalled(SIGTERM));
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::OutputNotKept);
    }

    void takesATerminalsDoubleHangupForOne()
    {
        FakeNode node(job(), {1});
        node.processes->ignoresSignals = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.agent().signalled(SIGHUP);
        node.agent().signalled(SIGHUP);
        QVERIFY(node.untilEnd());
        QVERIFY(!node.record.hasNotice(code::WorkersKilledAtOnce));
        QVERIFY(node.record.hasNotice(code::WorkerIgnoresSignal));
    }

    void endsInsteadOfRestartingWhenASignalComesWhileItStops()
    {
        JobSpec spec = job(3);
        spec.restart.grace = 1h;
        FakeNode node(spec, {2});
        node.processes->ignoresSignals = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1});
        node.processes->ignoresSignals = false;
        node.agent().signalled(SIGINT);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QVERIFY(node.record.all<GroupRestarting>().empty());
        QCOMPARE(node.processes->signals.back(), (std::pair{1, SIGINT}));
    }

    void aSignalWhileItJoinsAgainIsWhyItEnds()
    {
        FakeNode node(job(3), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->completes = false;
        node.processes->end(0, {.code = 1});
        QVERIFY(node.until([&] { return node.rendezvous->joins == 2; }));
        node.agent().signalled(SIGTERM);
        QVERIFY(node.untilEnd());
        const RunStateChanged end = node.record.all<RunStateChanged>().back();
        QVERIFY(end.state == RunState::Stopped);
        QVERIFY(end.reason.code == code::SignalReceived);
        QCOMPARE(node.record.exitCode, 1);
    }

    void endsWithOneOnASignalInTheExitBarrier()
    {
        FakeNode node(job(), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->completes = false;
        node.processes->end(0, {});
        QVERIFY(node.until([&] { return bool(node.rendezvous->barrier); }));
        node.agent().signalled(SIGTERM);
        QVERIFY(node.untilEnd());
        QCOMPARE(node.record.exitCode, 1);
        QVERIFY(node.record.end == RunState::Stopped);
    }

    void stopsForTheUserAndTellsTheOtherNodes()
    {
        FakeNode node(job(3), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.agent().state() == RunState::Stopping);
        QVERIFY(!node.agent().handle(RestartGroup{}).has_value());
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::UserStopped);
        QCOMPARE(node.rendezvous->closes, 1);
        QVERIFY(!node.agent().handle(StopRun{}).has_value());
    }

    void workersAreLookedAtBeforeTheyAreToldToEnd()
    {
        FakeNode node(job(), {2});
        node.looksForLong = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.agent().state() == RunState::Stopping);
        QVERIFY(node.looking && node.processes->signals.empty());
        // A signal in between asks for another one to be sent, after the look, too.
        QVERIFY(node.agent().handle(SignalWorker{0, SIGUSR1}).has_value());
        QCOMPARE(node.processes->signals.size(), size_t(1));
        node.looking();
        QCOMPARE(node.processes->signals.size(), size_t(3));
        node.looking(); // twice is once
        QCOMPARE(node.processes->signals.size(), size_t(3));
        QVERIFY(node.untilEnd());
        QCOMPARE(node.examinations.size(), size_t(1));
        QVERIFY((node.examinations.front() == std::pair(code::UserStopped, Agent::Ending::Asked)));
    }

    void aLookThatNeverEndsIsWaitedForSecondsOnly()
    {
        FakeNode node(job(), {2});
        node.looksForLong = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QElapsedTimer timer;
        timer.start();
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.untilEnd());
        QVERIFY(timer.elapsed() >= 2'400);
        QCOMPARE(node.processes->signals.size(), size_t(2));
    }

    void whoStopsTwiceWaitsForNoLook()
    {
        FakeNode node(job(), {2});
        node.looksForLong = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.untilEnd());
        QVERIFY(node.processes->signals.empty());
        QCOMPARE(node.processes->closes, 1);
        node.looking(); // too late
        QCOMPARE(node.processes->closes, 1);
    }

    void workersThatEndByThemselvesEndTheLook()
    {
        FakeNode node(job(), {2});
        node.looksForLong = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        node.processes->end(0, {.code = 0});
        node.processes->end(1, {.code = 0});
        QVERIFY(node.untilEnd());
        QVERIFY(node.processes->signals.empty());
        for (const WorkerExited& exit : node.record.all<WorkerExited>())
            QVERIFY(!exit.endedByAgent);
    }

    void whoIgnoresTheSignalIsLookedAtBeforeTheKill()
    {
        JobSpec spec = job();
        spec.restart.grace = 50ms;
        FakeNode node(spec, {2});
        node.processes->ignoresSignals = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.untilEnd());
        QCOMPARE(node.examinations.size(), size_t(2));
        QVERIFY(node.examinations[0].second == Agent::Ending::Asked);
        QVERIFY((node.examinations[1] == std::pair(code::UserStopped, Agent::Ending::Killed)));
    }

    void afterAFailureTheOthersAreLookedAt()
    {
        FakeNode node(job(1), {3});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(1, {.code = 1});
        QVERIFY(node.untilHealthy(1));
        QCOMPARE(node.examinations.size(), size_t(1));
        QVERIFY((node.examinations[0] == std::pair(code::WorkerFailed, Agent::Ending::Asked)));
    }

    void stopsNowWithoutTheGrace()
    {
        JobSpec spec = job();
        spec.restart.grace = 1h;
        FakeNode node(spec, {2});
        node.processes->ignoresSignals = true;
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.agent().handle(StopRun{.now = true}).has_value());
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
    }

    void sendsTheUsersSignalToOneWorker()
    {
        FakeNode node(job(), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(!node.agent().handle(SignalWorker{9, SIGUSR1}).has_value());
        QVERIFY(!node.agent().handle(SignalWorker{1, 0}).has_value());
        QVERIFY(!node.agent().handle(SignalWorker{1, 4711}).has_value());
        QVERIFY(node.agent().handle(SignalWorker{1, SIGKILL}).has_value());
        QVERIFY(node.record.hasNotice(code::SignalSent));
        QVERIFY(node.untilEnd());
        const FirstCause cause = node.record.all<FirstCause>()[0];
        QCOMPARE(cause.globalRank, 1);
        QVERIFY(cause.cause.code == code::RankEndedByUser);
        QCOMPARE(cause.cause.parameters.at("signal"), std::string("SIGKILL"));
        // Nothing has to be mended.
        QVERIFY(cause.remedy.code == code::None);
        for (const WorkerExited& exit : node.record.all<WorkerExited>())
            if (exit.globalRank == 1)
                QVERIFY(exit.explanation.code == code::RankEndedByUser);
    }

    void aDrillsKillIsNobodysOwnFailure()
    {
        FakeNode node(job(1), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(!node.agent().handle(BeginDrill{.globalRank = 9}).has_value());
        QVERIFY(node.agent().handle(BeginDrill{.globalRank = 1}).has_value());
        QVERIFY(node.until([&] { return !node.record.all<GroupRestarting>().empty(); }));
        const FirstCause cause = node.record.all<FirstCause>()[0];
        QCOMPARE(cause.globalRank, 1);
        QVERIFY(cause.cause.code == code::RankEndedByDrill);
        QVERIFY(cause.remedy.code == code::None);
        QVERIFY(node.record.all<GroupRestarting>()[0].cause.code == code::RankEndedByDrill);
        // It is charged as any failure.
        QCOMPARE(node.record.all<GroupRestarting>()[0].budgetAfter, 0);
        for (const RunStateChanged& change : node.record.all<RunStateChanged>())
            QVERIFY(change.reason.code != code::WorkerFailed);
    }

    void stopsForAReasonOfItsOwner()
    {
        FakeNode node(job(3), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.agent().abort({{.code = code::DiskFull, .parameters = {{"path", "/"}}}});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::DiskFull);
    }

    // The rendezvous.

    void failsWhenTheRendezvousFails()
    {
        FakeNode node(job(3), {1});
        node.rendezvous->completes = false;
        node.agent().start();
        node.rendezvous->host.rendezvousFailed({{.code = code::RendezvousTimedOut}});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.exitCode, 1);
        QCOMPARE(node.record.all<RendezvousStep>().back().step, RendezvousStep::Step::Failed);
    }

    /// A later lead reads it, which may not know what the one before had decided.
    void whomItsLeadTurnsAwaySaysWhatTheLeadSaid()
    {
        for (const bool isLed : {true, false}) {
            FakeNode node(job(3), {1}, {}, fail(code::None), isLed);
            node.agent().start();
            QVERIFY(node.untilHealthy());
            node.rendezvous->completes = false;
            node.processes->end(0, {.code = 3});
            QVERIFY(node.until([&] { return node.rendezvous->joins == 2; }));
            node.rendezvous->host.rendezvousFailed({{.code = code::RendezvousClosed}});
            QVERIFY(node.untilEnd());
            QCOMPARE(node.record.all<RunStateChanged>().back().reason.code ==
                         code::RendezvousClosed,
                     isLed);
        }
    }

    void stopsTheWorkersWhenTheRendezvousIsLost()
    {
        FakeNode node(job(3), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->host.rendezvousFailed({{.code = code::RendezvousLost}});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.processes->signals.size(), size_t{1});
    }

    void stopsWhenTheJobEndedElsewhere()
    {
        FakeNode node(job(3), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->host.rendezvousClosed(
            {.code = code::RendezvousClosed, .parameters = {{"id", "x"}}});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::RendezvousClosed);
        QCOMPARE(node.rendezvous->closes, 0);
    }

    /// Its lead asks why, to know whether another agent may try.
    void whoGivesItsLeadUpSaysSoAlsoAfterAFailure()
    {
        FakeNode node(job(3), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->completes = false;
        node.processes->end(0, {.code = 1});
        QVERIFY(node.until([&] { return node.rendezvous->joins == 2; }));
        node.agent().abort(Error{{code::LeadGone, {{"seconds", "60"}}, {}}, {}});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::LeadGone);
    }

    void stopsItsStartWhenTheJobHasSucceededWithoutIt()
    {
        FakeNode node(job(3), {1});
        node.processes->opensAtOnce = false;
        node.agent().start();
        QVERIFY(node.until([&] { return node.processes->opens == 1; }));
        node.rendezvous->host.rendezvousClosed({.code = code::RendezvousNotNeeded});
        QVERIFY(!node.record.end);
        node.processes->host.attemptOpened(AttemptOutput{});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QCOMPARE(node.processes->closes, 1);
    }

    void stopsWhatTheJobHasSucceededWithout()
    {
        FakeNode node(job(3), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->host.rendezvousClosed({.code = code::RendezvousNotNeeded});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::RendezvousNotNeeded);
    }

    /// What its workers failed of before is no reason of a success.
    void aSpareThatTheJobDidNotNeedSucceedsAlsoAfterAFailure()
    {
        FakeNode node(job(3), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->completes = false;
        node.processes->end(0, {.code = 3});
        QVERIFY(node.until([&] { return node.rendezvous->joins == 2; }));
        node.rendezvous->host.rendezvousClosed({.code = code::RendezvousClosed});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::RendezvousClosed);
    }

    void runsAgainWhenItIsCalledBackFromTheBarrier()
    {
        FakeNode node(job(), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->completes = false;
        node.processes->end(0, {});
        QVERIFY(node.until([&] { return bool(node.rendezvous->barrier); }));
        node.rendezvous->completes = true;
        node.rendezvous->host.rendezvousRecalled({.code = code::RendezvousNodeGone});
        QVERIFY(node.untilHealthy(1));
        QCOMPARE(node.record.all<GroupRestarting>().size(), size_t{1});
        node.processes->end(0, {});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
    }

    /// The output of its attempt was still being made ready when a second signal ended it.
    void saysNothingAfterItsEnd()
    {
        FakeNode node(job(3), {1});
        node.processes->opensAtOnce = false;
        node.agent().start();
        QVERIFY(node.until([&] { return node.processes->opens == 1; }));
        QVERIFY(node.agent().signalled(SIGINT));
        QVERIFY(node.agent().signalled(SIGTERM));
        QVERIFY(node.untilEnd());
        const auto said = node.record.events.size();
        node.processes->host.attemptOpened(AttemptOutput{});
        node.processes->host.keeperDied({{.code = code::KeeperLost}});
        node.agent().deviceFailed({.code = code::KeeperLost}, {});
        QVERIFY(!runUntil(node.loop, std::chrono::milliseconds(50),
                          [&] { return node.record.events.size() != said; }));
        QCOMPARE(node.processes->closes, 0);
        QCOMPARE(node.record.ends, 1);
    }

    void endsWellAsASpareThatWasNotNeeded()
    {
        FakeNode node(job(), {1});
        node.rendezvous->completes = false;
        node.agent().start();
        node.rendezvous->host.rendezvousClosed({.code = code::RendezvousClosed});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QCOMPARE(node.record.exitCode, 0);
        QCOMPARE(node.processes->opens, 0);
    }

    void succeedsThoughTheOthersDoNotComeToTheBarrier()
    {
        FakeNode node(job(), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.rendezvous->completes = false;
        node.processes->end(0, {});
        QVERIFY(node.until([&] { return bool(node.rendezvous->barrier); }));
        node.rendezvous->barrier(fail(code::RendezvousExitBarrierTimedOut, {{"seconds", "300"}}));
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QCOMPARE(node.record.exitCode, 0);
        QVERIFY(node.record.hasNotice(code::ExitBarrierGivenUp));
    }

    void ignoresChangesOfMembershipWhileItJoinsOrHasSucceeded()
    {
        FakeNode node(job(), {1});
        node.rendezvous->completes = false;
        node.agent().start();
        node.rendezvous->host.rendezvousMembershipChanged({.code = code::RendezvousNodesWaiting});
        node.rendezvous->complete({{{"default", 1}}});
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {});
        QVERIFY(node.until([&] { return bool(node.rendezvous->barrier); }));
        node.rendezvous->host.rendezvousMembershipChanged({.code = code::RendezvousNodeGone});
        node.rendezvous->barrier({});
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QCOMPARE(node.processes->opens, 1);
    }

    void stopsWhileTheOutputIsMadeReady_data()
    {
        QTest::addColumn<bool>("isMadeReady");
        QTest::newRow("it is") << true;
        QTest::newRow("it can't be") << false;
    }

    void stopsWhileTheOutputIsMadeReady()
    {
        QFETCH(const bool, isMadeReady);
        FakeNode node(job(), {1});
        node.processes->opensAtOnce = false;
        node.agent().start();
        QVERIFY(node.until([&] { return node.processes->opens == 1; }));
        node.agent().signalled(SIGTERM);
        QVERIFY(!node.record.end);
        if (isMadeReady)
            node.processes->host.attemptOpened(AttemptOutput{});
        else
            node.processes->host.attemptOpened(fail(code::FolderNotWritable, {{"path", "/logs"}}));
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QCOMPARE(node.record.exitCode, 143);
        QCOMPARE(node.rendezvous->closes, 0);
        QVERIFY(node.processes->started.empty());
    }

    void failsWhenTheOutputCantBeMadeReady()
    {
        FakeNode node(job(3), {1});
        node.processes->opensAtOnce = false;
        node.agent().start();
        QVERIFY(node.until([&] { return node.processes->opens == 1; }));
        node.processes->host.attemptOpened(fail(code::FolderNotWritable, {{"path", "/logs"}}));
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QVERIFY(node.record.all<RunStateChanged>().back().reason.code == code::FolderNotWritable);
    }

    // What the workers get, and what is printed.

    void startsAllRolesAsOneGroup()
    {
        JobSpec spec = job();
        spec.roles = {Role{.name = "master", .program = "m.py"},
                      Role{.name = "worker", .program = "w.py"}};
        FakeNode node(spec, {1, 2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QCOMPARE(node.processes->started.size(), size_t{3});
        QCOMPARE(node.processes->variable(0, "ROLE_NAME"), std::string("master"));
        QCOMPARE(node.processes->variable(2, "ROLE_NAME"), std::string("worker"));
        QCOMPARE(node.processes->variable(2, "ROLE_RANK"), std::string("1"));
        QCOMPARE(node.processes->variable(2, "LOCAL_RANK"), std::string("2"));
        QCOMPARE(node.processes->variable(2, "RANK"), std::string("2"));
        QCOMPARE(node.processes->variable(2, "LOCAL_WORLD_SIZE"), std::string("3"));
        QCOMPARE(node.processes->started[0].arguments.back(), std::string("m.py"));
        QCOMPARE(node.processes->started[2].arguments.back(), std::string("w.py"));
    }

    void warnsAboutThreadsOnceInTorchrunsWords()
    {
        FakeNode node(job(1), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {.code = 1});
        QVERIFY(node.untilHealthy(1));
        QCOMPARE(QString::fromStdString(node.record.console).count("OMP_NUM_THREADS"), 1);
    }

    void writesTheEventLogOnTheConsole()
    {
        JobSpec spec = job();
        spec.eventLogHandler = "console";
        FakeNode node(spec, {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->end(0, {});
        QVERIFY(node.untilEnd());
        const QString console = QString::fromStdString(node.record.console);
        QCOMPARE(console.count("torchelastic.worker.status."), 5);
        QVERIFY(console.contains("\"run_id\": \"job\""));
        QVERIFY(console.contains("entry_point\\\": \\\"python3"));
    }

    void anErrorOfAGpuExplainsWhoComputedThere_data()
    {
        QTest::addColumn<bool>("isToldFirst");
        QTest::newRow("told before the end") << true;
        QTest::newRow("told when the end has been explained") << false;
    }

    void anErrorOfAGpuExplainsWhoComputedThere()
    {
        QFETCH(const bool, isToldFirst);
        FakeNode node(job(), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const Message fault{code::GpuXid, {{"gpu", "1"}, {"xid", "79"}}, {}};
        const WorkerStateChanged worker = node.record.all<WorkerStateChanged>().back();
        const int rank = worker.globalRank;
        if (isToldFirst)
            node.agent().deviceFailed(fault, {worker.pid});
        node.processes->end(rank, {.code = 1},
                            ErrorReport{.type = "RuntimeError", .text = "CUDA error: unknown"});
        if (!isToldFirst)
            node.agent().deviceFailed(fault, {worker.pid});
        const auto notices = node.record.all<Notice>();
        const auto told = std::ranges::find(notices, fault, &Notice::message);
        QVERIFY(told != notices.end());
        QCOMPARE(told->globalRank, rank);
        QVERIFY(node.untilEnd());
        const auto causes = node.record.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{1});
        QCOMPARE(causes[0].globalRank, rank);
        QVERIFY(causes[0].cause == fault);
    }

    /// Xid 45 tells of the channels that are cleared up after it.
    void whatFollowsAnErrorOfAGpuDoesNotHideIt()
    {
        FakeNode node(job(), {2});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const Message fault{code::GpuXid, {{"gpu", "1"}, {"xid", "79"}}, {}};
        const Message after{code::GpuXidOfProgram, {{"gpu", "1"}, {"xid", "45"}}, {}};
        const WorkerStateChanged worker = node.record.all<WorkerStateChanged>().back();
        node.processes->end(worker.localRank, {.code = 1},
                            ErrorReport{.type = "RuntimeError", .text = "CUDA error: unknown"});
        for (const Message& told : {fault, after})
            node.agent().deviceFailed(told, {worker.pid});
        QVERIFY(node.untilEnd());
        const auto causes = node.record.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{1});
        QVERIFY(causes[0].cause == fault);
    }

    /// A page that was retired (63) ends nobody.
    void aProgramsOwnFaultOnAGpuReplacesWhatItReportedBefore()
    {
        FakeNode node(job(), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const pid_t pid = node.record.all<WorkerStateChanged>().back().pid;
        const Message fault{code::GpuXidOfProgram, {{"gpu", "0"}, {"xid", "31"}}, {}};
        node.agent().deviceFailed({code::GpuXid, {{"gpu", "0"}, {"xid", "63"}}, {}}, {pid});
        node.agent().deviceFailed(fault, {pid});
        node.processes->end(0, {.code = 1});
        QVERIFY(node.untilEnd());
        QCOMPARE(node.record.all<FirstCause>().size(), size_t{1});
        QVERIFY(node.record.all<FirstCause>()[0].cause == fault);
    }

    void whatAProgramSaysOfItsOwnFaultOnAGpuIsTheCause_data()
    {
        QTest::addColumn<bool>("speaks");
        QTest::newRow("it speaks") << true;
        QTest::newRow("it says nothing") << false;
    }

    void whatAProgramSaysOfItsOwnFaultOnAGpuIsTheCause()
    {
        QFETCH(const bool, speaks);
        FakeNode node(job(), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const Message fault{code::GpuXidOfProgram, {{"gpu", "0"}, {"xid", "43"}}, {}};
        node.agent().deviceFailed(fault, {node.record.all<WorkerStateChanged>().back().pid});
        std::optional<ErrorReport> said;
        if (speaks)
            said = ErrorReport{.type = "torch.AcceleratorError",
                               .text = "CUDA error: device-side assert triggered",
                               .file = "train.py",
                               .line = 53};
        node.processes->end(0, {.code = 1}, said);
        QVERIFY(node.untilEnd());
        const auto causes = node.record.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{1});
        if (speaks)
            QCOMPARE(causes[0].cause.parameters.at("line"), std::string("53"));
        else
            QVERIFY(causes[0].cause == fault);
    }

    /// Xid 45 follows the end of any program that was computing.
    void whatTheDriverClearsUpAfterASignalIsNoCause()
    {
        FakeNode node(job(), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        const pid_t pid = node.record.all<WorkerStateChanged>().back().pid;
        node.processes->end(0, {.signal = SIGKILL});
        node.agent().deviceFailed({code::GpuXidOfProgram, {{"gpu", "0"}, {"xid", "45"}}, {}},
                                  {pid});
        QVERIFY(node.untilEnd());
        const auto causes = node.record.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{1});
        QVERIFY(causes[0].cause.code == code::WorkerKilledFromOutside);
    }

    void tellsExitsWithTheTimeOfTheExit()
    {
        FakeNode node(job(), {1});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        node.processes->running.clear();
        const Moment early{.monotonicNs = 5, .wallNs = 6};
        node.processes->host.workerExited(0, {.at = early});
        node.processes->host.workerExplained({.localRank = 0}, OutOfMemoryWatch::Finding::No);
        for (size_t i = 0; i < node.record.events.size(); ++i)
            if (std::holds_alternative<WorkerExited>(node.record.events[i]))
                QVERIFY(node.record.moments[i] == early);
        QCOMPARE(node.record.all<WorkerExited>().size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_agent)
#include "tst_agent.moc"
