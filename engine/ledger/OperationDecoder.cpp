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
            .returnedNs = record.returnedNs,
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
        giveUpReturns(INT64_MAX);
        for (auto& [id, operation] : m_running) {
            operation.outcome = Operation::Outcome::Abandoned;
            m_told.push_back(std::move(operation));
        }
        m_running.clear();
        m_last.reset();
        m_device = {};
        m_writer = {static_cast<int>(record.operation), record.recorder, nameIn(record)};
        return std::nullopt;
    case ledger::RecordKind::DeviceBegun: m_device.launched(record); return std::nullopt;
    case ledger::RecordKind::DeviceEnded: return deviceEnded(record);
    case ledger::RecordKind::Returned: returned(record); return std::nullopt;
    case ledger::RecordKind::Done:
    case ledger::RecordKind::Failed: return ended(record);
    }
    return std::nullopt;
}

std::optional<Operation> OperationDecoder::ended(const ledger::Record& record)
{
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
    return over(std::move(operation), record.isAwaited != 0);
}

Operation OperationDecoder::over(Operation operation, bool isAwaited)
{
    if (isAwaited) {
        m_returning[operation.id] = operation;
        if (m_returning.size() > MostRunning)
            m_told.push_back(std::move(m_returning.extract(m_returning.begin()).mapped()));
    } else {
        m_told.push_back(operation);
    }
    m_last = operation;
    return operation;
}

void OperationDecoder::returned(const ledger::Record& record)
{
    auto ended = m_returning.extract(record.operation);
    if (!ended)
        return;
    ended.mapped().returnedNs = record.returnedNs;
    m_told.push_back(std::move(ended.mapped()));
}

void OperationDecoder::giveUpReturns(std::int64_t beforeNs)
{
    std::erase_if(m_returning, [&](auto& ended) {
        if (ended.second.endedNs >= beforeNs)
            return false;
        m_told.push_back(std::move(ended.second));
        return true;
    });
}

std::optional<Operation> OperationDecoder::deviceEnded(const ledger::Record& record)
{
    const auto id = m_device.ended(record);
    auto running = id ? m_running.extract(*id) : decltype(m_running)::node_type();
    if (!running)
        return std::nullopt;
    running.mapped().outcome = Operation::Outcome::Done;
    m_device.complete(running.mapped());
    return over(std::move(running.mapped()), false);
}

std::vector<Operation> OperationDecoder::takeTold()
{
    return std::exchange(m_told, {});
}

} // namespace ringmaster
