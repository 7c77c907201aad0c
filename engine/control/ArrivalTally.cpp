#include "engine/control/ArrivalTally.h"

#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// Ranks whose blocks are read one after the other are as many operations apart.
constexpr size_t MostWaiting = 1U << 15U;

} // namespace

ArrivalTally::Group& ArrivalTally::groupOf(const diagnose::GroupKey& key)
{
    Group*& known = m_known[&key];
    if (known == nullptr)
        known = &m_groups[key];
    return *known;
}

void ArrivalTally::add(int rank, const diagnose::GroupKey& key, const Operation& operation)
{
    if (operation.outcome != Operation::Outcome::Done || operation.enqueuedNs == 0 ||
        !ledger::isSynchronising(operation.kind) || key.members.size() < 2)
        return;
    Group& group = groupOf(key);
    // What comes after the last ones that are complete can't be among the last.
    if (group.lastComplete >= Kept && operation.number <= group.lastComplete - Kept)
        return;
    OperationSummary::Collective& collective = group.collectives[operation.number];
    if (collective.arrivals.empty())
        collective = {operation.kind, operation.type, operation.number, operation.bytes, {}};
    const auto at =
        std::ranges::lower_bound(collective.arrivals, rank, {}, &OperationSummary::Arrival::rank);
    if (at != collective.arrivals.end() && at->rank == rank)
        return;
    if (collective.arrivals.size() < MostArrivals)
        collective.arrivals.insert(at, {rank, operation.enqueuedNs, operation.endedNs});
    group.latestNs = std::max(group.latestNs, operation.endedNs);
    if (collective.arrivals.size() == std::min(key.members.size(), MostArrivals))
        group.lastComplete = std::max(group.lastComplete, operation.number);
    while (!group.collectives.empty() && group.lastComplete >= Kept &&
           group.collectives.begin()->first <= group.lastComplete - Kept)
        group.collectives.erase(group.collectives.begin());
    if (group.collectives.size() > MostWaiting)
        group.collectives.erase(group.collectives.begin());
    makeRoom();
}

/// Groups that a program makes anew all the time would grow without end.
void ArrivalTally::makeRoom()
{
    while (m_groups.size() > 2 * MostGroups) {
        m_known.clear();
        m_groups.erase(std::ranges::min_element(
            m_groups, {}, [](const auto& entry) { return entry.second.latestNs; }));
    }
}

std::vector<OperationSummary::GroupCollectives> ArrivalTally::summary() const
{
    std::vector<const decltype(m_groups)::value_type*> groups;
    for (const auto& entry : m_groups)
        groups.push_back(&entry);
    std::ranges::stable_sort(groups, std::greater(),
                             [](const auto* entry) { return entry->second.latestNs; });
    if (groups.size() > MostGroups)
        groups.resize(MostGroups);
    std::vector<OperationSummary::GroupCollectives> summary;
    for (const auto* entry : groups) {
        summary.push_back({.group = entry->first});
        const size_t whole = std::min(entry->first.members.size(), MostArrivals);
        for (const auto& [number, collective] : entry->second.collectives) {
            if (collective.arrivals.size() == whole)
                summary.back().collectives.push_back(collective);
        }
    }
    return summary;
}

} // namespace ringmaster
