#include "engine/control/OperationTally.h"

#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// Ranks are never further apart than this, unless something was lost.
constexpr size_t MostWaiting = 1U << 16U;

} // namespace

void OperationTally::add(const OperationBatch& batch)
{
    if (batch.attempt < m_attempt)
        return;
    if (batch.attempt > m_attempt) {
        *this = {};
        m_attempt = batch.attempt;
    }
    for (const LedgerGroup& group : batch.groups)
        m_table.described(batch.rank, group);
    for (const Operation& operation : batch.operations) {
        m_table.add(batch.rank, operation);
        add(batch.rank, operation);
    }
    m_operations += batch.operations.size();
    m_lost += batch.lost;
}

void OperationTally::add(int rank, const Operation& operation)
{
    const std::int64_t duration = diagnose::durationOf(operation);
    if (operation.outcome != Operation::Outcome::Done || duration == 0)
        return;
    const diagnose::GroupKey group = m_table.groupOf(rank, operation.group);
    const bool isPair = ledger::isPointToPoint(operation.kind);
    auto& waiting = m_waiting[group];
    const auto [found, isNew] =
        waiting.try_emplace({operation.number, isPair ? operation.peer : -1, isPair ? rank : -1});
    Seen& seen = found->second;
    if (isNew)
        seen = {operation.kind, operation.bytes, 0, duration, 0};
    ++seen.ranks;
    seen.shortestNs = std::min(seen.shortestNs, duration);
    seen.endedNs = std::max(seen.endedNs, operation.endedNs);
    if (isPair || seen.ranks == group.members.size()) {
        settle(seen, group);
        waiting.erase(found);
    } else if (waiting.size() > MostWaiting) {
        settle(waiting.begin()->second, group);
        waiting.erase(waiting.begin());
    }
}

void OperationTally::settle(const Seen& seen, const diagnose::GroupKey& group)
{
    makeRoomFor(seen.endedNs);
    const std::int64_t span = seen.endedNs / m_spanNs;
    OperationSummary::Point& point = m_series[seen.kind][span];
    point.fromNs = span * m_spanNs;
    ++point.count;
    const auto bytes = static_cast<double>(seen.bytes);
    point.bytes += bytes;
    point.busBytes += bytes * ledger::busFactor(seen.kind, static_cast<int>(group.members.size()));
    point.transferNs += seen.shortestNs;
}

void OperationTally::makeRoomFor(std::int64_t endedNs)
{
    m_firstNs = m_firstNs == 0 ? endedNs : std::min(m_firstNs, endedNs);
    m_lastNs = std::max(m_lastNs, endedNs);
    const std::int64_t before = m_spanNs;
    while (m_lastNs / m_spanNs - m_firstNs / m_spanNs >= MostSpans)
        m_spanNs *= 2;
    if (m_spanNs == before)
        return;
    for (auto& [kind, spans] : m_series) {
        Spans wider;
        for (const auto& [span, point] : spans) {
            const std::int64_t at = point.fromNs / m_spanNs;
            OperationSummary::Point& sum = wider[at];
            sum.fromNs = at * m_spanNs;
            sum.count += point.count;
            sum.bytes += point.bytes;
            sum.busBytes += point.busBytes;
            sum.transferNs += point.transferNs;
        }
        spans = std::move(wider);
    }
}

OperationSummary OperationTally::summary() const
{
    OperationSummary summary{.attempt = m_attempt,
                             .operations = m_operations,
                             .lost = m_lost,
                             .damaged = m_damaged,
                             .wallNs = m_table.wallNs(),
                             .spanNs = m_spanNs,
                             .rows = m_table.rows()};
    for (const auto& [kind, spans] : m_series) {
        summary.series.push_back({.kind = kind});
        for (const auto& [span, point] : spans)
            summary.series.back().points.push_back(point);
    }
    return summary;
}

} // namespace ringmaster
