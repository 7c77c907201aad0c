#include "engine/diagnose/OperationMatcher.h"

#include "engine/ledger/Moments.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

/// Ranks are never further apart than this, unless something was lost.
constexpr size_t MostWaiting = 1U << 16U;

} // namespace

std::int64_t durationOf(const Operation& operation)
{
    const std::int64_t from = operation.startedNs != 0 ? operation.startedNs : operation.enqueuedNs;
    return from != 0 && operation.endedNs > from ? operation.endedNs - from : 0;
}

std::int64_t feltOf(const Operation& operation)
{
    if (operation.enqueuedNs == 0 ||
        (operation.returnedNs == 0 && operation.backend == ledger::Backend::Nccl))
        return durationOf(operation);
    const std::int64_t until = operation.returnedNs != 0 ? operation.returnedNs : operation.endedNs;
    return until > operation.enqueuedNs ? until - operation.enqueuedNs : 0;
}

std::int64_t landedOf(const Operation& operation)
{
    const bool waits = operation.caller == ledger::Caller::Waits;
    return waits ? std::max(operation.endedNs, operation.returnedNs) : operation.endedNs;
}

OperationMatcher::Group& OperationMatcher::groupWith(const GroupKey& key)
{
    Group& group = m_groups[key];
    group.key = key;
    return group;
}

void OperationMatcher::described(int rank, const LedgerGroup& group)
{
    m_byNumber[numberOf(rank, group.group)] = &groupWith({group.name, group.members});
}

OperationMatcher::Group& OperationMatcher::find(int rank, std::uint32_t group)
{
    Group*& known = m_byNumber[numberOf(rank, group)];
    if (known == nullptr)
        known = &groupWith({.name = "#" + std::to_string(group)});
    return *known;
}

const GroupKey& OperationMatcher::groupOf(int rank, std::uint32_t group)
{
    return find(rank, group).key;
}

std::optional<SettledOperation> OperationMatcher::add(int rank, const Operation& operation)
{
    const std::int64_t duration = durationOf(operation);
    const bool isCounted = duration != 0 || (operation.endedNs == 0 && operation.enqueuedNs != 0);
    if (operation.outcome != Operation::Outcome::Done || !isCounted ||
        ledger::makesGroup(operation.kind))
        return std::nullopt;
    Group& group = find(rank, operation.group);
    const std::int64_t felt = duration != 0 ? feltOf(operation) : 0;
    const bool waits = operation.caller == ledger::Caller::Waits;
    const std::int64_t flight = waits ? felt : duration;
    SettledOperation first{.kind = operation.kind,
                           .type = operation.type,
                           .backend = operation.backend,
                           .algorithm = operation.algorithm,
                           .bytes = operation.bytes,
                           .group = &group.key,
                           .ranks = 1,
                           .transferNs = duration,
                           .feltNs = felt,
                           .flightNs = flight,
                           .endedNs = duration != 0 ? operation.endedNs : operation.enqueuedNs,
                           .landedNs = landedOf(operation)};
    if (ledger::isPointToPoint(operation.kind) || first.isComplete())
        return first;
    const auto [found, isNew] = group.waiting.try_emplace(operation.number, first);
    SettledOperation& seen = found->second;
    if (!isNew) {
        ++seen.ranks;
        seen.transferNs = std::min(seen.transferNs, duration);
        seen.feltNs = sumNs(seen.feltNs, felt);
        seen.flightNs = sumNs(seen.flightNs, flight);
        seen.endedNs = std::max(seen.endedNs, first.endedNs);
        seen.landedNs = std::max(seen.landedNs, first.landedNs);
    }
    const auto settled = seen.isComplete()                    ? found
                         : group.waiting.size() > MostWaiting ? group.waiting.begin()
                                                              : group.waiting.end();
    if (settled == group.waiting.end())
        return std::nullopt;
    const SettledOperation whole = settled->second;
    group.waiting.erase(settled);
    return whole;
}

std::vector<SettledOperation> OperationMatcher::giveUp(std::int64_t beforeNs)
{
    std::vector<SettledOperation> given;
    for (auto& [key, group] : m_groups) {
        std::erase_if(group.waiting, [&](const auto& entry) {
            if (entry.second.endedNs >= beforeNs)
                return false;
            given.push_back(entry.second);
            return true;
        });
    }
    return given;
}

std::vector<SettledOperation> OperationMatcher::waiting() const
{
    std::vector<SettledOperation> waiting;
    for (const auto& [key, group] : m_groups) {
        for (const auto& [number, seen] : group.waiting)
            waiting.push_back(seen);
    }
    return waiting;
}

} // namespace ringmaster::diagnose
