#include "engine/node/NodeRecording.h"

#include "engine/node/EvidenceRecorder.h"
#include "engine/node/UserRestart.h"

#include <utility>

namespace ringmaster {

Result<std::unique_ptr<NodeRecording>> NodeRecording::open(Setting setting)
{
    std::unique_ptr<NodeRecording> recording(new NodeRecording(std::move(setting)));
    recording->openOperations();
    recording->openEvidence();
    recording->openDevices();
    RM_TRY(recording->openOutput());
    return recording;
}

NodeRecording::NodeRecording(Setting setting) : m_setting(std::move(setting)) {}

NodeRecording::~NodeRecording() = default;

void NodeRecording::stopLooking()
{
    m_evidence.reset();
    m_devices.reset();
}

void NodeRecording::happened(const EventBody& body, const Moment& at)
{
    if (m_operations) {
        m_operations->happened(body);
        tellRestartCause(body);
    }
    if (m_evidence)
        m_evidence->happened(body);
    const auto* worker = std::get_if<WorkerStateChanged>(&body);
    if (m_devices && worker != nullptr && worker->state == WorkerState::Failed)
        m_devices->lookNow();
    if (m_output)
        m_output->happened(body);
    m_times.seen(body, at);
}

/// A led agent sees its own ranks only.
void NodeRecording::tellRestartCause(const EventBody& body)
{
    const auto* restart = std::get_if<GroupRestarting>(&body);
    if (m_setting.options.order || restart == nullptr || !isByUser(*restart))
        return;
    m_operations->settle();
    if (const auto cause = causeOfUsersRestart(*restart, m_setting.record.snapshot()))
        emit(*cause);
}

void NodeRecording::firstCollectiveDone(const FirstCollectiveTimes& first)
{
    m_setting.record.housekeeper().learn();
    const auto told = m_times.firstCollectiveDone(first);
    if (!told)
        return;
    const Moment now = m_clock.now();
    m_setting.record.emit(told->notice, {told->atNs, now.wallNs - (now.monotonicNs - told->atNs)});
}

void NodeRecording::openOperations()
{
    const JobSpec& spec = m_setting.options.spec;
    if (spec.plain || !spec.recordOperations)
        return;
    RunRecorder& record = m_setting.record;
    m_operations = std::make_unique<OperationRecording>(
        m_setting.loop, m_setting.inbox,
        OperationRecording::Setting{
            .run = record.folder().id(),
            .folder = record.folder().path(),
            .spec = spec,
            .isLed = m_setting.options.order.has_value(),
            .tell = [this](const EventBody& body) { emit(body); },
            .firstCollectiveDone =
                [this](const FirstCollectiveTimes& first) { firstCollectiveDone(first); }},
        record.writer(), record.rankActivities());
}

void NodeRecording::openEvidence()
{
    m_evidence = std::make_unique<EvidenceRecorder>(
        EvidenceRecorder::Setting{.loop = m_setting.loop,
                                  .ledgers = m_operations ? &m_operations->ledgers() : nullptr,
                                  .keep = [this](const Evidence& evidence) { emit(evidence); }});
}

void NodeRecording::openDevices()
{
    m_devices = std::make_unique<DeviceSampler>(DeviceSampler::Host{
        .sampled =
            [this](const DeviceSample& sample) {
                m_setting.inbox.leave([this, sample] { emit(sample); });
            },
        .failed =
            [this](const DeviceSampler::Fault& fault) {
                m_setting.inbox.leave([this, fault] { m_setting.deviceFailed(fault); });
            }});
}

Result<void> NodeRecording::openOutput()
{
    const auto lost = [this](int globalRank, const OutputLoss& loss) {
        emit(Notice{.severity = Notice::Severity::Warning,
                    .globalRank = globalRank,
                    .message = loss.error});
    };
    m_output = RM_TRY(OutputRecording::open(m_setting.loop, m_setting.options,
                                            m_setting.record.folder().path(),
                                            m_setting.record.writer(), lost));
    return {};
}

} // namespace ringmaster
