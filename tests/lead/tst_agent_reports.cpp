#include "engine/lead/AgentReports.h"
#include "engine/lead/Codes.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/node/Codes.h"
#include "engine/record/PrivateRecord.h"
#include "tests/node/OpenRecord.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

using namespace ringmaster;

namespace {

const Message EndedEarly{code::HostEndedEarly, {{"host", "a"}}, {}};

using State = HostChanged::State;

struct NobodyAsks : ControlServer::Host
{
    Result<void> execute(const Command&) override { return {}; }
    void watched(bool) override {}
};

struct FakePlaces : NodeProvider
{
    Result<void> prepare(JobSpec&) override { return {}; }
    void start(const JobSpec&, const std::filesystem::path&, Owner&) override {}
    void resume(const JobSpec&, const std::filesystem::path&, Owner&) override {}
    HostLink::Options wayTo(const Host&) const override { return {}; }
    bool look() override
    {
        ++looks;
        return false;
    }

    int looks = 0;
};

struct FixedClock : Clock
{
    Moment now() const override { return {.monotonicNs = ns, .wallNs = ns}; }

    std::int64_t ns = 100 * Second;
};

/// Remembers what the coordinator wants of its agents.
struct FakeAgents : ElasticCoordinator::Host
{
    void beginRound(const std::string& agent, const BeginRound&) override
    {
        begun.push_back(agent);
    }
    void leaveRound(const std::string&, const LeaveRound&) override {}
    void spare(const std::string&, bool) override {}
    void closeRendezvous(const std::string& agent, const CloseRendezvous& close) override
    {
        closed[agent] = close;
    }
    void stateChanged(RunState, const Message&) override {}
    void restarting(const GroupRestarting&) override {}
    std::optional<FirstCause> firstCause(int) override { return std::nullopt; }
    void over(RunState, const Message&) override {}

    std::vector<std::string> begun;
    std::map<std::string, CloseRendezvous> closed;
};

/// A lead of one agent, which is on host "a" and says what the test has it say.
struct Trial : LogGatherer::Sink
{
    explicit Trial(NodeRange nodes = {.min = 1, .max = 1})
        : open(nobody)
        , operations(open.record.writer(), open.record.rankActivities(),
                     [this](const EventBody& body) { open.record.emit(body); })
        , coordinator(
              {.nodes = nodes, .leaveHostOutAfter = 2, .joinTimeout = std::chrono::hours(100'000)},
              agents)
        , reports({.record = open.record,
                   .operations = operations,
                   .ends = ends,
                   .coordinator = coordinator,
                   .provider = places,
                   .clock = clock,
                   .recorded = [this](const EventBody& body) { recorded.push_back(body); },
                   .gone = [this](HostAgent&, const Message& why) { gone.push_back(why.code); },
                   .ended =
                       [this](const HostAgent& host, const RunStateChanged& state) {
                           ended[host.agent()] = state.state;
                       }})
        , agent(open.loop, queue, *this, operations, reports,
                {.order = {.run = "run", .agent = "1", .host = "a"}})
    {
        coordinator.expected("1", "a", 0);
    }

    HostAgent::Lead& lead() { return reports; }
    void says(EventBody body)
    {
        lead().happened(agent, {.id = {.run = "run", .agent = "1", .sequence = ++sequence},
                                .at = {.monotonicNs = Second, .wallNs = Second},
                                .node = "a",
                                .body = std::move(body)});
    }
    void offers(std::uint64_t round = 0)
    {
        says(RendezvousReport{.step = RendezvousReport::Step::Offers,
                              .round = round,
                              .roles = {{"default", 1}},
                              .address = "10.0.0.1",
                              .port = 4000});
    }
    /// So many operations, the last of which ended so.
    void did(int rank, std::uint64_t count, Operation::Outcome last)
    {
        OperationBatch batch{.rank = rank,
                             .groups = {{.group = 0, .name = "0", .members = {0, 1}}}};
        for (std::uint64_t number = 1; number <= count; ++number) {
            const std::int64_t at = 80 * Second + static_cast<std::int64_t>(number) * Second;
            batch.operations.push_back(
                {.id = number,
                 .kind = ledger::OperationKind::AllReduce,
                 .type = ledger::DataType::Float32,
                 .outcome = number == count ? last : Operation::Outcome::Done,
                 .number = number,
                 .bytes = 4,
                 .elements = 1,
                 .enqueuedNs = at,
                 .endedNs = at + Second / 10});
        }
        operations.operationsCame(
            "1",
            {.globalRank = rank, .count = batch.operations.size(), .block = packOperations(batch)});
    }
    std::vector<State> states() const
    {
        std::vector<State> found;
        for (const HostChanged& change : open.all<HostChanged>())
            found.push_back(change.state);
        return found;
    }

    void logged(const LogChunk&) override {}
    void logLost(std::uint64_t) override {}

    NobodyAsks nobody;
    test::OpenRecord open;
    GatheredOperations operations;
    GatheredEnds ends;
    FakeAgents agents;
    ElasticCoordinator coordinator;
    FakePlaces places;
    FixedClock clock;
    std::uint64_t sequence = 0;
    std::vector<EventBody> recorded;
    std::vector<Code> gone;
    std::map<std::string, RunState> ended;
    RpcQueue queue;
    AgentReports reports;
    HostAgent agent;
};

} // namespace

class tst_agent_reports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAnAgentSaysIsRecordedAsItsOwn()
    {
        Trial trial;
        QVERIFY(trial.open.isOpen);
        trial.says(Notice{.message = EndedEarly});
        QCOMPARE(trial.open.events.size(), size_t{1});
        const Event& event = trial.open.events.front();
        QCOMPARE(event.id.agent, std::string("1"));
        QCOMPARE(event.node, std::string("a"));
        QCOMPARE(event.runSequence, std::uint64_t{1});
        QCOMPARE(trial.recorded.size(), size_t{1});
    }

    void anOfferLeadsToARoundAndItsEndToTheJobs()
    {
        Trial trial;
        trial.offers();
        QCOMPARE(trial.agents.begun, std::vector<std::string>{"1"});
        trial.says(RunStateChanged{.state = RunState::Running});
        QVERIFY(trial.coordinator.state() == RunState::Running);
        trial.says(RendezvousReport{.step = RendezvousReport::Step::Finished, .round = 0});
        QVERIFY(trial.agents.closed.at("1").hasSucceeded);
    }

    void theEndsOfWorkersAreComparedByTheLeadsClock()
    {
        Trial trial;
        trial.lead().measured(trial.agent,
                              {.agent = "1", .monotonicOffsetNs = Second, .wallOffsetNs = Second});
        QVERIFY(std::holds_alternative<ClockMeasured>(trial.open.events.front().body));
        trial.says(WorkerExited{.attempt = 0, .globalRank = 3, .status = {.code = 1}});
        const std::vector<Failure> failures = trial.ends.of(0);
        QCOMPARE(failures.size(), size_t{1});
        QCOMPARE(failures.front().exit.globalRank, 3);
        QCOMPARE(failures.front().at.monotonicNs, std::int64_t{0});
    }

    void anErrorOfAGpuThatAnAgentTellsLaterExplainsTheEnd()
    {
        Trial trial;
        const Message fault{code::GpuXid, {{"gpu", "0"}, {"xid", "79"}}, {}};
        AttemptStarted attempt{.worldSize = 1};
        attempt.workers = {{.globalRank = 0}};
        trial.says(attempt);
        trial.says(WorkerExited{.attempt = 0, .globalRank = 0, .status = {.code = 1}});
        QVERIFY(!(trial.ends.firstCause(0)->cause == fault));
        trial.says(Notice{.severity = Notice::Severity::Error, .globalRank = 0, .message = fault});
        QVERIFY(trial.ends.firstCause(0)->cause == fault);
    }

    /// Who looks at the next one would take it for said of that.
    void whatIsSaidOfAnAttemptComesBeforeTheNextOne()
    {
        Trial trial;
        AttemptStarted attempt{.worldSize = 2};
        attempt.workers = {{.globalRank = 0}, {.globalRank = 1}};
        trial.says(attempt);
        trial.did(0, 2, Operation::Outcome::Failed);
        trial.did(1, 1, Operation::Outcome::Done);
        trial.says(WorkerExited{.globalRank = 1});
        trial.says(WorkerExited{.globalRank = 0, .status = {.code = 1}});
        QVERIFY(trial.open.all<Verdict>().empty());
        trial.clock.ns += 2 * Second;
        attempt.attempt = 1;
        trial.says(attempt);
        QCOMPARE(trial.open.all<Verdict>().size(), size_t{1});
        QVERIFY(std::holds_alternative<AttemptStarted>(trial.open.events.back().body));
        QVERIFY(trial.open.record.snapshot().verdicts.empty());
    }

    void anAgentThatEndsSaysHow()
    {
        Trial trial;
        trial.offers();
        trial.says(RunStateChanged{.state = RunState::Failed, .reason = EndedEarly});
        QVERIFY(trial.ended.at("1") == RunState::Failed);
        QVERIFY(trial.gone.empty());
    }

    void oneThatHasGivenUpItsLeadIsGone()
    {
        Trial trial;
        trial.offers();
        const RunStateChanged gaveUp{.state = RunState::Failed, .reason = {code::LeadGone, {}, {}}};
        trial.says(gaveUp);
        QCOMPARE(trial.gone, std::vector<Code>{code::HostAgentGaveUp});
        QVERIFY(trial.ended.empty());
        // Once the job ends, that was its part of it.
        trial.coordinator.stopping(EndedEarly);
        trial.says(gaveUp);
        QVERIFY(trial.ended.contains("1"));
    }

    void aBrokenConnectionIsTheCoordinatorsAndTheProvidersBusiness()
    {
        Trial trial;
        trial.offers();
        trial.lead().changed(trial.agent, State::Reconnecting, EndedEarly);
        QCOMPARE(trial.places.looks, 1);
        trial.agents.begun.clear();
        trial.lead().changed(trial.agent, State::Connected, {});
        QCOMPARE(trial.agents.begun, std::vector<std::string>{"1"}); // told again what holds
        trial.lead().changed(trial.agent, State::Gone, EndedEarly);
        QCOMPARE(trial.gone, std::vector<Code>{EndedEarly.code});
        QCOMPARE(trial.states(),
                 (std::vector<State>{State::Reconnecting, State::Connected, State::Gone}));
    }

    void oneThatStandsByIsNotShownAsConnected()
    {
        Trial trial;
        trial.coordinator.expected("2", "b", 0);
        trial.coordinator.offered("2", {.roles = {{"default", 1}}}, 0);
        trial.coordinator.look(100 * Second);
        QCOMPARE(trial.agents.begun, std::vector<std::string>{"2"});
        trial.offers();
        QVERIFY(trial.coordinator.isSpare("1"));
        trial.lead().changed(trial.agent, State::Connected, {});
        QVERIFY(trial.states().empty());
    }

    void aHostThatIsLeftOutIsShownWithTheReason()
    {
        Trial trial;
        trial.coordinator.ended("1", RunState::Failed, {code::HostFailedTooOften, {}, {}}, 0);
        QVERIFY(trial.coordinator.isLeftOut("a"));
        trial.lead().changed(trial.agent, State::Finished, {});
        QVERIFY(trial.open.all<HostChanged>().back().reason == trial.coordinator.whyLeftOut("a"));
    }

    void secretsOfTheHostsAreKeptForTheScrubbing()
    {
        Trial trial;
        trial.lead().inherited(trial.agent, {.names = {"HF_TOKEN"}});
        const PrivateRecord kept(trial.open.record.folder().path());
        QCOMPARE(kept.inherited().names, std::vector<std::string>{"HF_TOKEN"});
    }
};

QTEST_GUILESS_MAIN(tst_agent_reports)
#include "tst_agent_reports.moc"
