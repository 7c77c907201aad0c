#include "engine/agent/Codes.h"
#include "engine/node/NodeRecording.h"
#include "tests/node/OpenRecord.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// What a node records, beside an open record and without an agent.
struct Trial
{
    explicit Trial(NodeOptions asked = {}) : open(nobody), options(std::move(asked))
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

} // namespace

class tst_node_recording : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operationsAreRecordedUnlessTheJobDoesntWantIt()
    {
        QVERIFY(Trial().recording->operations() != nullptr);
        JobSpec spec;
        spec.recordOperations = false;
        QVERIFY(Trial({.spec = spec}).recording->operations() == nullptr);
        spec = {};
        spec.plain = true;
        QVERIFY(Trial({.spec = spec}).recording->operations() == nullptr);
    }

    void theWorkersOutputIsKeptInTheRunsFolder()
    {
        Trial trial;
        std::filesystem::path folder;
        trial.recording->output().openAttempt(
            {.workers = {{.localRank = 0, .globalRank = 0, .role = "default"}}},
            [&folder](const Result<AttemptOutput>& opened) { folder = opened.value().folder; });
        trial.runUntil([&] { return !folder.empty(); });
        QVERIFY(folder.string().starts_with(trial.open.record.folder().path().string()));
    }

    void devicesAreSampledForWhoLooks()
    {
        Trial trial;
        trial.recording->devices().setOn(true);
        trial.runUntil([&] { return !trial.open.all<DeviceSample>().empty(); });
        QVERIFY(!trial.open.all<DeviceSample>().empty());
        trial.recording->stopLooking();
    }

    /// It hears of the restart before that is recorded.
    void whatAUserRestartedForComesBeforeTheRestart()
    {
        Trial trial;
        restart(trial.open.record);
        const auto causes = trial.open.all<FirstCause>();
        QCOMPARE(causes.size(), size_t{1});
        QCOMPARE(causes.front().globalRank, 2);
        QVERIFY(std::holds_alternative<GroupRestarting>(trial.open.events.back().body));
    }

    /// Its lead sees the ranks of all hosts.
    void anAgentOfSeveralHostsNamesNoCause()
    {
        Trial trial({.order = AgentLaunchRequest{}});
        restart(trial.open.record);
        QVERIFY(trial.open.all<FirstCause>().empty());
    }
};

QTEST_GUILESS_MAIN(tst_node_recording)
#include "tst_node_recording.moc"
