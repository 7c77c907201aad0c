#include "engine/event/Codes.h"
#include "engine/event/DrillStage.h"
#include "engine/event/DrilledHost.h"
#include "engine/node/Codes.h"
#include "engine/node/DrillWatch.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t OneSecond = 1'000'000'000;

/// Two ranks of an attempt, in that state.
RunSnapshot runOf(int attempt, WorkerState state = WorkerState::Healthy)
{
    RunSnapshot run{.state = RunState::Running, .attempt = attempt, .worldSize = 2};
    run.workers = {
        {.assignment = {.globalRank = 0}, .attempt = attempt, .state = state},
        {.assignment = {.globalRank = 1}, .attempt = attempt, .state = WorkerState::Healthy}};
    return run;
}

PrintedNumbers step(int attempt, double step, std::optional<double> loss = {}, int rank = 0)
{
    PrintedNumbers printed{attempt, rank, {{"step", step, {}}}};
    if (loss)
        printed.numbers.push_back({"loss", *loss, {}});
    return printed;
}

DrillWatch kill(bool hasCollectives = false)
{
    return {BeginDrill{.globalRank = 1, .limit = 60s}, runOf(0), hasCollectives, 0};
}

DrillWatch stopFor10s()
{
    return {BeginDrill{BeginDrill::Kind::Stop, 1, 10s, 60s, {}, {}}, runOf(0), false, 0};
}

/// A rank on each of two hosts, the second one in that state.
RunSnapshot hostsOf(int attempt, HostChanged::State second = HostChanged::State::Connected)
{
    RunSnapshot run = runOf(attempt);
    run.run = "train";
    run.hosts = {{.agent = "1", .host = "gpu1", .state = HostChanged::State::Connected},
                 {.agent = "2", .host = "gpu2", .state = second}};
    run.workers[0].agent = "1";
    run.workers[1].agent = "2";
    return run;
}

/// The round that gpu1 has begun alone.
RunSnapshot firstHostAlone(int attempt)
{
    RunSnapshot run = hostsOf(attempt, HostChanged::State::Lost);
    run.worldSize = 1;
    run.workers.pop_back();
    return run;
}

DrillWatch killHost()
{
    return {BeginDrill{.kind = BeginDrill::Kind::KillHost, .limit = 60s, .host = "gpu2"},
            hostsOf(0), false, 0};
}

DrillWatch cutHostFor10s()
{
    return {BeginDrill{
                .kind = BeginDrill::Kind::CutHost, .duration = 10s, .limit = 60s, .host = "gpu2"},
            hostsOf(0), false, 0};
}

} // namespace

/// When a job counts as back from a fire drill, and what that has cost.
class tst_drill_watch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKilledRunIsBackWhenStepsArePrintedAgain()
    {
        DrillWatch watch = kill();
        watch.printed(step(0, 119, 0.4));
        watch.printed(step(0, 120, 0.31));
        QVERIFY(!watch.look(runOf(0), OneSecond));
        QVERIFY(!watch.look(runOf(1), 2 * OneSecond));
        watch.printed(step(1, 101, 0.35));
        watch.printed(step(1, 102, 0.34));
        const auto outcome = watch.look(runOf(1), 14 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillBackWithLoss);
        const Parameters wanted{{"seconds", "14.0"}, {"signal", "SIGKILL"}, {"counter", "step"},
                                {"reached", "120"},  {"first", "101"},      {"lost", "19"},
                                {"loss", "loss"},    {"before", "0.31"},    {"after", "0.35"}};
        QVERIFY(outcome->message.parameters == wanted);
    }

    void whatTheOldRoundHadPrintedMayComeLate()
    {
        DrillWatch watch = kill();
        watch.printed(step(0, 5));
        QVERIFY(!watch.look(runOf(1), OneSecond));
        watch.printed(step(0, 9));
        watch.printed(step(1, 8));
        const auto outcome = watch.look(runOf(1), 2 * OneSecond);
        QVERIFY(outcome && outcome->message.code == code::DrillBackAtStep);
        QCOMPARE(outcome->message.parameters.at("reached"), std::string("9"));
        QCOMPARE(outcome->message.parameters.at("lost"), std::string("1"));
    }

    void aLossInALineOfItsOwnIsWaitedForALittle()
    {
        DrillWatch watch = kill();
        watch.printed(step(0, 9, 0.5));
        watch.printed(step(1, 8));
        QVERIFY(!watch.look(runOf(1), 2 * OneSecond));
        const auto outcome = watch.look(runOf(1), 8 * OneSecond);
        QVERIFY(outcome && outcome->message.code == code::DrillBackAtStep);
        QCOMPARE(outcome->message.parameters.at("seconds"), std::string("2.0"));
    }

    void stepsOfAnEpochBeginAnewSoItsNumberTells()
    {
        DrillWatch watch = kill();
        for (int epoch = 1; epoch <= 3; ++epoch) {
            for (int at = 0; at < 4; ++at)
                watch.printed({0, 0, {{"epoch", double(epoch), {}}, {"step", double(at), {}}}});
        }
        watch.printed({1, 0, {{"epoch", 3.0, {}}, {"step", 0.0, {}}}});
        const auto outcome = watch.look(runOf(1), OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QCOMPARE(outcome->message.parameters.at("counter"), std::string("epoch"));
        QVERIFY(outcome->message.code == code::DrillGoesOnAtStep);
    }

    void withoutStepsTheFirstCollectiveTells()
    {
        DrillWatch watch = kill(true);
        QVERIFY(!watch.look(runOf(1), OneSecond));
        watch.firstCollective(1);
        const auto outcome = watch.look(runOf(1), 3 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillBackAtCollective);
    }

    void withNeitherItIsOnlyKnownThatTheRanksRun()
    {
        DrillWatch watch = kill();
        QVERIFY(!watch.look(runOf(1, WorkerState::Init), OneSecond));
        const auto outcome = watch.look(runOf(1), 2 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillBackRunning);
    }

    void allRanksOfAllHostsHaveToRun()
    {
        DrillWatch watch = kill();
        RunSnapshot run = runOf(1);
        run.worldSize = 4;
        run.hosts.resize(2);
        QVERIFY(!watch.look(run, OneSecond));
        const auto late = watch.look(run, 61 * OneSecond);
        QVERIFY(late && late->message.code == code::DrillRanksMissing);
        QCOMPARE(late->message.parameters.at("count"), std::string("2"));
        QCOMPARE(late->message.parameters.at("size"), std::string("4"));
    }

    void whatIsLateIsntBack()
    {
        DrillWatch nothing = kill();
        QVERIFY(!nothing.look(runOf(0), 60 * OneSecond));
        const auto outcome = nothing.look(runOf(0), 61 * OneSecond);
        QVERIFY(outcome && !outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillNoRestart);

        DrillWatch silent = kill();
        silent.printed(step(0, 7));
        const auto mute = silent.look(runOf(1), 61 * OneSecond);
        QVERIFY(mute && mute->message.code == code::DrillNoStep);
        QCOMPARE(mute->message.parameters.at("reached"), std::string("7"));

        DrillWatch apart = kill(true);
        QVERIFY(apart.look(runOf(1), 61 * OneSecond)->message.code == code::DrillNoCollective);
    }

    void aStoppedRankIsBackWhenItPrintsAfterItsStop()
    {
        DrillWatch watch = stopFor10s();
        watch.printed(step(0, 7));
        QVERIFY(!watch.look(runOf(0), 9 * OneSecond));
        watch.printed(step(0, 8));
        QVERIFY(!watch.look(runOf(0), 10 * OneSecond));
        watch.printed(step(0, 9));
        const auto outcome = watch.look(runOf(0), 12 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        const Parameters wanted{{"seconds", "2.0"},
                                {"signal", "SIGCONT"},
                                {"counter", "step"},
                                {"reached", "8"},
                                {"first", "9"}};
        QVERIFY(outcome->message.parameters == wanted);
    }

    void aStopThatLedToARestartIsMeasuredFromTheStop()
    {
        DrillWatch watch = stopFor10s();
        watch.printed(step(0, 7));
        watch.printed(step(1, 4));
        const auto outcome = watch.look(runOf(1), 6 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QCOMPARE(outcome->message.parameters.at("signal"), std::string("SIGSTOP"));
        QCOMPARE(outcome->message.parameters.at("seconds"), std::string("6.0"));
        QCOMPARE(outcome->message.parameters.at("lost"), std::string("3"));
    }

    void theDrilledRankTellsWhereItPrintsSteps()
    {
        DrillWatch watch = stopFor10s();
        watch.printed(step(0, 7, {}, 0));
        watch.printed(step(0, 5, {}, 1));
        QVERIFY(!watch.look(runOf(0), 11 * OneSecond));
        watch.printed(step(0, 30, {}, 0));
        QVERIFY(!watch.look(runOf(0), 12 * OneSecond));
        watch.printed(step(0, 6, {}, 1));
        const auto outcome = watch.look(runOf(0), 13 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QCOMPARE(outcome->message.parameters.at("first"), std::string("6"));
    }

    void aKilledHostIsBackWithItsNextAgent()
    {
        DrillWatch watch = killHost();
        watch.printed(step(0, 20));
        QVERIFY(!watch.look(hostsOf(0), OneSecond));
        // The first host has begun anew, and of the other one's workers nobody has heard.
        RunSnapshot half = hostsOf(1);
        half.workers[1].attempt = 0;
        watch.printed(step(1, 11));
        QVERIFY(!watch.look(half, 2 * OneSecond));
        RunSnapshot whole = hostsOf(1);
        whole.restartsUsed = 1;
        const auto outcome = watch.look(whole, 3 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillBackAtStep);
        QCOMPARE(outcome->message.parameters.at("signal"), std::string("SIGKILL"));
        QCOMPARE(outcome->message.parameters.at("lost"), std::string("9"));
        const Parameters cost{{"host", "gpu2"}, {"working", "2"}, {"hosts", "2"}, {"charged", "1"}};
        QVERIFY(watch.cost(whole)->parameters == cost);
        QVERIFY(!kill().cost(whole));
    }

    void aKilledHostMayBeDoneWithout()
    {
        DrillWatch watch = killHost();
        watch.printed(step(0, 20));
        watch.printed(step(1, 11));
        const auto outcome = watch.look(firstHostAlone(1), 5 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        const auto cost = watch.cost(firstHostAlone(1));
        QCOMPARE(cost->parameters.at("working"), std::string("1"));
        QCOMPARE(cost->parameters.at("charged"), std::string("0"));
    }

    void whatAKilledHostLeftMayNotBeginAgain()
    {
        DrillWatch watch = killHost();
        const auto outcome = watch.look(hostsOf(0), 61 * OneSecond);
        QVERIFY(outcome && !outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillHostNoRestart);
        QCOMPARE(outcome->message.parameters.at("host"), std::string("gpu2"));
    }

    void aHostThatWasCutOffHasToAnswerAgain()
    {
        DrillWatch watch = cutHostFor10s();
        watch.printed(step(0, 7, {}, 0));
        watch.printed(step(0, 7, {}, 1));
        const RunSnapshot cut = hostsOf(0, HostChanged::State::Reconnecting);
        QVERIFY(!watch.look(cut, 9 * OneSecond));
        watch.printed(step(0, 30, {}, 0));
        QVERIFY(!watch.look(cut, 10 * OneSecond));
        watch.printed(step(0, 31, {}, 0));
        QVERIFY(!watch.look(hostsOf(0), 11 * OneSecond)); // nothing of its rank yet
        watch.printed(step(0, 8, {}, 1));
        const auto outcome = watch.look(hostsOf(0), 12 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        const Parameters wanted{{"seconds", "2.0"},
                                {"signal", "reconnect"},
                                {"counter", "step"},
                                {"reached", "7"},
                                {"first", "8"}};
        QVERIFY(outcome->message.parameters == wanted);
    }

    void aHostThatStaysAwayIsNamed()
    {
        DrillWatch watch = cutHostFor10s();
        const RunSnapshot away = hostsOf(0, HostChanged::State::Reconnecting);
        QVERIFY(!watch.look(away, 10 * OneSecond));
        QVERIFY(!watch.look(away, 70 * OneSecond));
        const auto outcome = watch.look(away, 71 * OneSecond);
        QVERIFY(outcome && !outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillHostAway);
        QCOMPARE(outcome->message.parameters.at("state"), std::string("reconnecting"));

        DrillWatch idle = cutHostFor10s();
        RunSnapshot without = firstHostAlone(1);
        QVERIFY(!idle.look(without, 10 * OneSecond));
        without.hosts[1].state = HostChanged::State::Connected;
        QVERIFY(idle.look(without, 71 * OneSecond)->message.code == code::DrillHostIdle);
        // A spare has taken its place.
        DrillWatch spare = cutHostFor10s();
        without.hosts[1].state = HostChanged::State::StandingBy;
        QVERIFY(spare.look(without, 11 * OneSecond)->isBack);
    }

    void ofTheRoundsAfterALongCutTheLastOneCounts()
    {
        DrillWatch watch = cutHostFor10s();
        watch.printed(step(0, 20));
        watch.printed(step(1, 11));
        watch.printed(step(1, 40));
        QVERIFY(!watch.look(firstHostAlone(1), 5 * OneSecond));
        QVERIFY(!watch.look(firstHostAlone(1), 11 * OneSecond));
        RunSnapshot joining = firstHostAlone(1);
        joining.hosts[1].state = HostChanged::State::Connected;
        watch.printed(step(1, 41));
        QVERIFY(!watch.look(joining, 11 * OneSecond));
        watch.printed(step(2, 31));
        watch.printed(step(1, 42)); // comes late
        QVERIFY(!watch.look(hostsOf(2, HostChanged::State::Lost), 12 * OneSecond));
        const auto outcome = watch.look(hostsOf(2), 13 * OneSecond);
        QVERIFY(outcome && outcome->isBack);
        QVERIFY(outcome->message.code == code::DrillGoesOnAtStep);
        QCOMPARE(outcome->message.parameters.at("first"), std::string("31"));
        QCOMPARE(outcome->message.parameters.at("seconds"), std::string("3.0"));
    }

    void aHostIsDrilledOnlyWhereOthersAreLeft()
    {
        QVERIFY(hostToDrill(hostsOf(0), "gpu2").value().agent == "2");
        QVERIFY(hostToDrill(runOf(0), "gpu2").error().code == code::DrillNoHosts);
        const auto unknown = hostToDrill(hostsOf(0), "gpu3");
        QVERIFY(unknown.error().code == code::DrillHostUnknown);
        QCOMPARE(unknown.error().parameters.at("hosts"), std::string("gpu1, gpu2"));
        for (const auto state : {HostChanged::State::Lost, HostChanged::State::Reconnecting,
                                 HostChanged::State::Gone, HostChanged::State::StandingBy})
            QVERIFY(hostToDrill(hostsOf(0, state), "gpu2").error().code ==
                    code::DrillHostNotConnected);
        QVERIFY(hostToDrill(hostsOf(0, HostChanged::State::Lost), "gpu1").error().code ==
                code::DrillOnlyHost);
        QVERIFY(hostToDrill(hostsOf(0, HostChanged::State::StandingBy), "gpu1"));
    }

    void withoutStepsAHangMustBeOver()
    {
        DrillWatch watch = stopFor10s();
        RunSnapshot run = runOf(0);
        run.verdicts.push_back(
            {.verdict = {.attempt = 0, .kind = Verdict::Kind::Hang, .isStanding = true}});
        QVERIFY(!watch.look(run, 15 * OneSecond));
        QVERIFY(!watch.look(runOf(0), 11 * OneSecond));
        const auto outcome = watch.look(runOf(0), 16 * OneSecond);
        QVERIFY(outcome && outcome->message.code == code::DrillRunsOn);
        DrillWatch hung = stopFor10s();
        QVERIFY(!hung.look(run, 11 * OneSecond));
        QVERIFY(hung.look(run, 71 * OneSecond)->message.code == code::DrillHangs);
    }

    void aRunThatFailsIsntBack()
    {
        DrillWatch watch = kill();
        const auto outcome = watch.runEnded(RunState::Failed, runOf(0), OneSecond);
        QVERIFY(!outcome.isBack && outcome.message.code == code::DrillRunEnded);
        QVERIFY(drillStageOf(outcome.message) == DrillStage::NotBack);
    }

    void aRunThatFinishesAfterARestartWasBack()
    {
        DrillWatch watch = kill();
        watch.printed(step(0, 7));
        const auto unknown = watch.runEnded(RunState::Succeeded, runOf(1), OneSecond);
        QVERIFY(unknown.isBack && unknown.message.code == code::DrillRunFinished);
        watch.printed(step(1, 5));
        const auto known = watch.runEnded(RunState::Succeeded, runOf(1), OneSecond);
        QVERIFY(known.isBack && known.message.code == code::DrillBackAtStep);
    }

    /// It is looked at now and then only.
    void aRunThatFinishesBeforeItIsLookedAtHasGoneOn()
    {
        DrillWatch watch = stopFor10s();
        QVERIFY(!watch.look(runOf(0), 9 * OneSecond));
        const auto outcome = watch.runEnded(RunState::Succeeded, runOf(0), 11 * OneSecond);
        QVERIFY(outcome.isBack && outcome.message.code == code::DrillRunFinished);
        const Parameters wanted{{"seconds", "1.0"}, {"signal", "SIGCONT"}};
        QVERIFY(outcome.message.parameters == wanted);
        QVERIFY(cutHostFor10s().runEnded(RunState::Succeeded, hostsOf(0), 11 * OneSecond).isBack);

        const auto during = stopFor10s().runEnded(RunState::Succeeded, runOf(0), 9 * OneSecond);
        QVERIFY(!during.isBack && during.message.code == code::DrillRunEnded);
    }
};

QTEST_GUILESS_MAIN(tst_drill_watch)
#include "tst_drill_watch.moc"
