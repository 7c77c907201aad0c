#pragma once

#include "engine/agent/Agent.h"
#include "engine/base/LoopInbox.h"
#include "engine/node/AttemptTimes.h"
#include "engine/node/DeviceSampler.h"
#include "engine/node/NodeOptions.h"
#include "engine/node/OperationRecording.h"
#include "engine/node/OutputRecording.h"
#include "engine/node/RunRecorder.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

class EvidenceRecorder;

/// What one node's part of a run is recorded of: what its workers print and which operations they
/// do, its devices, where ranks stand when something is wrong, and where an attempt's time goes.
/// Each hears of the agent's events before they are recorded, and tells events of its own. Lives on
/// the agent's thread.
class NodeRecording
{
public:
    struct Setting
    {
        EventLoop& loop;
        LoopInbox& inbox;           ///< The loop's: from the threads that read ledgers and devices.
        const NodeOptions& options; ///< Outlive this.
        RunRecorder& record;        ///< Open.
        std::function<void(const DeviceSampler::Fault&)> deviceFailed{};
    };

    static Result<std::unique_ptr<NodeRecording>> open(Setting setting);
    ~NodeRecording();
    NodeRecording(const NodeRecording&) = delete;
    NodeRecording& operator=(const NodeRecording&) = delete;

    void happened(const EventBody& body, const Moment& at);
    /// No rank is asked, and no device read, any more. Before the agent is destroyed.
    void stopLooking();

    /// Null: operations aren't recorded.
    const OperationRecording* operations() const { return m_operations.get(); }
    OutputHub& output() { return m_output->hub(); }
    EvidenceRecorder& evidence() { return *m_evidence; }
    DeviceSampler& devices() { return *m_devices; }

private:
    explicit NodeRecording(Setting setting);

    void openOperations();
    void openEvidence();
    void openDevices();
    Result<void> openOutput();
    void emit(const EventBody& body) { m_setting.record.emit(body); }
    void tellRestartCause(const EventBody& body);
    void firstCollectiveDone(const FirstCollectiveTimes& first);

    Setting m_setting;
    SystemClock m_clock;
    AttemptTimes m_times;
    std::unique_ptr<OutputRecording> m_output;
    std::unique_ptr<OperationRecording> m_operations;
    std::unique_ptr<EvidenceRecorder> m_evidence;
    std::unique_ptr<DeviceSampler> m_devices;
};

} // namespace ringmaster
