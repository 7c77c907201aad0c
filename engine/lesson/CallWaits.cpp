#include "engine/lesson/CallWaits.h"

#include <algorithm>

namespace ringmaster::lesson {

namespace {

/// Follows the waits from one rank until it comes back to one where it has been.
std::vector<int> cycleIn(const std::map<int, Wait>& waits)
{
    for (const auto& [start, ignored] : waits) {
        std::vector<int> way;
        for (int rank = start; waits.contains(rank);) {
            const auto again = std::ranges::find(way, rank);
            if (again != way.end())
                return {again, way.end()};
            way.push_back(rank);
            const auto& on = waits.at(rank).on;
            const auto next =
                std::ranges::find_if(on, [&](int other) { return waits.contains(other); });
            if (next == on.end())
                break;
            rank = *next;
        }
    }
    return {};
}

} // namespace

const PeerMessage* CallWaits::messageOf(int rank, std::uint64_t call) const
{
    const auto found = std::ranges::find_if(m_facts.messages, [&](const PeerMessage& message) {
        return (message.from == rank && message.sendCall == call) ||
               (message.to == rank && message.receiveCall == call);
    });
    return found == m_facts.messages.end() ? nullptr : &*found;
}

const Collective* CallWaits::collectiveOf(int rank, std::uint64_t call) const
{
    const auto found = std::ranges::find_if(m_facts.collectives, [&](const Collective& collective) {
        const auto part = collective.parts.find(rank);
        return part != collective.parts.end() && part->second.call.id == call;
    });
    return found == m_facts.collectives.end() ? nullptr : &*found;
}

/// A receive from any rank takes whatever is offered.
bool CallWaits::hasSenderFor(const PeerMessage& receive) const
{
    return std::ranges::any_of(m_facts.messages, [&](const PeerMessage& message) {
        return message.phase == PeerMessage::Phase::Offered && message.to == receive.to &&
               message.tag == receive.tag && message.group == receive.group;
    });
}

std::optional<Wait> CallWaits::waitOf(int rank) const
{
    const auto found = m_facts.calls.find(rank);
    if (found == m_facts.calls.end())
        return std::nullopt;
    const auto& [call, at] = *found->second;
    if (call.isAsync)
        return std::nullopt; // It comes back at once.
    Wait wait{.rank = rank, .call = call, .at = at};
    const std::uint64_t id = call.operation == "wait" ? call.waitsFor : call.id;
    if (const Collective* collective = collectiveOf(rank, id)) {
        wait.on = collective->missing();
        const std::string disagreement = collective->disagreement();
        if (wait.on.empty() && disagreement != "operation" && disagreement != "members")
            return std::nullopt;
        return wait;
    }
    const PeerMessage* message = messageOf(rank, id);
    if (message == nullptr)
        return std::nullopt;
    if (message->phase == PeerMessage::Phase::Offered) {
        const bool isAwaited = std::ranges::any_of(m_facts.messages, [&](const PeerMessage& other) {
            return other.phase == PeerMessage::Phase::Awaited && other.from < 0 &&
                   other.to == message->to && other.tag == message->tag &&
                   other.group == message->group;
        });
        if (isAwaited)
            return std::nullopt;
        wait.on = {message->to};
        return wait;
    }
    if (message->phase != PeerMessage::Phase::Awaited)
        return std::nullopt;
    wait.on = {message->from};
    if (message->from < 0) {
        if (hasSenderFor(*message))
            return std::nullopt;
        wait.isAny = true;
        wait.on.clear();
        for (int other = 0; other < m_facts.ranks; ++other)
            if (other != rank)
                wait.on.push_back(other);
    }
    return wait;
}

std::vector<Wait> CallWaits::waits() const
{
    std::vector<Wait> waits;
    for (const auto& [rank, ignored] : m_facts.calls)
        if (auto wait = waitOf(rank))
            waits.push_back(*std::move(wait));
    return waits;
}

std::optional<Deadlock> CallWaits::deadlock() const
{
    std::map<int, Wait> stuck;
    for (Wait& wait : waits())
        stuck[wait.rank] = std::move(wait);
    const auto isHopeless = [&](int rank) {
        return stuck.contains(rank) || m_facts.ended.contains(rank);
    };
    // Whoever waits for somebody who may still come isn't stuck, and so on.
    for (bool isChanged = true; isChanged;) {
        isChanged = std::erase_if(stuck, [&](const auto& entry) {
                        const Wait& wait = entry.second;
                        if (wait.on.empty())
                            return false;
                        return wait.isAny ? !std::ranges::all_of(wait.on, isHopeless)
                                          : !std::ranges::any_of(wait.on, isHopeless);
                    }) > 0;
    }
    if (stuck.empty())
        return std::nullopt;
    Deadlock deadlock{.cycle = cycleIn(stuck)};
    for (auto& [rank, wait] : stuck)
        deadlock.waits.push_back(std::move(wait));
    return deadlock;
}

} // namespace ringmaster::lesson
