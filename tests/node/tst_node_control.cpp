#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/control/Codes.h"
#include "engine/node/Codes.h"
#include "engine/node/DeviceSampler.h"
#include "engine/node/DrillDriver.h"
#include "engine/node/EvidenceRecorder.h"
#include "engine/node/LeadConnection.h"
#include "engine/node/NodeControl.h"
#include "tests/agent/FakeNode.h"
#include "tests/node/OpenRecord.h"

#include <QtTest>

#include <atomic>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

struct FakeLeadHost : LeadConnection::Host
{
    void tell(const EventBody&) override {}
    void leadGone(const Error&) override {}
};

JobSpec oneWorker()
{
    JobSpec spec;
    spec.roles.front().program = "train.py";
    return spec;
}

/// A node whose processes and rendezvous are faked, and who is connected to it.
struct ControlTrial
{
    enum class Has { Drills, Lead };

    explicit ControlTrial(Has has) : node(oneWorker(), {1}), open(nobody)
    {
        NodeControl::Parts parts{
            .record = open.record, .agent = node.agent(), .evidence = evidence, .devices = devices};
        if (has == Has::Drills)
            parts.drills = &drills.emplace(
                open.loop,
                DrillDriver::Host{
                    .run = [this]() -> const RunSnapshot& { return open.record.snapshot(); },
                    .disturb = [](const BeginDrill&) { return Result<void>(); },
                    .tell = [](const Notice&) {},
                    .failed = [](const Error&) {}},
                open.record.folder(), oneWorker(), std::nullopt);
        else
            parts.lead = &lead.emplace(
                open.loop, AgentLaunchRequest{.run = "run", .host = "a", .generation = 5},
                CoordinatedRendezvous::Options{}, leadHost);
        control = std::make_unique<NodeControl>(parts);
        node.agent().start();
    }

    ControlServer::Host& host() { return *control; }

    test::FakeNode node;
    test::NobodyAsks nobody;
    test::OpenRecord open;
    EvidenceRecorder evidence{{.loop = open.loop}};
    std::atomic<int> samples = 0; ///< Of devices; on a thread of theirs.
    DeviceSampler devices{{.sampled = [this](const DeviceSample&) { ++samples; },
                           .failed = [](const DeviceSampler::Fault&) {}},
                          RINGMASTER_FAKE_NVML};
    FakeLeadHost leadHost;
    std::optional<DrillDriver> drills;
    std::optional<LeadConnection> lead;
    std::unique_ptr<NodeControl> control;
};

} // namespace

class tst_node_control : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void commandsAreTheAgents()
    {
        ControlTrial trial(ControlTrial::Has::Drills);
        QVERIFY(trial.open.isOpen);
        QVERIFY(trial.node.untilHealthy());
        QVERIFY(trial.host().execute(StopRun{}));
        QVERIFY(trial.node.untilEnd());
        QVERIFY(trial.node.record.end == RunState::Stopped);
        QCOMPARE(trial.host().execute(StopRun{}).error().code, code::RunNotRunning);
    }

    void aLeadsCommandsAreNotTheAgents()
    {
        ControlTrial trial(ControlTrial::Has::Lead);
        QVERIFY(trial.node.untilHealthy());
        // Its rendezvous isn't made; the agent would have refused it.
        QVERIFY(trial.host().execute(LeaveRound{.round = 0}));
        QVERIFY(trial.node.agent().group() == WorkerState::Healthy);
    }

    void drillsAreTheDriversUnlessALeadHasThem()
    {
        const BeginDrill drill{.kind = BeginDrill::Kind::Kill, .globalRank = 0, .by = "me"};
        ControlTrial alone(ControlTrial::Has::Drills);
        QVERIFY(alone.node.untilHealthy());
        // The run's own record knows of no worker: the driver aims by that.
        QVERIFY(!alone.host().execute(drill));
        QVERIFY(alone.node.processes->signals.empty());
        ControlTrial led(ControlTrial::Has::Lead);
        QVERIFY(led.node.untilHealthy());
        QVERIFY(led.host().execute(drill));
        QCOMPARE(led.node.processes->signals.size(), size_t{1});
    }

    void onlyANodeThatHasALeadIsHeldByOne()
    {
        ControlTrial alone(ControlTrial::Has::Drills);
        QVERIFY(!alone.host().heartbeat({.generation = 5}));
        ControlTrial led(ControlTrial::Has::Lead);
        QVERIFY(led.host().heartbeat({.generation = 5})->at.monotonicNs > 0);
    }

    void aNewerLeadIsWrittenDownAndAnOlderOneRefused()
    {
        ControlTrial trial(ControlTrial::Has::Lead);
        QVERIFY(trial.host().obeys(5));
        QVERIFY(trial.host().heartbeat({.generation = 7}));
        QCOMPARE(trial.open.record.folder().agent()->generation, std::uint64_t{7});
        QCOMPARE(trial.host().obeys(5).error().code, code::LeadReplaced);
        QCOMPARE(trial.host().heartbeat({.generation = 5}).error().code, code::LeadReplaced);
    }

    void stacksAreTakenOfARunThatRuns()
    {
        ControlTrial trial(ControlTrial::Has::Drills);
        std::optional<Result<KeptEvidence>> answer;
        trial.host().takeStacks([&](Result<KeptEvidence> taken) { answer = std::move(taken); });
        QVERIFY(test::runUntil(trial.open.loop, 20s, [&] { return answer.has_value(); }));
        QVERIFY(answer->has_value());
        trial.open.record.emit(RunStateChanged{.state = RunState::Succeeded});
        trial.host().takeStacks([&](Result<KeptEvidence> taken) { answer = std::move(taken); });
        QCOMPARE(answer->error().code, code::RunNotRunning);
    }

    void devicesAreSampledWhileSomebodyWatches()
    {
        ControlTrial trial(ControlTrial::Has::Drills);
        trial.host().watched(true);
        QTRY_VERIFY(trial.samples > 0);
    }

    void metricsAreServedWhoeverWatches()
    {
        ControlTrial trial(ControlTrial::Has::Drills);
        trial.control->serveMetrics(0);
        QCOMPARE(trial.open.all<Notice>().back().message.code, code::MetricsAt);
        trial.host().watched(false);
        const int before = trial.samples;
        QTRY_VERIFY(trial.samples > before + 1);
    }
};

QTEST_GUILESS_MAIN(tst_node_control)
#include "tst_node_control.moc"
