#include "tests/simulation/SharedStateRules.h"

#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/Settings.h"
#include "engine/rendezvous/StateCodec.h"
#include "tests/simulation/World.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace ringmaster::simulation {
namespace {

std::string described(const NodeDescription& node)
{
    return "node " + std::to_string(node.pid);
}

std::string roundText(std::int64_t round)
{
    return "round " + std::to_string(round);
}

std::set<NodeDescription> listedIn(const RendezvousState& state)
{
    std::set<NodeDescription> listed = state.waitList;
    listed.insert(state.redundancyList.begin(), state.redundancyList.end());
    for (const auto& [node, rank] : state.participants)
        listed.insert(node);
    return listed;
}

} // namespace

void SharedStateRules::written(int host, const std::string& encoded)
{
    RendezvousState next;
    if (encoded != EmptyStateText) {
        auto decoded = decodeState(encoded);
        if (!decoded)
            m_world.violated("the agent on host " + std::to_string(host) +
                             " wrote a state that nobody can read");
        next = *std::move(decoded);
    }
    const RendezvousState before = std::exchange(m_state, std::move(next));
    ++m_writes;
    const Writer writer{.address = "10.0.0." + std::to_string(host), .node = m_world.nodeOf(host)};
    checkRound(before);
    checkParticipants(before, writer);
    checkOthers(before, writer);
    checkDropped(before, writer);
    note(before);
}

/// One round follows the other, and what is over stays over.
void SharedStateRules::checkRound(const RendezvousState& before) const
{
    if (m_state.round < before.round || m_state.round > before.round + 1)
        m_world.violated(roundText(m_state.round) + " follows " + roundText(before.round));
    if (before.closed && !m_state.closed)
        m_world.violated("a rendezvous that was closed is open again");
    const bool wasComplete = before.complete && isSameRound(before);
    if (wasComplete && !m_state.complete)
        m_world.violated(roundText(m_state.round) + " was complete, and isn't any more");
    if (!wasComplete && m_state.complete)
        checkComplete();
}

void SharedStateRules::checkComplete() const
{
    const Scenario& scenario = m_world.scenario;
    const auto nodes = static_cast<int>(m_state.participants.size());
    if (nodes < scenario.min || nodes > scenario.max)
        m_world.violated(roundText(m_state.round) + " is complete with " + std::to_string(nodes) +
                         " nodes of " + std::to_string(scenario.min) + ":" +
                         std::to_string(scenario.max));
    std::int64_t place = 0;
    for (const auto& [node, rank] : m_state.participants)
        if (rank != place++)
            m_world.violated(described(node) + " has rank " + std::to_string(rank) + " in " +
                             roundText(m_state.round) + ", which isn't its place in the order");
}

/// Each comes and goes by itself, and nobody comes into a round that is complete, or over.
void SharedStateRules::checkParticipants(const RendezvousState& before, const Writer& writer) const
{
    const bool wasComplete = before.complete && isSameRound(before);
    for (const auto& [node, rank] : m_state.participants) {
        const auto known = before.participants.find(node);
        const bool wasThere = isSameRound(before) && known != before.participants.end();
        if (!wasThere && (!writer.is(node) || wasComplete || before.closed))
            m_world.violated("the agent at " + writer.address + " brings " + described(node) +
                             " into " + roundText(m_state.round) +
                             (wasComplete     ? ", which was complete"
                              : before.closed ? ", which was closed"
                                              : ""));
        if (wasThere && wasComplete && known->second != rank)
            m_world.violated(described(node) + " had rank " + std::to_string(known->second) +
                             " in " + roundText(m_state.round) + ", and now has " +
                             std::to_string(rank));
    }
}

/// Nobody writes what others have to say.
void SharedStateRules::checkOthers(const RendezvousState& before, const Writer& writer) const
{
    const auto checkList = [&](const std::set<NodeDescription>& now,
                               const std::set<NodeDescription>& then, const char* list) {
        for (const NodeDescription& node : now)
            if (!then.contains(node) && (!writer.is(node) || before.closed))
                m_world.violated("the agent at " + writer.address + " puts " + described(node) +
                                 " on the list of those that " + list +
                                 (before.closed ? ", and the rendezvous was closed" : ""));
    };
    checkList(m_state.waitList, before.waitList, "wait");
    checkList(m_state.redundancyList, before.redundancyList, "stand by");
    for (const auto& [node, beat] : m_state.lastHeartbeats) {
        const auto known = before.lastHeartbeats.find(node);
        const bool isChanged = known == before.lastHeartbeats.end() || known->second != beat;
        if (isChanged && !writer.is(node))
            m_world.violated("the agent at " + writer.address + " wrote a heartbeat of " +
                             described(node));
    }
}

/// Nobody is dropped who has just been heard of, nor who has no reason to be silent.
void SharedStateRules::checkDropped(const RendezvousState& before, const Writer& writer) const
{
    const StateTime now{std::chrono::microseconds(m_world.time.now() / 1000)};
    const StateTime oldest = now - RendezvousSettings{}.deadAfter();
    const std::set<NodeDescription> listed = listedIn(m_state);
    for (const NodeDescription& node : listedIn(before)) {
        if (writer.is(node) || listed.contains(node))
            continue;
        const std::string dropped =
            "the agent at " + writer.address + " drops " + described(node) + ", ";
        const auto beat = before.lastHeartbeats.find(node);
        if (beat == before.lastHeartbeats.end() || beat->second >= oldest)
            m_world.violated(dropped + "which isn't silent");
        // Whoever has heard that it is closed ends, and nobody misses it.
        if (m_world.obstacles == 0 && !before.closed && !hasEnded(node))
            m_world.violated(dropped + "which lives, and nothing kept its heartbeats");
    }
}

bool SharedStateRules::hasEnded(const NodeDescription& node) const
{
    return std::ranges::any_of(m_world.ends, [&node](const auto& end) {
        return node.address == "10.0.0." + std::to_string(end.first);
    });
}

void SharedStateRules::note(const RendezvousState& before)
{
    const bool wasComplete = before.complete && isSameRound(before);
    const bool isFewer = m_state.participants.size() < before.participants.size();
    if (before.complete && (!isSameRound(before) || isFewer))
        m_rounds[before.round].hasAnybodyLeft = true;
    if (m_state.complete && !wasComplete)
        m_rounds[m_state.round] = {.participants = m_state.participants, .completedAt = m_writes};
    if (!m_state.waitList.empty())
        m_waitedAt = m_writes;
}

void SharedStateRules::begun(std::uint64_t round, std::int64_t node, int firstRank,
                             int worldSize) const
{
    const auto number = static_cast<std::int64_t>(round);
    const std::string begins = "node " + std::to_string(node) + " begins " + roundText(number);
    const auto found = m_rounds.find(number);
    if (found == m_rounds.end())
        m_world.violated(begins + ", which was never complete");
    const auto& participants = found->second.participants;
    const auto own = std::ranges::find_if(
        participants, [node](const auto& participant) { return participant.first.pid == node; });
    if (own == participants.end())
        m_world.violated(begins + ", and isn't in it");
    const int workers = m_world.scenario.workers;
    if (firstRank != static_cast<int>(own->second) * workers)
        m_world.violated(begins + " as node " + std::to_string(own->second) +
                         " of its order, and its first rank is " + std::to_string(firstRank));
    // One that is silent may have been dropped before all had seen it.
    if (worldSize > static_cast<int>(participants.size()) * workers)
        m_world.violated(begins + " with " + std::to_string(worldSize) + " workers, and has " +
                         std::to_string(participants.size()) + " nodes");
}

void SharedStateRules::brokenUp(std::uint64_t round, const Message& why) const
{
    const auto number = static_cast<std::int64_t>(round);
    const auto found = m_rounds.find(number);
    if (found == m_rounds.end())
        return; // which was said when it began
    const std::string says =
        "a node breaks " + roundText(number) + " up (" + describe(why) + "), and nobody ";
    if (why.code == code::RendezvousNodesWaiting && m_waitedAt < found->second.completedAt)
        m_world.violated(says + "has waited since it was complete");
    const bool isAnybodySilent = m_world.obstacles > 0 || !m_world.ends.empty();
    const bool isMissed = why.code == code::RendezvousNodeRestarts ||
                          (why.code == code::RendezvousNodeGone && !isAnybodySilent);
    if (isMissed && !found->second.hasAnybodyLeft)
        m_world.violated(says + "has left it");
}

void SharedStateRules::notNeeded(std::int64_t node) const
{
    const std::string ends =
        "node " + std::to_string(node) + " ends as one that isn't needed, and ";
    if (!m_state.closed)
        m_world.violated(ends + "the rendezvous isn't closed");
    if (std::ranges::any_of(m_state.participants, [node](const auto& participant) {
            return participant.first.pid == node;
        }))
        m_world.violated(ends + roundText(m_state.round) + " was to begin with it");
}

} // namespace ringmaster::simulation
