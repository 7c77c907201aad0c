#include "engine/agent/Codes.h"
#include "engine/event/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/lead/RunStanding.h"
#include "engine/node/Codes.h"
#include "engine/rendezvous/Codes.h"

#include <QtTest>

using namespace ringmaster;

namespace {

/// What a lead has recorded of two hosts.
class Record
{
public:
    explicit Record(RunStanding::MayExplain mayExplain = {}) : standing(std::move(mayExplain))
    {
        for (const char* agent : {"1", "2"}) {
            lead(HostChanged{.agent = agent, .host = std::string("host") + agent});
            says(agent, RendezvousReport{.roles = {{"default", 1}}, .address = "a", .port = 4000});
        }
    }

    void lead(EventBody body) { add("0", std::move(body)); }
    void says(const std::string& agent, EventBody body) { add(agent, std::move(body)); }
    void joins(const std::string& agent, std::uint64_t round, int nodes = 2)
    {
        says(agent, RendezvousStep{.step = RendezvousStep::Step::Completed,
                                   .round = round,
                                   .groupWorldSize = nodes});
    }
    void finishes(const std::string& agent, std::uint64_t round)
    {
        says(agent, RendezvousReport{.step = RendezvousReport::Step::Finished, .round = round});
    }
    void run(RunState state) { lead(RunStateChanged{.state = state}); }
    /// By whoever looks after the lead's end.
    void isLost() { add("closer-x", RunStateChanged{.state = RunState::Lost}); }

    RunStanding standing;

private:
    void add(const std::string& agent, EventBody body)
    {
        standing.happened({.id = {"run", agent, ++m_sequences[agent]},
                           .runSequence = ++m_last,
                           .body = std::move(body)});
    }

    std::map<std::string, std::uint64_t> m_sequences;
    std::uint64_t m_last = 0;
};

JobMember::State stateOf(const Record& record, size_t member)
{
    return record.standing.coordinator().members.at(member).state;
}

} // namespace

class tst_run_standing : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRoundThatAllAreInStands()
    {
        Record record;
        record.joins("1", 3);
        record.joins("2", 3);
        record.run(RunState::Running);
        record.isLost();
        const JobStanding standing = record.standing.coordinator();
        QVERIFY(standing.stands);
        QCOMPARE(standing.round, std::uint64_t{3});
        QVERIFY(stateOf(record, 0) == JobMember::State::InRound);
        QVERIFY(record.standing.resumed().state == RunState::Running);
        QCOMPARE(record.standing.agents().at(1).lastSequence, std::uint64_t{2});
    }

    void hostsThatWereLeftOutStaySo()
    {
        Record record;
        const auto says = [&record](Code code, const char* host, const char* count) {
            record.lead(Notice{.message = {code, {{"host", host}, {"count", count}}, {}}});
        };
        says(code::HostFailuresCounted, "host1", "1");
        says(code::HostFailuresCounted, "host2", "1");
        says(code::HostFailedTooOften, "host2", "2");
        says(code::HostFailuresCounted, "host1", "many"); // of a file that was changed
        record.says("2", RunStateChanged{.state = RunState::Failed,
                                         .reason = {code::HostWorkersFailed, {}, {}}});
        const JobStanding standing = record.standing.coordinator();
        QCOMPARE(standing.hostFailures.at("host1"), 1);
        QCOMPARE(standing.hostFailures.at("host2"), 2);
        QVERIFY(!standing.outcome);
        QCOMPARE(record.standing.agents().size(), size_t{1});
    }

    void oneThatNotAllAreHeardToBeInDoesNot()
    {
        Record record;
        record.joins("1", 0);
        record.run(RunState::Running);
        QVERIFY(!record.standing.coordinator().stands);
        QVERIFY(stateOf(record, 0) == JobMember::State::Leaving);
        QVERIFY(stateOf(record, 1) == JobMember::State::Leaving);
    }

    void oneThatIsBrokenUpDoesNot()
    {
        Record record;
        record.joins("1", 0);
        record.joins("2", 0);
        record.run(RunState::Restarting);
        QVERIFY(!record.standing.coordinator().stands);
        QVERIFY(record.standing.resumed().state == RunState::Restarting);
    }

    void whoHasFinishedStaysSo()
    {
        Record record;
        record.joins("1", 0);
        record.joins("2", 0);
        record.run(RunState::Running);
        record.finishes("2", 0);
        QVERIFY(record.standing.coordinator().stands);
        QVERIFY(stateOf(record, 1) == JobMember::State::Finished);
        record.says("2", RunStateChanged{.state = RunState::Succeeded});
        QVERIFY(stateOf(record, 1) == JobMember::State::Ended);
        QVERIFY(record.standing.coordinator().members.at(1).hasFinished);
    }

    void whoHasFinishedAnEarlierRoundIsntReadyForANewOne()
    {
        Record record;
        record.joins("1", 0);
        record.joins("2", 0);
        record.finishes("1", 0);
        record.says("2", RendezvousReport{.round = 1, .roles = {{"default", 1}}});
        record.joins("2", 1, 1);
        record.run(RunState::Running);
        const JobStanding standing = record.standing.coordinator();
        QVERIFY(standing.stands);
        QVERIFY(stateOf(record, 0) == JobMember::State::Finished);
        QCOMPARE(standing.members.at(0).round, std::optional<std::uint64_t>(0));
    }

    void aRunThatWasAboutToFailIsNotOneThatAUserStops()
    {
        Record record;
        const Message why{code::HostWorkersFailed, {{"host", "host2"}}, {}};
        record.lead(RunStateChanged{.state = RunState::Stopping, .reason = why});
        record.isLost();
        QVERIFY(record.standing.coordinator().outcome->state == RunState::Failed);
        QVERIFY(record.standing.coordinator().outcome->reason == why);
        QVERIFY(record.standing.resumed().state == RunState::Stopping);
        QVERIFY(record.standing.resumed().reason == why);
        record.lead(
            RunStateChanged{.state = RunState::Stopping, .reason = {code::UserStopped, {}, {}}});
        QVERIFY(record.standing.coordinator().outcome->state == RunState::Stopped);
    }

    void theEndOfAnAgentIsThatOfTheJob()
    {
        Record record;
        record.says("1", RunStateChanged{.state = RunState::Succeeded});
        QVERIFY(record.standing.coordinator().outcome->state == RunState::Succeeded);
        Record notNeeded;
        notNeeded.says("1", RunStateChanged{.state = RunState::Stopped,
                                            .reason = {code::RendezvousNotNeeded, {}, {}}});
        QVERIFY(notNeeded.standing.coordinator().outcome->state == RunState::Succeeded);
        Record gaveUp;
        gaveUp.says("1", RunStateChanged{.state = RunState::Failed,
                                         .reason = {code::LeadGone, {{"seconds", "60"}}, {}}});
        QVERIFY(!gaveUp.standing.coordinator().outcome);
        QCOMPARE(gaveUp.standing.agents().size(), size_t{1});
    }

    /// What one agent was told of the job's end has the reason of another's.
    void whoeverWasStoppedWithTheJobSaysSo()
    {
        Record record;
        record.says("1",
                    RunStateChanged{.state = RunState::Failed,
                                    .reason = {code::SignalReceived, {{"signal", "SIGINT"}}, {}}});
        QVERIFY(record.standing.coordinator().outcome->state == RunState::Stopped);
    }

    /// By a lead that this one has not all of.
    void aHostThatSaysItWasLeftOutIs()
    {
        Record record;
        record.says("2", RunStateChanged{.state = RunState::Failed,
                                         .reason = {code::HostFailedTooOften,
                                                    {{"host", "host2"}, {"count", "3"}},
                                                    {}}});
        const JobStanding standing = record.standing.coordinator();
        QVERIFY(!standing.outcome);
        QCOMPARE(standing.members.size(), size_t{1});
        QCOMPARE(standing.hostFailures.at("host2"), 3);
    }

    void attemptsAndWhatTheyCostAreKnownThoughNoAgentBeganThem()
    {
        const auto standing = [](const Record& record) { return record.standing.coordinator(); };
        Record record;
        QCOMPARE(standing(record).attempt, -1);
        QVERIFY(standing(record).isCharged);
        record.lead(GroupRestarting{.attempt = 0, .budgetBefore = 3, .budgetAfter = 3});
        QCOMPARE(standing(record).attempt, 0);
        QVERIFY(!standing(record).isCharged);
        record.lead(GroupRestarting{.attempt = 1, .budgetBefore = 3, .budgetAfter = 2});
        QCOMPARE(standing(record).attempt, 1);
        QVERIFY(standing(record).isCharged);
        record.says("1", AttemptStarted{.attempt = 2});
        QCOMPARE(standing(record).attempt, 2);
        QVERIFY(!standing(record).isCharged);
    }

    /// Slurm has ended it, and may have put the job back into the queue.
    void theEndOfAnAgentMayHaveBeenWhoseThePlacesAre()
    {
        Record record([](const Message& end) { return end.code == code::SignalReceived; });
        record.joins("1", 0);
        record.joins("2", 0);
        record.run(RunState::Running);
        record.says("2",
                    RunStateChanged{.state = RunState::Stopped,
                                    .reason = {code::SignalReceived, {{"signal", "SIGTERM"}}, {}}});
        QVERIFY(!record.standing.coordinator().outcome);
        QCOMPARE(record.standing.agents().size(), size_t{1});
        QVERIFY(!record.standing.coordinator().stands);
    }

    void theNumbersOfRoundsOutliveTheirAgents()
    {
        Record record;
        record.joins("2", 6);
        record.lead(HostChanged{.agent = "2", .host = "host2", .state = HostChanged::State::Gone});
        QCOMPARE(record.standing.coordinator().latest, std::uint64_t{6});
        // Another lead, which nobody has answered.
        record.lead(RendezvousStep{.step = RendezvousStep::Step::Waiting, .round = 8});
        QCOMPARE(record.standing.coordinator().latest, std::uint64_t{8});
    }

    void theLatestAgentOfAHostIsItsAgent()
    {
        Record record;
        record.lead(HostChanged{.agent = "2", .host = "host2", .state = HostChanged::State::Gone});
        record.lead(HostChanged{.agent = "2.2", .host = "host2"});
        QCOMPARE(record.standing.agents().size(), size_t{2});
        QCOMPARE(record.standing.agents().back().agent, std::string("2.2"));
        QCOMPARE(record.standing.starts().at("2"), 2);
        QVERIFY(stateOf(record, 1) == JobMember::State::Expected);
    }
};

QTEST_GUILESS_MAIN(tst_run_standing)
#include "tst_run_standing.moc"
