#include "engine/diagnose/RankTrack.h"

#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>

namespace ringmaster::diagnose {

using ledger::OperationKind;

namespace {
/// Ends that were lost would leave their operations running for ever.
constexpr size_t MostRunning = 4096;

/// What 19 of 20 don't exceed.
std::int64_t mostOf(std::vector<std::int64_t> values)
{
    if (values.empty())
        return 0;
    const auto at = static_cast<std::ptrdiff_t>((values.size() - 1) * 19 / 20);
    std::ranges::nth_element(values, values.begin() + at);
    return values[static_cast<size_t>(at)];
}
} // namespace

std::string GroupKey::shown() const
{
    if (name == "0" || name.empty() || name.starts_with(nameOf(OperationKind::InitProcessGroup)))
        return "default";
    return name.starts_with(nameOf(OperationKind::NewGroup)) ? rankList(members) : name;
}

void RankTrack::described(const LedgerGroup& group)
{
    m_described[group.group] = group;
    m_byNumber.erase(group.group);
}

void RankTrack::described(const CallSite& site)
{
    m_sites[site.site] = site;
}

const CallSite* RankTrack::siteOf(const Operation& operation) const
{
    const auto found = m_sites.find(operation.site);
    return operation.site == 0 || found == m_sites.end() ? nullptr : &found->second;
}

GroupKey RankTrack::keyOf(std::uint32_t group) const
{
    const auto found = m_described.find(group);
    if (found == m_described.end())
        return {.name = "#" + std::to_string(group)};
    return {found->second.name, found->second.members};
}

RankTrack::Group& RankTrack::groupOf(std::uint32_t group)
{
    Group*& known = m_byNumber[group];
    if (known == nullptr) {
        GroupKey key = keyOf(group);
        known = &m_groups[key];
        known->key = std::move(key);
    }
    return *known;
}

void RankTrack::seen(const Operation& operation)
{
    Group& group = groupOf(operation.group);
    if (ledger::isPointToPoint(operation.kind)) {
        const PairKey pair{group.key, operation.kind, operation.peer, operation.tag};
        if (m_pairs.size() <= MostPairs || m_pairs.contains(pair)) {
            Operation& last = m_pairs[pair];
            if (operation.number >= last.number)
                last = operation;
        }
    } else {
        remember(group, operation);
    }
    if (operation.outcome == Operation::Outcome::Running) {
        m_running[operation.id] = operation;
        if (m_running.size() > MostRunning)
            m_running.erase(m_running.begin());
        return;
    }
    m_running.erase(operation.id);
    const bool isTimed = m_lastEnded && m_lastEnded->endedNs != 0 && operation.endedNs != 0;
    if (!isTimed || m_lastEnded->endedNs <= operation.endedNs)
        m_lastEnded = operation;
}

void RankTrack::remember(Group& group, const Operation& operation) const
{
    const size_t most = std::clamp(MostRemembered / m_groups.size(), LeastRemembered, Remembered);
    std::deque<Operation>& remembered = group.remembered;
    // Numbers rise, but for an end that is told after a later beginning.
    const auto at = std::ranges::lower_bound(remembered, operation.number, {}, &Operation::number);
    if (at != remembered.end() && at->number == operation.number)
        *at = operation;
    else if (at != remembered.begin() || remembered.size() < most)
        remembered.insert(at, operation);
    while (remembered.size() > most)
        remembered.pop_front();
}

void RankTrack::runsOnly(const std::set<std::uint64_t>& running)
{
    std::erase_if(m_running, [&](const auto& known) { return !running.contains(known.first); });
}

void RankTrack::restarted()
{
    m_running.clear();
    m_groups.clear();
    m_byNumber.clear();
    m_pairs.clear();
    m_lastEnded.reset();
}

std::uint64_t RankTrack::entered(const GroupKey& group) const
{
    const auto found = m_groups.find(group);
    return found == m_groups.end() || found->second.remembered.empty()
               ? 0
               : found->second.remembered.back().number;
}

std::uint64_t RankTrack::entered(const PairKey& pair) const
{
    const Operation* operation = last(pair);
    return operation == nullptr ? 0 : operation->number;
}

const Operation* RankTrack::last(const PairKey& pair) const
{
    const auto found = m_pairs.find(pair);
    return found == m_pairs.end() ? nullptr : &found->second;
}

std::int64_t RankTrack::usualPauseNs(const GroupKey& group) const
{
    const auto found = m_groups.find(group);
    if (found == m_groups.end())
        return 0;
    std::vector<std::int64_t> pauses;
    std::int64_t endedNs = 0;
    for (const Operation& operation : found->second.remembered) {
        if (endedNs != 0)
            pauses.push_back(std::max<std::int64_t>(0, operation.enqueuedNs - endedNs));
        endedNs = operation.endedNs;
    }
    return mostOf(std::move(pauses));
}

std::int64_t RankTrack::usualDurationNs(const GroupKey& group, const Operation& like) const
{
    const auto found = m_groups.find(group);
    if (found == m_groups.end())
        return 0;
    std::vector<std::int64_t> durations;
    for (const Operation& operation : found->second.remembered) {
        if (operation.kind == like.kind && operation.bytes == like.bytes && operation.endedNs != 0)
            durations.push_back(operation.endedNs - operation.enqueuedNs);
    }
    return mostOf(std::move(durations));
}

const Operation* RankTrack::find(const GroupKey& group, std::uint64_t number) const
{
    const auto found = m_groups.find(group);
    if (found == m_groups.end())
        return nullptr;
    const std::deque<Operation>& remembered = found->second.remembered;
    const auto at = std::ranges::lower_bound(remembered, number, {}, &Operation::number);
    return at != remembered.end() && at->number == number ? &*at : nullptr;
}

} // namespace ringmaster::diagnose
