#include "engine/diagnose/Bandwidth.h"

#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <bit>

namespace ringmaster::diagnose {

namespace {

/// Ranks are never further apart than this, unless something was lost.
constexpr size_t MostWaiting = 1U << 16U;

/// The time from an operation's start, where it is known, else from its call; 0: unknown.
std::int64_t durationOf(const Operation& operation)
{
    const std::int64_t from = operation.startedNs != 0 ? operation.startedNs : operation.enqueuedNs;
    return from != 0 && operation.endedNs > from ? operation.endedNs - from : 0;
}

double rate(double bytes, std::int64_t nanoseconds)
{
    return nanoseconds > 0 ? bytes * 1e9 / static_cast<double>(nanoseconds) : 0;
}

} // namespace

double BandwidthRow::algorithmBandwidth() const
{
    return rate(static_cast<double>(bytes), transferNs);
}

double BandwidthRow::busBandwidth() const
{
    return algorithmBandwidth() * ledger::busFactor(kind, static_cast<int>(group.members.size()));
}

double BandwidthRow::effectiveBandwidth() const
{
    return rate(static_cast<double>(bytes), insideNs);
}

void BandwidthTable::described(int rank, const LedgerGroup& group)
{
    m_ranks[rank].described(group);
}

GroupKey BandwidthTable::groupOf(int rank, std::uint32_t group) const
{
    const auto found = m_ranks.find(rank);
    return found == m_ranks.end() ? GroupKey() : found->second.keyOf(group);
}

std::optional<SettledOperation> BandwidthTable::add(int rank, const Operation& operation)
{
    const std::int64_t duration = durationOf(operation);
    if (operation.outcome != Operation::Outcome::Done || duration == 0)
        return std::nullopt;
    m_firstNs = m_firstNs == 0 ? operation.enqueuedNs : std::min(m_firstNs, operation.enqueuedNs);
    m_lastNs = std::max(m_lastNs, operation.endedNs);
    const GroupKey group = m_ranks[rank].keyOf(operation.group);
    const bool isPair = ledger::isPointToPoint(operation.kind);
    const Number number{operation.number, isPair ? operation.peer : -1, isPair ? rank : -1};
    auto& waiting = m_waiting[group];
    const auto [found, isNew] = waiting.try_emplace(number);
    Seen& seen = found->second;
    if (isNew)
        seen = {operation.kind, operation.type, operation.bytes, 0, duration, 0, 0};
    ++seen.ranks;
    seen.shortestNs = std::min(seen.shortestNs, duration);
    seen.sumNs += duration;
    seen.endedNs = std::max(seen.endedNs, operation.endedNs);
    // A receive is no transfer of its own, so each side of a pair is a row.
    const bool isComplete = isPair || seen.ranks == static_cast<int>(group.members.size());
    const auto settled = isComplete                     ? found
                         : waiting.size() > MostWaiting ? waiting.begin()
                                                        : waiting.end();
    if (settled == waiting.end())
        return std::nullopt;
    const Seen whole = settled->second;
    waiting.erase(settled);
    settle(m_settled[group], group, whole);
    return SettledOperation{whole.kind, whole.bytes, static_cast<int>(group.members.size()),
                            whole.shortestNs, whole.endedNs};
}

void BandwidthTable::settle(std::map<RowKey, BandwidthRow>& rows, const GroupKey& group,
                            const Seen& seen)
{
    const std::uint64_t bucket = std::bit_floor(seen.bytes);
    BandwidthRow& row = rows[{seen.kind, seen.type, bucket}];
    if (row.count == 0)
        row = {.kind = seen.kind,
               .type = seen.type,
               .group = group,
               .bucket = bucket,
               .isWire = ledger::isSynchronising(seen.kind)};
    ++row.count;
    row.bytes += seen.bytes;
    row.transferNs += seen.shortestNs;
    row.insideNs += seen.sumNs / seen.ranks;
    row.isWire = row.isWire && seen.ranks == static_cast<int>(group.members.size());
}

std::int64_t BandwidthTable::wallNs() const
{
    return m_lastNs - m_firstNs;
}

std::vector<BandwidthRow> BandwidthTable::rows() const
{
    auto settled = m_settled;
    for (const auto& [group, numbers] : m_waiting) {
        for (const auto& [number, seen] : numbers)
            settle(settled[group], group, seen);
    }
    std::vector<BandwidthRow> rows;
    for (const auto& [group, found] : settled) {
        for (const auto& [key, row] : found) {
            rows.push_back(row);
            if (wallNs() > 0)
                rows.back().share =
                    static_cast<double>(row.insideNs) / static_cast<double>(wallNs());
        }
    }
    std::ranges::stable_sort(rows, std::greater(), &BandwidthRow::insideNs);
    return rows;
}

} // namespace ringmaster::diagnose
