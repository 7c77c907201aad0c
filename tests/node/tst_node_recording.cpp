#include "engine/agent/Codes.h"
#include "engine/ledger/LedgerWriter.h"
#include "engine/node/NodeRecording.h"
#include "tests/node/OpenRecord.h"

#include <QtTest>

#include <algorithm>

#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;
using ledger::LedgerWriter;

namespace {

/// What a node records, beside an open record and without an agent.
struct RecordingTrial
{
    explicit RecordingTrial(NodeOptions asked = {}) : open(nobody), options(std::move(asked))
    {
        recording = NodeRecording::open({.loop = open.loop,
                                         .inbox = inbox,
                                         .options = options,
                                         .record = open.record,
                                         .deviceFailed = [](const DeviceSampler::Fault&) {}})
                        .value();
        open.record.observe(
            [this](const EventBody& body, const Moment& at) { recording->happened(body, at); });
    }

    /// As long as nothing has come yet, but not for ever.
    void runUntil(const std::function<bool()>& hasCome)
    {
        const auto limit = open.loop.callAfter(20s, [this] { open.loop.stop(); });
        std::function<void()> look = [&] {
            if (hasCome())
                return open.loop.stop();
            again = open.loop.callAfter(5ms, look);
        };
        look();
        open.loop.run();
    }

    test::NobodyAsks nobody;
    test::OpenRecord open;
    LoopInbox inbox{open.loop};
    NodeOptions options;
    EventLoop::Registration again;
    std::unique_ptr<NodeRecording> recording;
};

/// A user restarts a group whose ranks wait for rank 2.
void restart(RunRecorder& record)
{
    record.emit(AttemptStarted{.attempt = 0, .worldSize = 4});
    record.emit(Verdict{.id = 1, .attempt = 0, .kind = Verdict::Kind::Hang, .guilty = {2}});
    record.emit(GroupRestarting{.attempt = 0, .cause = {code::UserRestarted, {}, {}}});
}

/// An attempt begins; its ranks' ledgers are written here.
std::vector<std::unique_ptr<LedgerWriter>> startRanks(RecordingTrial& trial, int count)
{
    AttemptStarted attempt{.worldSize = count};
    for (int rank = 0; rank < count; ++rank)
        attempt.workers.push_back({.localRank = rank, .globalRank = rank});
    trial.open.record.emit(attempt);
    std::vector<std::unique_ptr<LedgerWriter>> writers;
    for (int rank = 0; rank < count; ++rank) {
        const auto parts = trial.recording->operations()->hookParts(rank);
        const std::string value =
            std::ranges::find(parts, std::string("ledger"), &HookPart::name)->value;
        const std::string path = value.substr(0, value.find(','));
        writers.push_back(LedgerWriter::attach(path.c_str(), ledger::Recorder::Compiled).writer);
    }
    return writers;
}

/// Of the group that ranks 0 and 1 are.
ledger::Call firstCall(LedgerWriter& writer)
{
    return {.kind = ledger::OperationKind::AllReduce,
            .caller = ledger::Caller::Waits,
            .backend = ledger::Backend::Gloo,
            .group = writer.addGroup("0", {0, 1}),
            .number = 1};
}

/// Its process has ended, which nothing has explained yet.
void leave(RecordingTrial& trial, int rank, WorkerState state = WorkerState::Succeeded)
{
    trial.open.record.emit(WorkerStateChanged{
        .globalRank = rank, .localRank = rank, .pid = ::getpid(), .state = state});
}

/// All that was to be said of its ranks is said before.
void endRun(RecordingTrial& trial)
{
    trial.open.record.emit(RunStateChanged{.state = RunState::Stopped});
}

} // namespace

class tst_node_recording : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operationsAreRecordedUnlessTheJobDoesntWantIt()
    {
        QVERIFY(RecordingTrial().recording->operations() != nullptr);
        JobSpec spec;
        spec.recordOperations = false;
        QVERIFY(RecordingTrial({.spec = spec}).recording->operations() == nullptr);
        spec = {};
        spec.plain = true;
        QVERIFY(RecordingTrial({.spec = spec}).recording->operations() == nullptr);
    }

    void theWorkersOutputIsKeptInTheRunsFolder()
    {
        RecordingTrial trial;
        std::filesystem::path folder;
        trial.recording->output().openAttempt(
            {.workers = {{.localRank = 0, .globalRank = 0, .role = "default"}}},
            [&folder](const Result<AttemptOutput>& opened) { folder = opened.value().folder; });
        trial.runUntil([&] { return !folder.empty(); });
        QVERIFY(folder.string().starts_with(trial.open.record.folder().path().string()));
    }

    void devicesAreSampledForWhoLooks()
    {
        RecordingTrial trial;
        trial.recording->devices().setOn(true);
        trial.runUntil([&] { return !trial.open.all<DeviceSample>().empty(); });
        QVERIFY(!trial.open.all<DeviceSample>().empty());
        trial.recording->stopLooking();
    }

    /// It hears of the restart before that is recorded.
    void whatAUserRestartedForComesBeforeTheRestart()
    {
        RecordingTrial trial;
        restart(trial.open.record);
        const auto causes = trial.open.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{1});
        QCOMPARE(causes.front().globalRank, 2);
        QVERIFY(std::holds_alternative<GroupRestarting>(trial.open.events.back().body));
    }

    /// Whoever is signalled leaves the place that it was in.
    void placesAreToldBeforeTheRanksAreSignalled()
    {
        for (const RunState state : {RunState::Stopping, RunState::Restarting}) {
            RecordingTrial trial;
            const auto writers = startRanks(trial, 1);
            trial.open.record.emit(RunStateChanged{.state = state});
            endRun(trial);
            QCOMPARE(trial.open.all<LastOperation>().size(), size_t{1});
        }
    }

    /// Who waits for it is about to hear of that.
    void anEndThatWasSeenJustNowIsNoHangWhenTheOthersAreStopped()
    {
        RecordingTrial trial;
        const auto writers = startRanks(trial, 2);
        (void)writers[0]->begin(firstCall(*writers[0]), ledger::monotonicNs() - 10'000'000'000);
        trial.runUntil([&] { return !trial.open.all<Verdict>().empty(); });
        leave(trial, 1);
        trial.open.record.emit(RunStateChanged{.state = RunState::Stopping});
        endRun(trial);
        const auto verdicts = trial.open.all<Verdict>();
        QVERIFY(verdicts.size() > 1);
        QCOMPARE(std::string(codeName(verdicts.back().statement.code)), std::string("RanksWait"));
    }

    /// What explains its end comes later, with what it printed last.
    void whoHasLeftIsKnownBeforeItsEndIsExplained_data()
    {
        QTest::addColumn<bool>("hasGroupFailed");
        QTest::newRow("another may still run") << false;
        // What explains the failure comes then when the group is being stopped.
        QTest::newRow("the last has failed") << true;
    }

    void whoHasLeftIsKnownBeforeItsEndIsExplained()
    {
        QFETCH(bool, hasGroupFailed);
        RecordingTrial trial;
        const auto writers = startRanks(trial, 2);
        const ledger::Call call = firstCall(*writers[0]);
        const std::int64_t now = ledger::monotonicNs();
        writers[0]->end(writers[0]->begin(call, now), call, now, now, now + 1000, true);
        leave(trial, 1);
        leave(trial, 0, WorkerState::Failed);
        if (hasGroupFailed)
            trial.open.record.emit(RunStateChanged{.state = RunState::Stopping});
        trial.open.record.emit(WorkerExited{.status = {.code = 1}});
        endRun(trial);
        const auto verdicts = trial.open.all<Verdict>();
        QCOMPARE(verdicts.size(), size_t{1});
        QCOMPARE(verdicts[0].guilty, std::vector<int>{1});
        QCOMPARE(std::string(codeName(verdicts[0].statement.code)), std::string("RanksLeftBefore"));
    }

    /// By what is shown its lead judges how they ended.
    void aLedAgentShowsItsRanksOnceMoreAtTheirEnd()
    {
        for (const EventBody& end : {EventBody(WorkerExited{.status = {.code = 1}}),
                                     EventBody(RunStateChanged{.state = RunState::Stopping})}) {
            RecordingTrial trial({.order = AgentLaunchRequest{}});
            const auto writers = startRanks(trial, 2);
            const ledger::Call call = firstCall(*writers[0]);
            const std::int64_t now = ledger::monotonicNs();
            const std::uint64_t operation = writers[0]->begin(call, now);
            RankActivityCache& shown = trial.open.record.rankActivities();
            trial.runUntil([&] { return !shown.read({}).empty(); });
            writers[0]->end(operation, call, now, now, now + 1000, true);
            trial.open.record.emit(end);
            endRun(trial);
            const std::vector<RankActivity> ranks = shown.read({});
            QCOMPARE(ranks.size(), size_t{2});
            QVERIFY(!ranks[0].now.operations.empty());
            QVERIFY(ranks[0].now.operations[0].outcome == Operation::Outcome::Failed);
        }
    }

    /// Its lead sees the ranks of all hosts.
    void anAgentOfSeveralHostsNamesNoCause()
    {
        RecordingTrial trial({.order = AgentLaunchRequest{}});
        restart(trial.open.record);
        QVERIFY(trial.open.all<FirstCause>().empty());
    }
};

QTEST_GUILESS_MAIN(tst_node_recording)
#include "tst_node_recording.moc"
