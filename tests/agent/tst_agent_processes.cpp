#include "engine/agent/Codes.h"
#include "engine/base/ChildCommand.h"
#include "engine/worker/Codes.h"
#include "tests/agent/RealNode.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

/// `sh -c script`, where torchrun would replace `$$`.
JobSpec shell(const std::string& script, int maxRestarts = 0)
{
    JobSpec spec;
    spec.roles = {
        Role{.kind = ProgramKind::Command, .program = "/bin/sh", .arguments = {"-c", script}}};
    spec.restart.maxRestarts = maxRestarts;
    spec.restart.grace = 20s;
    return spec;
}

size_t openDescriptors()
{
    const std::filesystem::directory_iterator folder("/proc/self/fd");
    return static_cast<size_t>(std::distance(begin(folder), end(folder)));
}

/// A worker that is there until it is started once more.
JobSpec waitsForARestart()
{
    return shell("touch $FOLDER/ready$TORCHELASTIC_RESTART_COUNT; "
                 "test $TORCHELASTIC_RESTART_COUNT = 1 || exec sleep 1000",
                 1);
}

} // namespace

class tst_agent_processes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsWorkersToTheirEnd()
    {
        RealNode node(shell("echo $RANK of $WORLD_SIZE > $FOLDER/out$LOCAL_RANK"), 2);
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QCOMPARE(node.record.exitCode, 0);
        QCOMPARE(contentOf(node.path("out0")), std::string("0 of 2\n"));
        QCOMPARE(contentOf(node.path("out1")), std::string("1 of 2\n"));
        QCOMPARE(node.record.all<WorkerExited>().size(), size_t{2});
        QVERIFY(node.processes().empty());
    }

    void aDiskThatIsSlowAtTheEndFailsNothing()
    {
        RealNode node(shell("echo result"), 2, {}, 5s); // by which the keeper has ended them
        node.holdOutput(true);
        node.agent().start();
        QVERIFY(node.until([&] { return node.record.hasNotice(code::OutputStillWritten); }));
        QVERIFY(!node.record.end);
        node.holdOutput(false);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QVERIFY(!node.record.hasNotice(code::WorkersSurvive));
    }

    void aDiskThatDoesNotAnswerDoesNotKeepTheAgent()
    {
        RealNode node(shell("echo result"), 2, {}, 5s, 200ms);
        node.holdOutput(true);
        node.agent().start();
        QVERIFY(node.until([&] { return node.record.hasNotice(code::OutputStillWritten); }));
        node.agent().signalled(SIGINT);
        QVERIFY(!node.record.end);
        node.agent().signalled(SIGTERM);
        const bool isOver = node.untilEnd();
        const bool isStuck = node.isOutputStuck();
        node.holdOutput(false);
        QVERIFY(isOver && isStuck);
        QVERIFY(node.record.end == RunState::Failed);
        const Message why = node.record.all<RunStateChanged>().back().reason;
        QVERIFY(why.code == code::OutputNotKept);
        QVERIFY(QString::fromStdString(why.parameters.at("path"))
                    .startsWith(node.folder.path() + "/wanted/"));
        QVERIFY(node.processes().empty());
    }

    void aKeeperThatDiesWhileTheLastOutputIsKeptIsNotNeeded()
    {
        JobSpec spec = shell("(trap '' TERM; touch $FOLDER/ready; "
                             "while ! test -e $FOLDER/go; do sleep 0.02; done; "
                             "echo late; exec sleep 1000) & exec sleep 1000");
        spec.restart.grace = 1h;
        RealNode node(spec, 1, {}, 5s); // by which the keeper has ended them
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.untilFile("ready"));
        QVERIFY(node.agent().signalled(SIGTERM));
        QVERIFY(node.until([&] { return !node.record.all<WorkerExited>().empty(); }));
        node.holdOutput(true);
        std::ofstream(node.path("go")) << "go";
        QVERIFY(node.until([&] { return node.isHoldingOutput(); }));
        QVERIFY(node.agent().signalled(SIGINT));
        QVERIFY(node.until([&] { return node.record.hasNotice(code::OutputStillWritten); }));
        const pid_t keeper = node.keeper();
        const pid_t guard = RealNode::children(::getpid()).at(0);
        QVERIFY(keeper > 0);
        QCOMPARE(::kill(keeper, SIGKILL), 0);
        QVERIFY(node.until([&] { return ::kill(guard, 0) != 0; })); // the agent has reaped it
        QVERIFY(node.agent().state() == RunState::Stopping);
        node.holdOutput(false);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QVERIFY(node.processes().empty());
    }

    void restartsAFailedGroupWithAFreshLogFolder()
    {
        JobSpec spec = shell("echo attempt $TORCHELASTIC_RESTART_COUNT; "
                             "test $TORCHELASTIC_RESTART_COUNT = 2 && exit 0; "
                             "test $RANK = 0 && exit 7; exec sleep 1000",
                             2);
        spec.logs.redirects.all = 3;
        RealNode node(spec, 2);
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        const auto attempts = node.record.all<AttemptStarted>();
        QCOMPARE(attempts.size(), size_t{3});
        for (int attempt = 0; attempt < 3; ++attempt) {
            const std::filesystem::path folder = attempts[static_cast<size_t>(attempt)].logFolder;
            QCOMPARE(folder.filename().string(), "attempt_" + std::to_string(attempt));
            QCOMPARE(contentOf(folder / "0" / "stdout.log"),
                     "attempt " + std::to_string(attempt) + "\n");
        }
        const auto causes = node.record.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{2});
        QVERIFY(causes[0].sure);
        QCOMPARE(causes[0].globalRank, 0);
        QVERIFY(causes[0].cause.code == code::WorkerExitedWithCode);
        QVERIFY(node.processes().empty());
    }

    void whatTheFailedRankPrintedDecidesWhetherItIsTriedAgain()
    {
        JobSpec spec =
            shell("test $RANK = 1 && exec sleep 1000; "
                  "test $TORCHELASTIC_RESTART_COUNT = 0 && { echo link is down; exit 3; }; "
                  "head -c 100000 /dev/zero | tr '\\0' x; echo; echo bad input >&2; exit 3",
                  5);
        spec.restart.onlyIf = "^link .* down$";
        RealNode node(spec, 2);
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.all<AttemptStarted>().size(), size_t{2});
        QVERIFY(node.record.hasNotice(code::RestartNotExpected));
        QVERIFY(node.processes().empty());
    }

    void killsWhatIgnoresTheSignalOnceTheGraceIsOver()
    {
        JobSpec spec = shell(
            "test $RANK = 1 && { while ! test -e $FOLDER/ready; do sleep 0.01; done; exit 3; }; "
            "trap '' TERM; touch $FOLDER/ready; while :; do sleep 0.05; done");
        spec.restart.grace = 200ms;
        RealNode node(spec, 2);
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.hasNotice(code::WorkerIgnoresSignal));
        for (const WorkerExited& exit : node.record.all<WorkerExited>())
            if (exit.globalRank == 0)
                QVERIFY(exit.endedByAgent && exit.status.signal == SIGKILL);
        QVERIFY(node.processes().empty());
    }

    void killsAtOnceOnTheSecondSignal()
    {
        JobSpec spec = shell("trap '' TERM; touch $FOLDER/ready; while :; do sleep 0.05; done");
        spec.restart.grace = 1h;
        RealNode node(spec, 1);
        node.agent().start();
        QVERIFY(node.untilFile("ready"));
        node.agent().signalled(SIGTERM);
        node.agent().signalled(SIGINT);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QCOMPARE(node.record.exitCode, 1);
        QVERIFY(node.processes().empty());
    }

    void givesWorkersTheSameSignalAndTimeToFinish()
    {
        RealNode node(shell("trap 'sleep 0.3; echo saved > $FOLDER/saved; exit 0' USR1; "
                            "touch $FOLDER/ready; while :; do sleep 0.05; done"),
                      1);
        node.agent().start();
        QVERIFY(node.untilFile("ready"));
        node.agent().signalled(SIGUSR1);
        QVERIFY(node.untilEnd());
        QCOMPARE(contentOf(node.path("saved")), std::string("saved\n"));
        QVERIFY(node.record.end == RunState::Stopped);
        QCOMPARE(node.record.exitCode, 1);
    }

    void leavesNoGrandchildBehind()
    {
        RealNode node(
            shell("setsid sleep 1000 & (sleep 1000 &) ; touch $FOLDER/ready; exec sleep 1000"), 1);
        node.agent().start();
        QVERIFY(node.untilFile("ready"));
        QVERIFY(node.until([&] { return node.processes().size() >= 3; }));
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.untilEnd());
        QVERIFY(node.processes().empty());
    }

    void leavesNoGrandchildOfAWorkerThatSucceeded()
    {
        RealNode node(shell("setsid sleep 1000 & exit 0"), 1);
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QVERIFY(node.processes().empty());
    }

    void failsWhenTheProgramDoesNotExist()
    {
        JobSpec spec = shell("", 3);
        spec.roles[0].program = "/nope/x";
        RealNode node(spec, 2);
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.exitCode, 1);
        QVERIFY(node.record.all<GroupRestarting>().empty());
        QVERIFY(QString::fromStdString(node.record.console).contains("/nope/x"));
    }

    void startsAnewWhenTheKeeperIsKilled()
    {
        RealNode node(waitsForARestart(), 2);
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.untilFile("ready0"));
        QVERIFY(node.keeper() > 0);
        QCOMPARE(::kill(node.keeper(), SIGKILL), 0);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QCOMPARE(node.record.all<GroupRestarting>().size(), size_t{1});
        QVERIFY(node.processes().empty());
    }

    void itsOwnCommandsOutliveAKeeperAndItsGuard()
    {
        RealNode node(waitsForARestart(), 2);
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.untilFile("ready0"));
        const pid_t keeper = node.keeper();
        const pid_t guard = RealNode::children(::getpid()).at(0);
        QVERIFY(keeper > 0);
        std::optional<ChildCommand::Outcome> outcome;
        const auto command = ChildCommand::start(
            node.loop,
            {.arguments = {"/bin/sh", "-c",
                           "while ! test -e \"$0\"; do sleep 0.02; done; echo done",
                           node.path("go").string()},
             .patience = 10min},
            [&](const ChildCommand::Outcome& end) { outcome = end; });
        QVERIFY(command.has_value());
        QCOMPARE(::kill(guard, SIGKILL), 0);
        QCOMPARE(::kill(keeper, SIGKILL), 0);
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Succeeded);
        QCOMPARE(node.record.all<GroupRestarting>().size(), size_t{1});
        QVERIFY(!outcome);
        std::ofstream(node.path("go")) << "go";
        QVERIFY(node.until([&] { return outcome.has_value(); }));
        QCOMPARE(outcome->exitCode, 0);
        QCOMPARE(outcome->output, std::string("done\n"));
        QVERIFY(node.processes().empty());
    }

    void findsTheGuiltyRankByItsTraceback()
    {
        RealNode node(shell("test $RANK = 1 || exec sleep 1000; "
                            "printf 'Traceback (most recent call last):\\n  File \"/x/train.py\", "
                            "line 5, in main\\n"
                            "    boom()\\nValueError: boom on 1\\n' >&2; exit 1"),
                      2);
        node.agent().start();
        QVERIFY(node.untilEnd());
        const FirstCause cause = node.record.all<FirstCause>()[0];
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 1);
        QVERIFY(cause.cause.code == code::WorkerRaisedAt);
        QVERIFY(QString::fromStdString(cause.traceback).contains("boom on 1"));
        QVERIFY(cause.remedy.code == code::RemedyReadTraceback);
        QVERIFY(node.record.all<RunStateChanged>().back().reason == cause.cause);
    }

    void copiesTheRootCauseToTheAgentsErrorFile()
    {
        QTemporaryDir target;
        const std::string file = (target.path() + "/parent.json").toStdString();
        RealNode node(
            shell("test $RANK = 1 || exec sleep 1000; "
                  "printf '{\"message\": {\"message\": \"ValueError: boom\", \"extraInfo\": "
                  "{\"py_callstack\": \"Traceback: here\", \"timestamp\": \"17\"}}}' "
                  "> $TORCHELASTIC_ERROR_FILE; exit 4"),
            2, {{"TORCHELASTIC_ERROR_FILE", file}});
        node.agent().start();
        QVERIFY(node.untilEnd());
        const QString copy = QString::fromStdString(contentOf(file));
        QVERIFY(copy.contains("ValueError: boom"));
        QVERIFY2(copy.contains("\"errorCode\":4"), qPrintable(copy));
        const QString console = QString::fromStdString(node.record.console);
        QVERIFY(console.contains("attempt_0/1/error.json"));
        QVERIFY(console.contains("  traceback : Traceback: here"));
        QCOMPARE(node.record.all<WorkerExited>()[0].errorType, std::string("ValueError"));
    }

    void endsAWorkerWhoseTimerExpires()
    {
        RealNode node(shell("echo '{\"version\": 1, \"pid\": '$$$$', \"scope_id\": \"step\", "
                            "\"expiration_time\": 1.5, \"signal\": 9}' > $TORCHELASTIC_TIMER_FILE; "
                            "exec sleep 1000"),
                      1, {{"TORCHELASTIC_ENABLE_FILE_TIMER", "1"}});
        node.agent().start();
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Failed);
        const FirstCause cause = node.record.all<FirstCause>()[0];
        QVERIFY(cause.sure);
        QVERIFY(cause.cause.code == code::TimerExpired);
        QCOMPARE(cause.cause.parameters.at("scope"), std::string("step"));
    }

    void aSignalOfTheUsersHidesNoKillForWantOfMemory()
    {
        const QTemporaryDir kernel;
        const std::filesystem::path files = kernel.path().toStdString();
        const auto count = [&files](int kills) {
            std::ofstream(files / "memory.events") << "oom_kill " << kills << "\n";
        };
        std::ofstream(files / "own") << "0::/\n";
        count(0);
        RealNode node(shell("trap '' USR1; touch $FOLDER/ready; exec sleep 1000"), 1, {},
                      AgentOptions().killPatience, 10s,
                      {.ownGroups = files / "own",
                       .groups = files,
                       .machine = files / "none",
                       .log = files / "none"});
        node.agent().start();
        QVERIFY(node.untilHealthy());
        QVERIFY(node.untilFile("ready"));
        const pid_t worker = node.record.all<WorkerStateChanged>().back().pid;
        QVERIFY(node.agent().handle(SignalWorker{.globalRank = 0, .signal = SIGUSR1}).has_value());
        count(1);
        QCOMPARE(::kill(worker, SIGKILL), 0);
        QVERIFY(node.untilEnd());
        const auto exits = node.record.all<WorkerExited>();
        QCOMPARE(exits.size(), size_t{1});
        QVERIFY(exits[0].explanation.code == code::WorkerOutOfMemory);
    }

    void samplesWorkersOnlyWhileSomebodyWatches()
    {
        RealNode node(shell("touch $FOLDER/ready; while :; do :; done"), 1);
        node.agent().start();
        QVERIFY(node.untilFile("ready"));
        QVERIFY(node.record.all<ProcessSample>().empty());
        node.agent().setWatched(true);
        QVERIFY(node.until([&] { return !node.record.all<ProcessSample>().empty(); }));
        const ProcessSample sample = node.record.all<ProcessSample>()[0];
        QVERIFY(sample.residentBytes > 0);
        QVERIFY(sample.cpuFraction > 0);
        node.agent().setWatched(false);
        QVERIFY(node.agent().handle(StopRun{.now = true}).has_value());
        QVERIFY(node.untilEnd());
    }

    void stopsRightAfterTheStart()
    {
        RealNode node(shell("exec sleep 1000"), 3);
        node.agent().start();
        QVERIFY(node.until([&] { return !node.record.all<AttemptStarted>().empty(); }));
        QVERIFY(node.agent().handle(StopRun{}).has_value());
        QVERIFY(node.untilEnd());
        QVERIFY(node.record.end == RunState::Stopped);
        QVERIFY(node.processes().empty());
    }

    void restartsFiftyTimesWithoutLeavingAnything()
    {
        RealNode node(shell("test $RANK = 0 && exit 1; exec sleep 1000", 50), 2);
        size_t atFirst = 0;
        node.agent().start();
        QVERIFY(node.until([&] {
            if (atFirst == 0 && node.record.all<GroupRestarting>().size() == 2)
                atFirst = openDescriptors();
            return node.record.end.has_value();
        }));
        QVERIFY(node.record.end == RunState::Failed);
        QCOMPARE(node.record.all<AttemptStarted>().size(), size_t{51});
        QVERIFY(atFirst > 0);
        QVERIFY2(openDescriptors() <= atFirst, qPrintable(QString::number(openDescriptors())));
        QVERIFY(node.processes().empty());
    }
};

QTEST_GUILESS_MAIN(tst_agent_processes)
#include "tst_agent_processes.moc"
