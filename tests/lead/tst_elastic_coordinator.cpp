#include "engine/event/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/lead/ElasticCoordinator.h"
#include "engine/node/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/Settings.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <set>

using namespace ringmaster;

namespace {

/// Remembers what the coordinator wants, and lets agents do it.
class FakeLead : public ElasticCoordinator::Host
{
public:
    explicit FakeLead(ElasticCoordinator::Limits limits) : coordinator(std::move(limits), *this) {}

    void beginRound(const std::string& agent, const BeginRound& round) override
    {
        rounds[agent] = round;
        ++begun;
    }
    void leaveRound(const std::string& agent, const LeaveRound& leave) override
    {
        asked.push_back(agent);
        left[agent] = leave;
    }
    void spare(const std::string& agent, bool isSpare) override
    {
        spares.erase(agent);
        if (isSpare)
            spares.insert(agent);
    }
    void closeRendezvous(const std::string& agent, const CloseRendezvous& close) override
    {
        closed[agent] = close;
    }
    void stateChanged(RunState state, const Message& /*reason*/) override
    {
        states.push_back(state);
    }
    void restarting(const GroupRestarting& restart) override { restarts.push_back(restart); }
    bool askPlaces() override
    {
        ++questions;
        return mayLosePlaces;
    }
    std::optional<FirstCause> firstCause(int /*attempt*/) override { return cause; }
    std::optional<Message> refusesRestart(int /*attempt*/) override { return refusal; }
    std::string guiltyHost(int /*attempt*/) override { return guilty; }
    void hostFailed(const Notice& what) override { notices.push_back(what); }
    void over(RunState state, const Message& reason) override
    {
        outcome = state;
        outcomeReason = reason;
    }

    void expect(std::initializer_list<const char*> agents)
    {
        for (const char* agent : agents)
            coordinator.expected(agent, std::string("host") + agent, now);
    }
    void join(const std::string& agent, int workers = 2)
    {
        offer(agent, rounds.contains(agent) ? rounds.at(agent).round + 1 : 0, workers);
    }
    void offer(const std::string& agent, std::uint64_t round, int workers = 2)
    {
        coordinator.offered(agent,
                            {.round = round,
                             .roles = {{"default", workers}},
                             .address = "10.0.0." + agent,
                             .port = 4000},
                            now);
    }
    /// Its workers have succeeded in the round that it was told to begin last.
    void finish(const std::string& agent)
    {
        coordinator.finished(agent, rounds.at(agent).round, now);
    }
    void pass(std::chrono::seconds time)
    {
        now += std::chrono::nanoseconds(time).count();
        coordinator.look(now);
    }
    /// The agents in the places that are given next have been told nothing.
    void displaced(const Message& why,
                   ElasticCoordinator::Charge charge = ElasticCoordinator::Charge::Restart)
    {
        coordinator.displaced(why, now, charge);
        rounds.clear();
    }
    /// All that were asked to leave do so, and offer again.
    void obey()
    {
        for (const std::string& agent : std::exchange(asked, {}))
            join(agent);
    }
    void end(const std::string& agent)
    {
        const bool good = closed.at(agent).hasSucceeded;
        coordinator.ended(agent, good ? RunState::Succeeded : RunState::Failed,
                          closed.at(agent).why, now);
    }

    ElasticCoordinator coordinator;
    std::int64_t now = Second;
    std::map<std::string, BeginRound> rounds;
    std::map<std::string, CloseRendezvous> closed;
    std::vector<std::string> asked;
    std::map<std::string, LeaveRound> left;
    std::set<std::string> spares;
    std::vector<RunState> states;
    std::vector<GroupRestarting> restarts;
    std::optional<FirstCause> cause;
    std::optional<Message> refusal;
    std::string guilty; ///< Host.
    std::vector<Notice> notices;
    std::optional<RunState> outcome;
    Message outcomeReason;
    int begun = 0;
    bool mayLosePlaces = false;
    int questions = 0;
};

FakeLead threeHosts(NodeRange nodes, int maxRestarts = 0)
{
    return FakeLead({.nodes = nodes, .maxRestarts = maxRestarts, .runId = "job"});
}

void meet(FakeLead& lead)
{
    lead.expect({"1", "2", "3"});
    for (const char* agent : {"3", "1", "2"})
        lead.join(agent);
}

/// A worker there, and with it what the others have of that.
void failsOn(FakeLead& lead, const std::string& agent)
{
    lead.guilty = "host" + agent;
    lead.join(agent);
    lead.obey();
}

} // namespace

class tst_elastic_coordinator : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksFollowTheOrderOfTheHosts()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        QCOMPARE(lead.begun, 3);
        QCOMPARE(lead.rounds.at("1").groupRank, 0);
        QCOMPARE(lead.rounds.at("3").places.front().globalRankBase, 4);
        QCOMPARE(lead.rounds.at("3").worldSize, 6);
        QCOMPARE(lead.rounds.at("3").masterAddress, std::string("10.0.0.1"));
        for (const char* agent : {"1", "2", "3"})
            lead.coordinator.running(agent);
        QVERIFY(lead.coordinator.state() == RunState::Running);
    }

    void allThatFinishSucceed()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        for (const char* agent : {"2", "3"})
            lead.finish(agent);
        QVERIFY(lead.closed.empty());
        lead.finish("1");
        QVERIFY(lead.closed.at("2").hasSucceeded);
        for (const char* agent : {"1", "2", "3"})
            lead.end(agent);
        QVERIFY(lead.outcome == RunState::Succeeded);
    }

    void aFailureIsChargedOnceForAll()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        lead.cause = FirstCause{.globalRank = 2, .cause = {code::HostWorkersFailed, {}, {}}};
        lead.join("2"); // its workers have failed, and those of 3 because of them
        lead.join("3");
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "3"}));
        lead.asked = {"1"};
        lead.obey();
        QCOMPARE(lead.restarts.size(), size_t(1));
        QCOMPARE(lead.restarts.front().budgetAfter, 0);
        QCOMPARE(lead.rounds.at("1").restartCount, 1);
        QCOMPARE(lead.rounds.at("1").attempt, 1);
        lead.join("1");
        lead.obey();
        QVERIFY(!lead.closed.at("3").hasSucceeded);
        QVERIFY(lead.closed.at("3").why.code == code::HostWorkersFailed);
        for (const char* agent : {"1", "2", "3"})
            lead.end(agent);
        QVERIFY(lead.outcome == RunState::Failed);
    }

    void aRuleOfTheJobForbidsAnotherAttempt()
    {
        FakeLead lead = threeHosts({3, 3}, 5);
        meet(lead);
        lead.cause = FirstCause{.globalRank = 2, .cause = {code::HostWorkersFailed, {}, {}}};
        lead.refusal = Message{code::HostWorkersFailed, {}, {}};
        lead.join("2");
        lead.join("3");
        lead.asked = {"1"};
        lead.obey();
        QVERIFY(lead.restarts.empty());
        QVERIFY(!lead.closed.at("1").hasSucceeded);
        for (const char* agent : {"1", "2", "3"})
            lead.end(agent);
        QVERIFY(lead.outcome == RunState::Failed);
        QVERIFY(lead.outcomeReason.code == code::HostWorkersFailed);
    }

    void aHostThatFailsTooOftenIsLeftOut()
    {
        FakeLead lead({.nodes = {2, 3}, .maxRestarts = 5, .leaveHostOutAfter = 2, .runId = "job"});
        meet(lead);
        failsOn(lead, "2");
        QCOMPARE(lead.notices.size(), size_t(1));
        QVERIFY(lead.notices.back().message.code == code::HostFailuresCounted);
        QCOMPARE(lead.rounds.at("2").worldSize, 6);
        failsOn(lead, "2");
        QVERIFY(lead.notices.back().severity == Notice::Severity::Warning);
        QVERIFY(lead.notices.back().message.code == code::HostFailedTooOften);
        QVERIFY(lead.coordinator.isLeftOut("host2"));
        QVERIFY(!lead.closed.at("2").hasSucceeded);
        QVERIFY(lead.closed.at("2").why == lead.coordinator.whyLeftOut("host2"));
        QCOMPARE(lead.rounds.at("1").attempt, 2);
        QCOMPARE(lead.rounds.at("1").worldSize, 4);
        QCOMPARE(lead.rounds.at("3").groupRank, 1);
        QCOMPARE(lead.rounds.at("2").attempt, 1);
        QCOMPARE(lead.restarts.back().budgetAfter, 3);
        lead.end("2");
        QVERIFY(!lead.coordinator.isEnding());
        QVERIFY(!lead.coordinator.isSpare("2"));
        lead.finish("1");
        lead.finish("3");
        QVERIFY(lead.closed.at("1").hasSucceeded);
        lead.end("1");
        lead.end("3");
        QVERIFY(lead.outcome == RunState::Succeeded);
    }

    void aRunEndsWhereSuchAHostIsNeeded()
    {
        FakeLead lead({.nodes = {3, 3}, .maxRestarts = 5, .leaveHostOutAfter = 1, .runId = "job"});
        meet(lead);
        failsOn(lead, "2");
        QVERIFY(lead.restarts.empty());
        for (const char* agent : {"1", "2", "3"})
            lead.end(agent);
        QVERIFY(lead.outcome == RunState::Failed);
        QVERIFY(lead.outcomeReason.code == code::NeededHostFailedTooOften);
        QCOMPARE(lead.outcomeReason.parameters.at("host"), std::string("host2"));
        QCOMPARE(lead.outcomeReason.parameters.at("left"), std::string("2"));
    }

    void failuresOfSeveralHostsAreCountedForEach()
    {
        FakeLead lead({.nodes = {1, 3}, .maxRestarts = 9, .leaveHostOutAfter = 2, .runId = "job"});
        meet(lead);
        for (const char* agent : {"1", "2", "3"})
            failsOn(lead, agent);
        lead.guilty = {}; // nobody knows whose it was
        lead.join("1");
        lead.asked = {"2", "3"};
        lead.obey();
        QVERIFY(lead.closed.empty());
        QCOMPARE(lead.rounds.at("1").worldSize, 6);
        failsOn(lead, "3");
        QVERIFY(lead.closed.contains("3"));
        QCOMPARE(lead.closed.size(), size_t(1));
    }

    void anotherAgentOfSuchAHostIsTurnedAway()
    {
        FakeLead lead({.nodes = {2, 3}, .maxRestarts = 5, .leaveHostOutAfter = 1, .runId = "job"});
        meet(lead);
        failsOn(lead, "2");
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.closed.clear();
        lead.coordinator.back("2", lead.now);
        QVERIFY(lead.closed.contains("2"));
        lead.coordinator.replaced("2", "2.2", {code::HostAgentKilled, {}, {}}, lead.now);
        lead.coordinator.offered("2.2", {.roles = {{"default", 2}}, .address = "a", .port = 4000},
                                 lead.now);
        QVERIFY(lead.closed.contains("2.2"));
        QCOMPARE(lead.rounds.at("1").worldSize, 4);
        QVERIFY(lead.asked.empty());
    }

    void placesThatAreGivenAnewDontBringSuchAHostBack()
    {
        FakeLead lead({.nodes = {2, 3}, .maxRestarts = 5, .leaveHostOutAfter = 1, .runId = "job"});
        meet(lead);
        failsOn(lead, "2");
        lead.displaced({code::PlaceTakenBack, {}, {}}, ElasticCoordinator::Charge::Free);
        lead.closed.clear();
        lead.expect({"1", "2", "3"});
        for (const char* agent : {"1", "2", "3"})
            lead.join(agent);
        QVERIFY(lead.closed.contains("2"));
        QCOMPARE(lead.rounds.at("1").worldSize, 4);
    }

    void whatAFormerLeadHadCountedHolds()
    {
        FakeLead lead({.nodes = {1, 3}, .maxRestarts = 5, .leaveHostOutAfter = 2, .runId = "job"});
        lead.coordinator.resume(
            {.attempt = 1,
             .restartsUsed = 1,
             .round = 1,
             .hostFailures = {{"host1", 2}, {"host2", 1}},
             .members = {{.agent = "1", .name = "host1", .state = JobMember::State::Leaving},
                         {.agent = "2", .name = "host2", .state = JobMember::State::Leaving}}},
            lead.now);
        lead.coordinator.back("1", lead.now);
        QVERIFY(lead.closed.at("1").why.code == code::HostFailedTooOften);
        lead.end("1");
        QVERIFY(!lead.coordinator.isEnding());
        // An even earlier one, of which this one doesn't know it.
        lead.coordinator.ended("2", RunState::Failed, {code::HostFailedTooOften, {}, {}}, lead.now);
        QVERIFY(lead.coordinator.isLeftOut("host2"));
        QVERIFY(lead.outcome == RunState::Failed || lead.coordinator.isEnding());
    }

    void aRuleThatEndsARunFailsIt()
    {
        FakeLead lead = threeHosts({3, 3}, 5);
        meet(lead);
        lead.coordinator.stopping({code::HostWorkersFailed, {}, {}}, RunState::Failed);
        for (const char* agent : {"1", "2", "3"})
            lead.coordinator.ended(agent, RunState::Stopped, {}, lead.now);
        QVERIFY(lead.outcome == RunState::Failed);
    }

    void workersThatEndWithTheirPlacesAreChargedOnce()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        lead.join("2");
        lead.join("3");
        lead.asked = {"1"};
        lead.obey();
        QCOMPARE(lead.restarts.size(), size_t(1));
        lead.now += 2 * Second;
        lead.displaced({code::HostWorkersFailed, {}, {}});
        QCOMPARE(lead.restarts.size(), size_t(1));
        QVERIFY(lead.coordinator.state() == RunState::Restarting);
        meet(lead);
        QCOMPARE(lead.rounds.at("1").attempt, 2);
        lead.now += 60 * Second;
        lead.displaced({code::HostWorkersFailed, {}, {}});
        QVERIFY(lead.outcome == RunState::Failed);
    }

    void eachTimeThatPlacesAreTakenBackIsCharged()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        lead.displaced({code::PlaceTakenBack, {}, {}});
        QCOMPARE(lead.restarts.size(), size_t(1));
        lead.now += 2 * Second;
        meet(lead);
        lead.now += 2 * Second;
        lead.displaced({code::PlaceTakenBack, {}, {}});
        QVERIFY(lead.outcome == RunState::Failed);
    }

    void aFailureExplainsOneLossOfPlacesAlone()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        lead.join("2");
        lead.obey();
        QCOMPARE(lead.restarts.size(), size_t(1));
        lead.now += 2 * Second;
        lead.displaced({code::PlaceTakenBack, {}, {}});
        QVERIFY(!lead.coordinator.isEnding());
        meet(lead);
        lead.now += 2 * Second;
        lead.displaced({code::PlaceTakenBack, {}, {}});
        QVERIFY(lead.outcome == RunState::Failed);
    }

    void placesThatNobodyDecidedToTakeBackCostNothing()
    {
        FakeLead lead = threeHosts({3, 3}, 0);
        meet(lead);
        lead.displaced({code::PlaceTakenBack, {}, {}}, ElasticCoordinator::Charge::Free);
        QVERIFY(!lead.coordinator.isEnding());
        QVERIFY(lead.restarts.empty());
        meet(lead);
        QCOMPARE(lead.rounds.at("1").attempt, 1);
    }

    void aFailureIsChargedOnceThePlacesAreKnownToStand()
    {
        FakeLead lead = threeHosts({3, 3}, 0);
        lead.mayLosePlaces = true;
        meet(lead);
        lead.join("2");
        lead.obey();
        QCOMPARE(lead.questions, 1);
        lead.coordinator.look(lead.now);
        QCOMPARE(lead.questions, 1);
        QVERIFY(lead.closed.empty());
        lead.coordinator.placesKnown(lead.now);
        QVERIFY(lead.closed.at("1").why.code == code::HostWorkersFailed);
    }

    void placesThatAreTakenBackAreTheCauseAlsoWithoutABudget()
    {
        FakeLead lead = threeHosts({3, 3}, 0);
        lead.mayLosePlaces = true;
        meet(lead);
        lead.join("2");
        lead.obey();
        lead.displaced({code::PlaceTakenBack, {}, {}});
        QVERIFY(lead.outcome == RunState::Failed);
        QVERIFY(lead.outcomeReason.code == code::PlaceTakenBack);
        lead.coordinator.placesKnown(lead.now); // too late, and nobody's
        QVERIFY(lead.restarts.empty());
    }

    void placesThatAreTakenBackAfterTheirAgentsHaveGoneAreChargedToo()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        for (const char* agent : {"1", "2", "3"})
            lead.coordinator.replaced(agent, std::string(agent) + ".2",
                                      {code::HostAgentKilled, {}, {}}, lead.now);
        lead.displaced({code::PlaceTakenBack, {}, {}});
        QCOMPARE(lead.restarts.back().budgetAfter, 0);
        lead.coordinator.displaced({code::PlaceTakenBack, {}, {}}, lead.now + 60 * Second);
        QVERIFY(!lead.coordinator.isEnding()); // nothing has run in between
    }

    void aPlaceThatIsTakenIsNoFailureOfAWorker()
    {
        FakeLead lead = threeHosts({2, 3}, 0);
        lead.mayLosePlaces = true;
        meet(lead);
        lead.join("2"); // it has lost its peer on 3
        lead.asked = {"1"};
        lead.obey();
        QVERIFY(lead.closed.empty());
        lead.coordinator.taken("3", {code::PlaceTakenBack, {}, {}}, lead.now);
        QCOMPARE(lead.restarts.back().budgetBefore, lead.restarts.back().budgetAfter);
        QCOMPARE(lead.rounds.at("2").attempt, 1);
        QCOMPARE(lead.rounds.at("2").groupWorldSize, 2);
    }

    void aHostThatCannotBeginIsDoneWithout()
    {
        FakeLead lead = threeHosts({2, 3});
        lead.expect({"1", "2", "3"});
        lead.join("1");
        lead.join("2");
        lead.coordinator.ended("3", RunState::Failed, {code::HostRebooted, {{"host", "x"}}, {}},
                               lead.now);
        QCOMPARE(lead.begun, 2);
        FakeLead strict = threeHosts({3, 3});
        strict.expect({"1", "2", "3"});
        strict.coordinator.ended("3", RunState::Failed, {code::HostRebooted, {{"host", "x"}}, {}},
                                 strict.now);
        strict.coordinator.look(strict.now);
        QCOMPARE(strict.closed.at("1").why.code, code::HostCannotBegin);
        QCOMPARE(strict.closed.at("1").why.parameters.at("host"), std::string("host3"));
    }

    void aHostThatIsBusyIsWaitedFor()
    {
        FakeLead lead({.nodes = {2, 2}, .joinTimeout = std::chrono::seconds(10), .runId = "job"});
        lead.coordinator.expected("1", "host1", lead.now);
        lead.coordinator.expected("2", "host2", lead.now);
        lead.join("1");
        for (int i = 0; i < 10; ++i) {
            lead.now += 5 * Second;
            lead.coordinator.delayed("2", lead.now);
            lead.coordinator.look(lead.now);
        }
        QVERIFY(!lead.coordinator.isEnding());
        lead.now += 11 * Second;
        lead.coordinator.look(lead.now);
        QVERIFY(lead.coordinator.isEnding());
    }

    /// It hasn't been cut off, and has offered nothing.
    void whoComesOnceTheJobHasEndedHearsHow()
    {
        FakeLead lead = threeHosts({2, 3});
        lead.expect({"1", "2", "3"});
        lead.join("1");
        lead.join("2");
        lead.pass(std::chrono::seconds(31));
        lead.finish("1");
        lead.finish("2");
        QVERIFY(lead.coordinator.isEnding());
        lead.closed.clear();
        lead.coordinator.back("3", lead.now);
        QVERIFY(lead.closed.at("3").hasSucceeded);
    }

    /// A lead that stood still hears at once all that another one has done meanwhile.
    void roundsOfAnotherLeadAreNoneOfItsOwn()
    {
        FakeLead lead = threeHosts({2, 2}, 3);
        lead.expect({"1", "2"});
        lead.join("1");
        lead.join("2");
        QCOMPARE(lead.begun, 2);
        lead.offer("2", 1); // its workers have failed
        lead.offer("1", 11);
        lead.offer("2", 11);
        lead.coordinator.finished("1", 11, lead.now);
        lead.coordinator.finished("2", 11, lead.now);
        QCOMPARE(lead.begun, 2);
        QVERIFY(!lead.coordinator.isEnding());
    }

    void aFinalFailureAnywhereEndsTheJobEverywhere()
    {
        FakeLead lead = threeHosts({3, 3}, 5);
        meet(lead);
        const Message reason{code::HostFolderMissing, {}, {}};
        lead.coordinator.ended("2", RunState::Failed, reason, lead.now);
        QVERIFY(lead.closed.at("1").why == reason);
        QVERIFY(lead.closed.at("3").why == reason);
        lead.end("1");
        lead.end("3");
        QVERIFY(lead.outcome == RunState::Failed);
        QVERIFY(lead.outcomeReason == reason);
    }

    void aHostThatIsCutOffIsLeftOutAndTakenBack()
    {
        FakeLead lead = threeHosts({2, 3});
        meet(lead);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "3"}));
        lead.obey();
        QCOMPARE(lead.rounds.at("3").groupRank, 1);
        QCOMPARE(lead.rounds.at("3").worldSize, 4);
        QCOMPARE(lead.restarts.back().budgetBefore, lead.restarts.back().budgetAfter);
        lead.coordinator.back("2", lead.now);
        QCOMPARE(lead.asked, (std::vector<std::string>{"2"})); // what it did meanwhile is void
        lead.obey();
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "3"}));
        lead.obey();
        QCOMPARE(lead.rounds.at("3").groupRank, 2);
        QCOMPARE(lead.rounds.at("2").worldSize, 6);
    }

    void withTooFewHostsItWaitsForTheOneThatIsCutOff()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.obey();
        QCOMPARE(lead.begun, 3);
        lead.coordinator.back("2", lead.now);
        lead.obey();
        QCOMPARE(lead.begun, 6);
    }

    /// It was told to leave, cut off, and told once more when it was back.
    void anOfferThatComesTwiceIsNoFailure()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.coordinator.restart({code::HostCut, {}, {}}, lead.now);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.asked = {"1", "3"};
        lead.obey();
        lead.coordinator.back("2", lead.now);
        QCOMPARE(lead.asked, std::vector<std::string>{"2"});
        QCOMPARE(lead.left.at("2").round, std::uint64_t{0});
        const RendezvousReport offer{
            .round = 1, .roles = {{"default", 2}}, .address = "10.0.0.2", .port = 4000};
        lead.coordinator.offered("2", offer, lead.now);
        QCOMPARE(lead.begun, 6);
        lead.coordinator.offered("2", offer, lead.now);
        QVERIFY(!lead.coordinator.isEnding());
        QVERIFY(lead.coordinator.state() != RunState::Stopping);
        for (const char* agent : {"1", "2", "3"})
            lead.coordinator.running(agent);
        QVERIFY(lead.coordinator.state() == RunState::Running);
    }

    void aHostThatStaysAwayDoesNotHoldBackARoundWithoutIt()
    {
        FakeLead lead = threeHosts({1, 3});
        meet(lead);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.obey();
        lead.finish("1");
        QVERIFY(lead.closed.empty());
        lead.finish("3");
        QVERIFY(lead.closed.at("1").hasSucceeded);
        lead.end("1");
        lead.end("3");
        QVERIFY(lead.outcome == RunState::Succeeded);
    }

    void whatSucceedsWhileItsHostIsCutOffCounts()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.finish("1");
        lead.finish("3");
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.pass(std::chrono::seconds(100));
        QVERIFY(!lead.coordinator.isEnding());
        lead.coordinator.back("2", lead.now);
        QVERIFY(lead.asked.empty());
        lead.finish("2");
        QVERIFY(lead.closed.at("2").hasSucceeded);
        for (const char* agent : {"1", "2", "3"})
            lead.end(agent);
        QVERIFY(lead.outcome == RunState::Succeeded);
    }

    /// 1 has finished, 2 is told to leave as 3 is cut off; what 3 did meanwhile can't be a part of
    /// the round that 2 needs.
    void whoHasFinishedRunsAgainWhereTheOthersAreTooFew()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        lead.finish("1");
        lead.coordinator.lost("3", {code::HostCut, {}, {}}, lead.now);
        QCOMPARE(lead.asked, std::vector<std::string>{"2"});
        QVERIFY(!lead.left.at("2").recallsFinished);
        lead.obey();
        lead.coordinator.back("3", lead.now);
        QCOMPARE(lead.asked.back(), std::string("3"));
        lead.finish("3"); // it had, before it heard
        QVERIFY(lead.left.at("1").recallsFinished);
        lead.asked = {"1"};
        lead.obey();
        QVERIFY(!lead.coordinator.isEnding());
        QVERIFY(lead.left.at("3").recallsFinished);
        lead.obey();
        QCOMPARE(lead.begun, 6);
        for (const char* agent : {"1", "2", "3"})
            lead.finish(agent);
        QVERIFY(lead.closed.at("1").hasSucceeded);
        QCOMPARE(lead.restarts.back().budgetBefore, lead.restarts.back().budgetAfter);
    }

    void aFailureAfterOthersHaveFinishedIsTriedAgain()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        lead.finish("1");
        lead.finish("3");
        lead.join("2");
        QCOMPARE(lead.restarts.back().budgetAfter, 0);
        lead.obey();
        QCOMPARE(lead.begun, 6);
    }

    /// All but one have succeeded, and that one is lost: those that are left do its part.
    void aHostThatIsGoneBeforeItsLastWordIsNoSuccess()
    {
        FakeLead lead = threeHosts({2, 3});
        meet(lead);
        lead.finish("1");
        lead.finish("3");
        lead.coordinator.gone("2", {code::HostRebooted, {}, {}}, lead.now);
        QVERIFY(lead.closed.empty());
        lead.obey();
        QCOMPARE(lead.rounds.at("3").groupWorldSize, 2);
        lead.finish("1");
        lead.finish("3");
        QVERIFY(lead.closed.at("1").hasSucceeded);
    }

    void aShortCutRestartsNobody()
    {
        FakeLead lead({.nodes = {3, 3}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        meet(lead);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.pass(std::chrono::seconds(19));
        lead.coordinator.back("2", lead.now);
        QVERIFY(lead.asked.empty());
        QCOMPARE(lead.begun, 4); // told once more, in case it had not heard
        QCOMPARE(lead.rounds.at("2").round, std::uint64_t{0});
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.pass(std::chrono::seconds(20));
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "3"}));
    }

    void whatFailsWhileAHostIsCutOffIsNotCharged()
    {
        FakeLead lead({.nodes = {2, 3}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        meet(lead);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.join("1");
        lead.obey();
        QVERIFY(!lead.coordinator.isEnding());
        QCOMPARE(lead.rounds.at("3").groupWorldSize, 2);
    }

    void theOthersTrainOnWithinTenSeconds_data()
    {
        QTest::addColumn<bool>("failsMeanwhile"); ///< Else the host doesn't come back.
        QTest::newRow("of a failure while a host is cut off") << true;
        QTest::newRow("of its being left out") << false;
    }

    /// With the times that a job has which says nothing of them, on the lead's clock: its looks,
    /// and workers that take three seconds to end.
    void theOthersTrainOnWithinTenSeconds()
    {
        QFETCH(bool, failsMeanwhile);
        constexpr std::int64_t Look = Second / 4;
        const RendezvousSettings usual;
        FakeLead lead({.nodes = {2, 3},
                       .lastCall = usual.lastCallTimeout,
                       .joinTimeout = usual.joinTimeout,
                       .reconnect = usual.nodeTimeout,
                       .runId = "job"});
        meet(lead);
        for (const char* agent : {"1", "2", "3"})
            lead.coordinator.running(agent);
        lead.pass(std::chrono::seconds(60));
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now, std::chrono::seconds(4));
        std::int64_t since = lead.now + (20 - 4) * Second;
        if (failsMeanwhile) {
            lead.now += 2 * Second;
            since = lead.now;
            lead.join("1");
        }
        std::optional<std::int64_t> left;
        while (lead.rounds.at("3").groupWorldSize == 3 && lead.now < since + 60 * Second) {
            lead.now += Look;
            lead.coordinator.look(lead.now);
            if (!left && !lead.asked.empty())
                left = lead.now;
            if (left && lead.now >= *left + 3 * Second)
                lead.obey();
        }
        QCOMPARE(lead.rounds.at("3").groupWorldSize, 2);
        QVERIFY2(lead.now <= since + 10 * Second, qPrintable(QString::number(lead.now - since)));
        QVERIFY(!lead.coordinator.isEnding());
    }

    void aCutCountsFromTheLastAnswer()
    {
        FakeLead lead({.nodes = {3, 3}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        meet(lead);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now, std::chrono::seconds(4));
        lead.pass(std::chrono::seconds(15));
        QVERIFY(lead.asked.empty());
        lead.pass(std::chrono::seconds(1));
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "3"}));
    }

    /// Operations over the network that was away fail when it is back, or time out there.
    void whatFailsAsAHostComesBackIsNotCharged()
    {
        FakeLead lead({.nodes = {3, 3}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        meet(lead);
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.pass(std::chrono::seconds(12));
        lead.coordinator.back("2", lead.now);
        lead.join("2"); // its workers had failed meanwhile
        lead.join("1");
        lead.obey();
        QVERIFY(!lead.coordinator.isEnding());
        QCOMPARE(lead.rounds.at("2").attempt, 1);
        QVERIFY(lead.restarts.back().cause.code == code::HostCut);
        lead.pass(std::chrono::seconds(60));
        lead.join("2");
        lead.obey();
        QVERIFY(lead.closed.at("1").why.code == code::HostWorkersFailed);
    }

    void aFailureWhoseCutIsSeenLaterIsNotCharged()
    {
        FakeLead lead({.nodes = {2, 3}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        meet(lead);
        lead.pass(std::chrono::seconds(60));
        lead.join("1");
        lead.now += 2 * Second;
        lead.coordinator.lost("2", {code::HostCut, {}, {}}, lead.now, std::chrono::seconds(3));
        lead.asked = {"3"};
        lead.obey();
        QVERIFY(!lead.coordinator.isEnding());
        QCOMPARE(lead.rounds.at("3").groupWorldSize, 2);

        FakeLead other({.nodes = {2, 3}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        meet(other);
        other.pass(std::chrono::seconds(60));
        other.join("1");
        other.now += 5 * Second;
        other.coordinator.lost("2", {code::HostCut, {}, {}}, other.now, std::chrono::seconds(3));
        other.asked = {"3"};
        other.obey();
        QVERIFY(other.closed.at("1").why.code == code::HostWorkersFailed);
    }

    /// The lead's own network was away, for longer than any host's may be.
    void whereAllWereCutOffEachComesBackInItsTime()
    {
        FakeLead lead({.nodes = {3, 3}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        meet(lead);
        for (const char* agent : {"1", "2", "3"})
            lead.coordinator.lost(agent, {code::HostCut, {}, {}}, lead.now,
                                  std::chrono::seconds(4));
        for (int i = 0; i < 40; ++i)
            lead.pass(std::chrono::seconds(1));
        lead.coordinator.back("3", lead.now);
        lead.pass(std::chrono::seconds(15));
        lead.coordinator.back("1", lead.now);
        QVERIFY(lead.asked.empty());
        lead.pass(std::chrono::seconds(4));
        QVERIFY(lead.asked.empty());
        lead.pass(std::chrono::seconds(1));
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "3"}));
        QVERIFY(lead.left.at("1").why.code == code::HostLeftOut);
    }

    void nobodyJoinsARoundThatBeginsToFinish()
    {
        FakeLead lead = threeHosts({1, 3});
        lead.expect({"1", "2"});
        lead.join("1");
        lead.join("2");
        lead.finish("1");
        lead.coordinator.expected("3", "host3", lead.now);
        lead.join("3");
        QVERIFY(lead.asked.empty());
        QCOMPARE(lead.spares, std::set<std::string>{"3"});
        lead.finish("2");
        QVERIFY(lead.closed.at("3").hasSucceeded);
    }

    void whoEndsWithoutAWordIsNamed()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.coordinator.ended("2", RunState::Failed, {}, lead.now);
        QVERIFY(lead.closed.at("1").why.code == code::HostEndedEarly);
    }

    void withTooFewHostsForEverItEnds()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        const Message why{code::HostRebooted, {}, {}};
        lead.coordinator.gone("2", why, lead.now);
        lead.obey();
        QVERIFY(lead.closed.at("1").why == why);
    }

    void anAgentInAnothersPlaceKeepsItsRank()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.coordinator.replaced("1", "1.2", {code::HostAgentKilled, {}, {}}, lead.now);
        lead.obey();
        QCOMPARE(lead.begun, 3);
        lead.join("1.2");
        QCOMPARE(lead.rounds.at("1.2").groupRank, 0);
        QCOMPARE(lead.begun, 6);
    }

    void aSpareStepsIn()
    {
        FakeLead lead = threeHosts({2, 2});
        meet(lead);
        QCOMPARE(lead.begun, 2);
        QCOMPARE(lead.spares, std::set<std::string>{"2"});
        lead.coordinator.gone("1", {code::HostRebooted, {}, {}}, lead.now);
        lead.obey();
        QCOMPARE(lead.begun, 4);
        QCOMPARE(lead.rounds.at("2").groupRank, 0);
        QCOMPARE(lead.rounds.at("3").groupRank, 1);
        QCOMPARE(lead.rounds.at("3").worldSize, 4);
        QVERIFY(lead.spares.empty());
    }

    void whoComesToAFullRoundStandsBy()
    {
        FakeLead lead = threeHosts({2, 2});
        lead.expect({"1", "2", "3"});
        lead.join("1");
        lead.join("2");
        QVERIFY(lead.spares.empty());
        lead.join("3");
        QCOMPARE(lead.spares, std::set<std::string>{"3"});
        lead.spares.clear();
        lead.coordinator.lost("3", {}, lead.now);
        lead.coordinator.back("3", lead.now);
        QCOMPARE(lead.spares, std::set<std::string>{"3"});
        QCOMPARE(lead.begun, 2);
    }

    void aHostThatIsLateIsWaitedForUntilTheLastCall()
    {
        FakeLead lead = threeHosts({2, 3});
        lead.expect({"1", "2", "3"});
        lead.join("1");
        lead.join("2");
        QCOMPARE(lead.begun, 0);
        lead.now += 31 * Second;
        lead.coordinator.look(lead.now);
        QCOMPARE(lead.begun, 2);
        lead.join("3");
        lead.obey();
        QCOMPARE(lead.rounds.at("3").groupRank, 2);
    }

    void whoeverComesAfterTheEndIsToldSo()
    {
        FakeLead lead = threeHosts({1, 3});
        meet(lead);
        lead.coordinator.stopping({code::HostCut, {}, {}});
        lead.join("2");
        QVERIFY(lead.closed.contains("2"));
    }

    void whoHasEndedOffersNoMore()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.coordinator.stopping({code::HostCut, {}, {}});
        for (const char* agent : {"1", "2", "3"})
            lead.coordinator.ended(agent, RunState::Stopped, {}, lead.now);
        QVERIFY(lead.outcome == RunState::Stopped);

        FakeLead late = threeHosts({3, 3});
        meet(late);
        late.coordinator.stopping({code::HostCut, {}, {}});
        late.coordinator.ended("1", RunState::Stopped, {}, late.now);
        late.join("1");
        for (const char* agent : {"2", "3"})
            late.coordinator.ended(agent, RunState::Stopped, {}, late.now);
        QVERIFY(late.outcome == RunState::Stopped);
    }

    void nobodyComingInTimeIsAFailure()
    {
        FakeLead lead = threeHosts({3, 3});
        lead.coordinator.expected("1", "host1", lead.now);
        lead.coordinator.expected("2", "host2", lead.now);
        lead.coordinator.expected("3", "host3", lead.now);
        lead.join("1");
        lead.now += 601 * Second;
        lead.coordinator.look(lead.now);
        QVERIFY(lead.closed.at("1").why.code == code::RendezvousTimedOut);
    }

    void enoughDontGiveUpForOthersThatDontCome()
    {
        FakeLead lead({.nodes = {1, 2},
                       .lastCall = std::chrono::seconds(30),
                       .joinTimeout = std::chrono::seconds(10),
                       .runId = "job"});
        lead.coordinator.expected("1", "host1", lead.now);
        lead.coordinator.expected("2", "host2", lead.now);
        lead.join("1");
        lead.now += 11 * Second;
        lead.coordinator.look(lead.now);
        QVERIFY(!lead.coordinator.isEnding());
        QCOMPARE(lead.coordinator.attempt(), 0);
    }

    void theTimeToJoinBeginsWithTheNewPlaces()
    {
        FakeLead lead({.nodes = {1, 1},
                       .maxRestarts = 1,
                       .joinTimeout = std::chrono::seconds(600),
                       .runId = "job"});
        lead.coordinator.expected("1", "host1", lead.now);
        lead.join("1");
        lead.displaced({code::PlaceTakenBack, {{"host", "host1"}}, {}});
        lead.now += 3600 * Second;
        lead.coordinator.expected("1.2", "host1", lead.now);
        lead.coordinator.look(lead.now);
        QVERIFY(!lead.coordinator.isEnding());
        lead.join("1.2");
        QCOMPARE(lead.coordinator.attempt(), 1);
    }

    void anotherLeadGoesOnWithARoundThatStands()
    {
        FakeLead lead({.nodes = {2, 2}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        lead.coordinator.resume(
            {.attempt = 2,
             .round = 4,
             .stands = true,
             .members =
                 {{.agent = "1", .name = "host1", .state = JobMember::State::InRound, .round = 4},
                  {.agent = "2",
                   .name = "host2",
                   .state = JobMember::State::Finished,
                   .round = 4,
                   .hasFinished = true}}},
            lead.now);
        lead.pass(std::chrono::seconds(10));
        lead.coordinator.back("1", lead.now);
        lead.coordinator.back("2", lead.now);
        QVERIFY(lead.asked.empty());
        QVERIFY(lead.coordinator.state() == RunState::Running);
        lead.finish("1");
        QVERIFY(lead.closed.at("1").hasSucceeded);
        QVERIFY(lead.restarts.empty());
    }

    /// It went on for a while beside this one, and has begun another round with a member since.
    void whatWasOfferedToAFormerLeadIsOfferedOnceMore()
    {
        FakeLead lead({.nodes = {1, 1}, .maxRestarts = 1, .runId = "job"});
        lead.coordinator.resume(
            {.attempt = 0,
             .round = 0,
             .stands = true,
             .members =
                 {{.agent = "1", .name = "host1", .state = JobMember::State::InRound, .round = 0}}},
            lead.now);
        lead.coordinator.back("1", lead.now);
        lead.rounds.clear();
        lead.offer("1", 1);
        QVERIFY(lead.rounds.empty());
        const LeaveRound left = lead.left.at("1");
        QVERIFY(left.round > 1 && left.recallsFinished);
        lead.offer("1", 2);
        QVERIFY(lead.rounds.empty());
        lead.offer("1", left.round + 1);
        QCOMPARE(lead.rounds.at("1").round, left.round + 1);
    }

    /// It was told to leave by a lead that has taken over; its workers have not failed.
    void anOfferThatAnotherLeadHasAskedForIsNoFailure()
    {
        FakeLead lead({.nodes = {2, 2}, .runId = "job"});
        lead.expect({"1", "2"});
        for (const char* agent : {"1", "2"})
            lead.join(agent);
        lead.offer("2", 10);
        QVERIFY(lead.asked.empty() && lead.closed.empty() && lead.restarts.empty());
        const Message why{code::LeadReplaced, {{"host", "host2"}}, {}};
        lead.finish("1");
        lead.finish("2");
        QVERIFY(lead.closed.at("1").hasSucceeded);
        lead.coordinator.handOver(why);
        QVERIFY(lead.outcome == RunState::Failed);
        QVERIFY(lead.outcomeReason == why);
    }

    void whoHasFinishedAndRunsAgainForAnotherLeadIsAskedToLeave()
    {
        FakeLead lead({.nodes = {1, 2}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        const auto member = [](const char* agent, JobMember::State state) {
            return JobStanding::Member{.agent = agent,
                                       .name = std::string("host") + agent,
                                       .state = state,
                                       .round = 10,
                                       .hasFinished = state == JobMember::State::Finished};
        };
        lead.coordinator.resume({.attempt = 0,
                                 .round = 10,
                                 .stands = true,
                                 .members = {member("1", JobMember::State::InRound),
                                             member("2", JobMember::State::Finished)}},
                                lead.now);
        lead.coordinator.back("1", lead.now);
        lead.coordinator.back("2", lead.now);
        lead.offer("2", 12);
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "2"}));
        QVERIFY(lead.left.at("2").round > 12 && lead.left.at("2").recallsFinished);
        QVERIFY(!lead.rounds.contains("2"));
    }

    void whoWasStoppedBeforeItBeganStopsTheJob()
    {
        FakeLead lead({.nodes = {1, 2}, .runId = "job"});
        lead.expect({"1", "2"});
        const Message why{code::SignalReceived, {{"signal", "SIGINT"}}, {}};
        lead.coordinator.ended("1", RunState::Failed, why, lead.now);
        lead.coordinator.gone("2", {code::HostWorkersFailed, {{"host", "host2"}}, {}}, lead.now);
        QVERIFY(lead.outcome == RunState::Stopped);
        QVERIFY(lead.outcomeReason == why);
    }

    void whereAllPlacesWereTakenWhileNobodyLedThatIsTheReason()
    {
        FakeLead lead({.nodes = {1, 1}, .maxRestarts = 3, .runId = "job"});
        lead.coordinator.resume({.attempt = 0, .why = {code::LeadTookOver, {}, {}}}, lead.now);
        const Message why{code::PlaceTakenBack, {{"host", "host1"}}, {}};
        lead.coordinator.taken("1", why, lead.now);
        lead.pass(std::chrono::seconds(1));
        QVERIFY(lead.outcome == RunState::Failed);
        QVERIFY(lead.outcomeReason == why);
    }

    /// A former lead has charged the last round to the job already.
    void placesThatAreLostOnceMoreBeforeARoundCostNothing()
    {
        FakeLead lead({.nodes = {1, 1}, .maxRestarts = 3, .runId = "job"});
        lead.coordinator.resume({.attempt = 1,
                                 .restartsUsed = 1,
                                 .isCharged = true,
                                 .why = {code::LeadTookOver, {}, {}}},
                                lead.now);
        lead.displaced({code::PlaceTakenBack, {{"host", "host1"}}, {}});
        for (const GroupRestarting& restart : lead.restarts)
            QCOMPARE(restart.budgetAfter, restart.budgetBefore);
        QVERIFY(!lead.outcome);
    }

    void whatAnotherLeadDoesNotKnowIsBegunAnew()
    {
        FakeLead lead({.nodes = {2, 2}, .reconnect = std::chrono::seconds(20), .runId = "job"});
        const RendezvousReport offer{
            .roles = {{"default", 2}}, .address = "10.0.0.1", .port = 4000};
        const auto member = [&](const char* agent) {
            return JobStanding::Member{.agent = agent,
                                       .name = std::string("host") + agent,
                                       .state = JobMember::State::Leaving,
                                       .offer = offer};
        };
        lead.coordinator.resume({.attempt = 2,
                                 .restartsUsed = 1,
                                 .round = 4,
                                 .why = {code::LeadTookOver, {}, {}},
                                 .members = {member("1"), member("2")}},
                                lead.now);
        lead.coordinator.back("1", lead.now);
        lead.coordinator.back("2", lead.now);
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "2"}));
        // One had begun the round of which the former lead never heard.
        const std::uint64_t left = lead.left.at("1").round;
        QVERIFY(left > 5);
        for (const char* agent : {"1", "2"})
            lead.offer(agent, left + 1);
        QCOMPARE(lead.rounds.at("2").round, left + 1);
        QCOMPARE(lead.rounds.at("2").attempt, 3);
        QCOMPARE(lead.rounds.at("2").restartCount, 1);
        QCOMPARE(lead.restarts.back().budgetBefore, lead.restarts.back().budgetAfter);
    }

    /// That had heard of the end of all, and was killed before it had kept that.
    void whatAFormerLeadToldAnAgentHolds()
    {
        FakeLead lead({.nodes = {1, 1}, .runId = "job"});
        lead.coordinator.resume(
            {.attempt = 0,
             .stands = true,
             .members =
                 {{.agent = "1", .name = "host1", .state = JobMember::State::InRound, .round = 0},
                  {.agent = "2", .name = "host2"}}},
            lead.now);
        lead.coordinator.back("2", lead.now);
        lead.coordinator.ended("2", RunState::Succeeded, {code::RendezvousNotNeeded, {}, {}},
                               lead.now);
        lead.coordinator.back("1", lead.now);
        QVERIFY(lead.closed.at("1").hasSucceeded);
    }

    void anotherLeadFailsWhatWasAboutToFail()
    {
        FakeLead lead({.nodes = {1, 1}, .maxRestarts = 3, .runId = "job"});
        const Message why{code::HostWorkersFailed, {{"host", "host1"}}, {}};
        lead.coordinator.resume({.attempt = 0,
                                 .outcome = {{RunState::Failed, why}},
                                 .members = {{.agent = "1",
                                              .name = "host1",
                                              .state = JobMember::State::Leaving,
                                              .offer = RendezvousReport{}}}},
                                lead.now);
        lead.coordinator.back("1", lead.now);
        QVERIFY(!lead.closed.at("1").hasSucceeded);
        QVERIFY(lead.closed.at("1").why == why);
        QVERIFY(lead.restarts.empty());
    }

    /// What it had offered the former one, it may have been told to begin since.
    void anAgentOfAFormerLeadOffersAnew()
    {
        FakeLead lead({.nodes = {1, 1}, .runId = "job"});
        lead.coordinator.resume({.latest = 2, .members = {{.agent = "1", .name = "host1"}}},
                                lead.now);
        lead.coordinator.back("1", lead.now);
        const std::uint64_t left = lead.left.at("1").round;
        QVERIFY(left > 2);
        lead.offer("1", 2);
        QVERIFY(lead.rounds.empty());
        lead.offer("1", left + 1);
        QCOMPARE(lead.rounds.at("1").round, left + 1);
    }

    /// The former lead ended the job for what had failed there.
    void anAgentThatHadOfferedAFormerLeadCouldBegin()
    {
        FakeLead lead({.nodes = {1, 2}, .runId = "job"});
        lead.coordinator.resume(
            {.latest = 2,
             .members = {{.agent = "1", .name = "host1"}, {.agent = "2", .name = "host2"}}},
            lead.now);
        lead.coordinator.back("1", lead.now);
        lead.offer("1", 2);
        const Message why{code::HostWorkersFailed, {{"host", "host1"}}, {}};
        lead.coordinator.ended("1", RunState::Failed, why, lead.now);
        lead.coordinator.gone("2", {code::HostRebooted, {{"host", "host2"}}, {}}, lead.now);
        QCOMPARE(lead.outcome, RunState::Failed);
        QVERIFY(lead.outcomeReason == why);
    }

    void aThousandAgentsMeet()
    {
        FakeLead lead({.nodes = {1000, 1000}, .runId = "job"});
        for (int agent = 0; agent < 1000; ++agent)
            lead.coordinator.expected(std::to_string(agent), "host" + std::to_string(agent),
                                      lead.now);
        for (int agent = 999; agent >= 0; --agent)
            lead.join(std::to_string(agent), 8);
        QCOMPARE(lead.begun, 1000);
        QCOMPARE(lead.rounds.at("999").worldSize, 8000);
        QCOMPARE(lead.rounds.at("999").places.front().globalRankBase, 7992);
    }
};

QTEST_GUILESS_MAIN(tst_elastic_coordinator)
#include "tst_elastic_coordinator.moc"
