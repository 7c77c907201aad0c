#include "engine/node/Codes.h"
#include "engine/node/JobCourse.h"
#include "engine/rendezvous/Codes.h"

#include <QtTest>

#include <set>

using namespace ringmaster;

namespace {

constexpr std::int64_t Second = 1'000'000'000;

/// Remembers what the course wants, and lets agents do it.
class FakeLead : public JobCourse::Host
{
public:
    explicit FakeLead(JobCourse::Limits limits) : course(std::move(limits), *this) {}

    void beginRound(const std::string& agent, const BeginRound& round) override
    {
        rounds[agent] = round;
        ++begun;
    }
    void leaveRound(const std::string& agent, const Message& why) override
    {
        asked.push_back(agent);
        lastWhy = why;
    }
    void spare(const std::string& agent, bool isSpare) override
    {
        spares.erase(agent);
        if (isSpare)
            spares.insert(agent);
    }
    void closeMeeting(const std::string& agent, const CloseMeeting& close) override
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
    void over(RunState state, const Message& reason) override
    {
        outcome = state;
        outcomeReason = reason;
    }

    void join(const std::string& agent, int workers = 2)
    {
        course.offered(
            agent, {.roles = {{"default", workers}}, .address = "10.0.0." + agent, .port = 4000},
            now);
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
        course.ended(agent, good ? RunState::Succeeded : RunState::Failed, closed.at(agent).why,
                     now);
    }

    JobCourse course;
    std::int64_t now = Second;
    std::map<std::string, BeginRound> rounds;
    std::map<std::string, CloseMeeting> closed;
    std::vector<std::string> asked;
    std::set<std::string> spares;
    std::vector<RunState> states;
    std::vector<GroupRestarting> restarts;
    std::optional<FirstCause> cause;
    std::optional<RunState> outcome;
    Message outcomeReason;
    Message lastWhy;
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
    for (const char* agent : {"1", "2", "3"})
        lead.course.expected(agent, std::string("host") + agent, lead.now);
    for (const char* agent : {"3", "1", "2"})
        lead.join(agent);
}

} // namespace

class tst_job_course : public QObject
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
            lead.course.running(agent);
        QVERIFY(lead.course.state() == RunState::Running);
    }

    void allThatFinishSucceed()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        for (const char* agent : {"2", "3"})
            lead.course.finished(agent, lead.now);
        QVERIFY(lead.closed.empty());
        lead.course.finished("1", lead.now);
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
        lead.course.displaced({code::HostWorkersFailed, {}, {}}, lead.now);
        QCOMPARE(lead.restarts.size(), size_t(1));
        QVERIFY(lead.course.state() == RunState::Restarting);
        meet(lead);
        QCOMPARE(lead.rounds.at("1").attempt, 2);
        lead.now += 60 * Second;
        lead.course.displaced({code::HostWorkersFailed, {}, {}}, lead.now);
        QVERIFY(lead.outcome == RunState::Failed);
    }

    void aFailureIsChargedOnceThePlacesAreKnownToStand()
    {
        FakeLead lead = threeHosts({3, 3}, 0);
        lead.mayLosePlaces = true;
        meet(lead);
        lead.join("2");
        lead.obey();
        QCOMPARE(lead.questions, 1);
        lead.course.look(lead.now);
        QCOMPARE(lead.questions, 1);
        QVERIFY(lead.closed.empty());
        lead.course.placesKnown(lead.now);
        QVERIFY(lead.closed.at("1").why.code == code::HostWorkersFailed);
    }

    void placesThatAreTakenBackAreTheCauseAlsoWithoutABudget()
    {
        FakeLead lead = threeHosts({3, 3}, 0);
        lead.mayLosePlaces = true;
        meet(lead);
        lead.join("2");
        lead.obey();
        lead.course.displaced({code::PlaceTakenBack, {}, {}}, lead.now);
        QVERIFY(lead.outcome == RunState::Failed);
        QVERIFY(lead.outcomeReason.code == code::PlaceTakenBack);
        lead.course.placesKnown(lead.now); // too late, and nobody's
        QVERIFY(lead.restarts.empty());
    }

    void placesThatAreTakenBackAfterTheirAgentsHaveGoneAreChargedToo()
    {
        FakeLead lead = threeHosts({3, 3}, 1);
        meet(lead);
        for (const char* agent : {"1", "2", "3"})
            lead.course.replaced(agent, std::string(agent) + ".2", {code::HostAgentKilled, {}, {}},
                                 lead.now);
        lead.course.displaced({code::PlaceTakenBack, {}, {}}, lead.now);
        QCOMPARE(lead.restarts.back().budgetAfter, 0);
        lead.course.displaced({code::PlaceTakenBack, {}, {}}, lead.now + 60 * Second);
        QVERIFY(!lead.course.isEnding()); // nothing has run in between
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
        lead.course.taken("3", {code::PlaceTakenBack, {}, {}}, lead.now);
        QCOMPARE(lead.restarts.back().budgetBefore, lead.restarts.back().budgetAfter);
        QCOMPARE(lead.rounds.at("2").attempt, 1);
        QCOMPARE(lead.rounds.at("2").groupWorldSize, 2);
    }

    void aHostThatCannotBeginIsDoneWithout()
    {
        FakeLead lead = threeHosts({2, 3});
        for (const char* agent : {"1", "2", "3"})
            lead.course.expected(agent, std::string("host") + agent, lead.now);
        lead.join("1");
        lead.join("2");
        lead.course.ended("3", RunState::Failed, {code::HostRebooted, {{"host", "x"}}, {}},
                          lead.now);
        QCOMPARE(lead.begun, 2);
        FakeLead strict = threeHosts({3, 3});
        for (const char* agent : {"1", "2", "3"})
            strict.course.expected(agent, std::string("host") + agent, strict.now);
        strict.course.ended("3", RunState::Failed, {code::HostRebooted, {{"host", "x"}}, {}},
                            strict.now);
        strict.course.look(strict.now);
        QCOMPARE(strict.closed.at("1").why.code, code::HostCannotBegin);
        QCOMPARE(strict.closed.at("1").why.parameters.at("host"), std::string("host3"));
    }

    void aHostThatIsBusyIsWaitedFor()
    {
        FakeLead lead({.nodes = {2, 2}, .joinTimeout = std::chrono::seconds(10), .runId = "job"});
        lead.course.expected("1", "host1", lead.now);
        lead.course.expected("2", "host2", lead.now);
        lead.join("1");
        for (int i = 0; i < 10; ++i) {
            lead.now += 5 * Second;
            lead.course.delayed("2", lead.now);
            lead.course.look(lead.now);
        }
        QVERIFY(!lead.course.isEnding());
        lead.now += 11 * Second;
        lead.course.look(lead.now);
        QVERIFY(lead.course.isEnding());
    }

    void aFinalFailureAnywhereEndsTheJobEverywhere()
    {
        FakeLead lead = threeHosts({3, 3}, 5);
        meet(lead);
        const Message reason{code::HostFolderMissing, {}, {}};
        lead.course.ended("2", RunState::Failed, reason, lead.now);
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
        lead.course.lost("2", {code::HostCut, {}, {}}, lead.now);
        QCOMPARE(lead.asked, (std::vector<std::string>{"1", "3"}));
        lead.obey();
        QCOMPARE(lead.rounds.at("3").groupRank, 1);
        QCOMPARE(lead.rounds.at("3").worldSize, 4);
        QCOMPARE(lead.restarts.back().budgetBefore, lead.restarts.back().budgetAfter);
        lead.course.back("2", lead.now);
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
        lead.course.lost("2", {code::HostCut, {}, {}}, lead.now);
        lead.obey();
        QCOMPARE(lead.begun, 3);
        lead.course.back("2", lead.now);
        lead.obey();
        QCOMPARE(lead.begun, 6);
    }

    void withTooFewHostsForEverItEnds()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        const Message why{code::HostRebooted, {}, {}};
        lead.course.gone("2", why, lead.now);
        lead.obey();
        QVERIFY(lead.closed.at("1").why == why);
    }

    void anAgentInAnothersPlaceKeepsItsRank()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.course.replaced("1", "1.2", {code::HostAgentKilled, {}, {}}, lead.now);
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
        lead.course.gone("1", {code::HostRebooted, {}, {}}, lead.now);
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
        for (const char* agent : {"1", "2", "3"})
            lead.course.expected(agent, std::string("host") + agent, lead.now);
        lead.join("1");
        lead.join("2");
        QVERIFY(lead.spares.empty());
        lead.join("3");
        QCOMPARE(lead.spares, std::set<std::string>{"3"});
        lead.course.lost("3", {}, lead.now);
        lead.course.back("3", lead.now);
        lead.spares.clear();
        lead.obey();
        QCOMPARE(lead.spares, std::set<std::string>{"3"});
        QCOMPARE(lead.begun, 2);
    }

    void aHostThatIsLateIsWaitedForUntilTheLastCall()
    {
        FakeLead lead = threeHosts({2, 3});
        for (const char* agent : {"1", "2", "3"})
            lead.course.expected(agent, std::string("host") + agent, lead.now);
        lead.join("1");
        lead.join("2");
        QCOMPARE(lead.begun, 0);
        lead.now += 31 * Second;
        lead.course.look(lead.now);
        QCOMPARE(lead.begun, 2);
        lead.join("3");
        lead.obey();
        QCOMPARE(lead.rounds.at("3").groupRank, 2);
    }

    void whoeverComesAfterTheEndIsToldSo()
    {
        FakeLead lead = threeHosts({1, 3});
        meet(lead);
        lead.course.stopping({code::HostCut, {}, {}});
        lead.join("2");
        QVERIFY(lead.closed.contains("2"));
    }

    void whoHasEndedOffersNoMore()
    {
        FakeLead lead = threeHosts({3, 3});
        meet(lead);
        lead.course.stopping({code::HostCut, {}, {}});
        for (const char* agent : {"1", "2", "3"})
            lead.course.ended(agent, RunState::Stopped, {}, lead.now);
        QVERIFY(lead.outcome == RunState::Stopped);

        FakeLead late = threeHosts({3, 3});
        meet(late);
        late.course.stopping({code::HostCut, {}, {}});
        late.course.ended("1", RunState::Stopped, {}, late.now);
        late.join("1");
        for (const char* agent : {"2", "3"})
            late.course.ended(agent, RunState::Stopped, {}, late.now);
        QVERIFY(late.outcome == RunState::Stopped);
    }

    void nobodyComingInTimeIsAFailure()
    {
        FakeLead lead = threeHosts({3, 3});
        lead.course.expected("1", "host1", lead.now);
        lead.course.expected("2", "host2", lead.now);
        lead.course.expected("3", "host3", lead.now);
        lead.join("1");
        lead.now += 601 * Second;
        lead.course.look(lead.now);
        QVERIFY(lead.closed.at("1").why.code == code::RendezvousTimedOut);
    }

    void aThousandAgentsMeet()
    {
        FakeLead lead({.nodes = {1000, 1000}, .runId = "job"});
        for (int agent = 0; agent < 1000; ++agent)
            lead.course.expected(std::to_string(agent), "host" + std::to_string(agent), lead.now);
        for (int agent = 999; agent >= 0; --agent)
            lead.join(std::to_string(agent), 8);
        QCOMPARE(lead.begun, 1000);
        QCOMPARE(lead.rounds.at("999").worldSize, 8000);
        QCOMPARE(lead.rounds.at("999").places.front().globalRankBase, 7992);
    }
};

QTEST_GUILESS_MAIN(tst_job_course)
#include "tst_job_course.moc"
