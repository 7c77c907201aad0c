#include "engine/diagnose/RankTrack.h"

#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {
/// Ends that were lost would leave their operations running for ever.
constexpr size_t MostRunning = 4096;
} // namespace

std::string GroupKey::shown() const
{
    return name == "0" || name.empty() ? "default" : name;
}

void RankTrack::described(const LedgerGroup& group)
{
    m_described[group.group] = group;
}

GroupKey RankTrack::keyOf(std::uint32_t group) const
{
    const auto found = m_described.find(group);
    if (found == m_described.end())
        return {.name = "#" + std::to_string(group)};
    return {found->second.name, found->second.members};
}

void RankTrack::seen(const Operation& operation)
{
    const GroupKey group = keyOf(operation.group);
    if (ledger::isPointToPoint(operation.kind)) {
        std::uint64_t& entered = m_pointToPoint[{group, operation.kind, operation.peer}];
        entered = std::max(entered, operation.number);
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
    if (!m_lastEnded || m_lastEnded->endedNs <= operation.endedNs)
        m_lastEnded = operation;
}

void RankTrack::remember(const GroupKey& group, const Operation& operation)
{
    std::deque<Operation>& remembered = m_collectives[group];
    // Numbers rise, but for an end that is told after a later beginning.
    const auto at = std::ranges::lower_bound(remembered, operation.number, {}, &Operation::number);
    if (at != remembered.end() && at->number == operation.number)
        *at = operation;
    else
        remembered.insert(at, operation);
    if (remembered.size() > Remembered)
        remembered.pop_front();
}

void RankTrack::restarted()
{
    m_running.clear();
    m_collectives.clear();
    m_pointToPoint.clear();
    m_lastEnded.reset();
}

std::uint64_t RankTrack::entered(const GroupKey& group) const
{
    const auto found = m_collectives.find(group);
    return found == m_collectives.end() || found->second.empty() ? 0 : found->second.back().number;
}

std::uint64_t RankTrack::enteredWith(const GroupKey& group, ledger::OperationKind kind,
                                     int peer) const
{
    const auto found = m_pointToPoint.find({group, kind, peer});
    return found == m_pointToPoint.end() ? 0 : found->second;
}

const Operation* RankTrack::find(const GroupKey& group, std::uint64_t number) const
{
    const std::deque<Operation>* remembered = rememberedOf(group);
    if (remembered == nullptr)
        return nullptr;
    const auto at = std::ranges::lower_bound(*remembered, number, {}, &Operation::number);
    return at != remembered->end() && at->number == number ? &*at : nullptr;
}

const std::deque<Operation>* RankTrack::rememberedOf(const GroupKey& group) const
{
    const auto found = m_collectives.find(group);
    return found == m_collectives.end() ? nullptr : &found->second;
}

} // namespace ringmaster::diagnose
