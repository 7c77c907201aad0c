#include "engine/ledger/OperationDecoder.h"

#include <cstring>
#include <utility>

namespace ringmaster {

namespace {

/// Ends that were lost would leave their operations running for ever.
constexpr size_t MostRunning = 65'536;

std::string nameIn(const ledger::Record& record)
{
    return {record.name, ::strnlen(record.name, sizeof record.name)};
}

Operation operationOf(const ledger::Record& record)
{
    return {.id = record.operation,
            .kind = record.kind,
            .type = record.type,
            .reduction = record.reduction,
            .algorithm = record.algorithm,
            .caller = record.caller,
            .backend = record.backend,
            .group = record.group,
            .peer = record.peer,
            .tag = record.tag,
            .number = record.number,
            .bytes = record.bytes,
            .elements = record.elements,
            .site = record.site,
            .enqueuedNs = record.enqueuedNs,
            .startedNs = record.startedNs,
            .endedNs = record.endedNs,
            .name = record.kind == ledger::OperationKind::Other ? nameIn(record) : std::string()};
}

} // namespace

std::optional<Operation> OperationDecoder::take(const ledger::Record& record)
{
    switch (record.record) {
    case ledger::RecordKind::None: return std::nullopt;
    case ledger::RecordKind::Open:
        m_running[record.operation] = operationOf(record);
        m_device.called(record);
        if (m_running.size() > MostRunning)
            m_running.erase(m_running.begin());
        return std::nullopt;
    case ledger::RecordKind::Attached:
        for (auto& [id, operation] : m_running) {
            operation.outcome = Operation::Outcome::Abandoned;
            m_abandoned.push_back(std::move(operation));
        }
        m_running.clear();
        m_last.reset();
        m_device = {};
        m_writer = {static_cast<int>(record.operation), record.recorder, nameIn(record)};
        return std::nullopt;
    case ledger::RecordKind::DeviceBegun: m_device.launched(record); return std::nullopt;
    case ledger::RecordKind::DeviceEnded: return deviceEnded(record);
    case ledger::RecordKind::Done:
    case ledger::RecordKind::Failed: break;
    }
    const bool isDone = record.record == ledger::RecordKind::Done;
    const auto running = m_running.find(record.operation);
    if (m_device.returned(record.operation) && isDone && record.endedNs == 0 &&
        running != m_running.end()) {
        running->second.caller = ledger::Caller::GoesOn;
        return std::nullopt;
    }
    m_running.erase(record.operation);
    Operation operation = operationOf(record);
    operation.outcome = isDone ? Operation::Outcome::Done : Operation::Outcome::Failed;
    m_device.complete(operation);
    return m_last = std::move(operation);
}

std::optional<Operation> OperationDecoder::deviceEnded(const ledger::Record& record)
{
    const auto id = m_device.ended(record);
    auto running = id ? m_running.extract(*id) : decltype(m_running)::node_type();
    if (!running)
        return std::nullopt;
    running.mapped().outcome = Operation::Outcome::Done;
    m_device.complete(running.mapped());
    return m_last = std::move(running.mapped());
}

std::vector<Operation> OperationDecoder::takeAbandoned()
{
    return std::exchange(m_abandoned, {});
}

} // namespace ringmaster
