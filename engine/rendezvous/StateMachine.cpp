#include "engine/rendezvous/StateMachine.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace ringmaster {

namespace {

/// After a participant has gone: an empty round is over, a round below its minimum has no last
/// call.
void settleAfterLeaving(RendezvousState& state, const RendezvousSettings& settings)
{
    if (state.complete) {
        if (state.participants.empty()) {
            state.complete = false;
            ++state.round;
        }
    } else if (static_cast<int>(state.participants.size()) < settings.minNodes) {
        state.deadline.reset();
    }
}

bool needsHeartbeat(const RendezvousState& state, const NodeDescription& node,
                    const RendezvousSettings& settings, StateTime now)
{
    const auto beat = state.lastHeartbeats.find(node);
    return beat == state.lastHeartbeats.end() || beat->second <= now - settings.keepAliveInterval;
}

/// Where a node that waits has to be told about; no time-out applies to a spare.
Move waitOrKeepAlive(const RendezvousState& state, const NodeDescription& node,
                     const RendezvousSettings& settings, StateTime now)
{
    return needsHeartbeat(state, node, settings, now) ? Move::KeepAlive : Move::Wait;
}

Move moveAfterTimeout(const RendezvousState& state, const NodeDescription& node, StateTime now,
                      StateTime joinDeadline)
{
    // Five seconds to take ourselves out again; then the others have to find out by our silence.
    if (now < joinDeadline + std::chrono::seconds(5)) {
        if (state.participants.contains(node))
            return Move::RemoveFromParticipants;
        if (state.waitList.contains(node))
            return Move::RemoveFromWaitList;
    }
    return Move::FailTimedOut;
}

void addParticipant(RendezvousState& state, const NodeDescription& node,
                    const RendezvousSettings& settings, StateTime now)
{
    state.waitList.erase(node);
    state.participants[node] = 0;
    state.lastHeartbeats[node] = now;
    const int count = static_cast<int>(state.participants.size());
    if (count == settings.minNodes)
        state.deadline = now + settings.lastCallTimeout;
    if (count == settings.maxNodes)
        apply(Move::MarkComplete, state, node, settings, now);
}

} // namespace

bool sanitise(RendezvousState& state, const RendezvousSettings& settings, StateTime now,
              const NodeDescription& self)
{
    const StateTime oldest = now - settings.deadAfter();
    std::vector<NodeDescription> dead;
    for (const auto& [node, beat] : state.lastHeartbeats) {
        if (beat < oldest && node != self)
            dead.push_back(node);
    }
    bool participantDied = false;
    for (const NodeDescription& node : dead) {
        state.lastHeartbeats.erase(node);
        participantDied = state.participants.erase(node) > 0 || participantDied;
        state.waitList.erase(node);
        state.redundancyList.erase(node);
    }
    if (participantDied)
        settleAfterLeaving(state, settings);
    return !dead.empty();
}

Move nextJoinMove(const RendezvousState& state, const NodeDescription& node,
                  const RendezvousSettings& settings, StateTime now, StateTime joinDeadline)
{
    const bool takesPart = state.participants.contains(node);
    const int count = static_cast<int>(state.participants.size());
    if (state.closed)
        return Move::FailClosed;
    if (state.redundancyList.contains(node)) {
        return count == settings.maxNodes ? waitOrKeepAlive(state, node, settings, now)
                                          : Move::RemoveFromRedundancyList;
    }
    if (state.complete && takesPart)
        return Move::Finish;
    if (now > joinDeadline)
        return moveAfterTimeout(state, node, now, joinDeadline);
    if (state.complete) {
        if (count >= settings.maxNodes)
            return Move::AddToRedundancyList;
        return state.waitList.contains(node) ? waitOrKeepAlive(state, node, settings, now)
                                             : Move::AddToWaitList;
    }
    if (!takesPart)
        return Move::AddToParticipants;
    // Whoever is on the wait list comes as soon as it has looked. torchrun's agents don't wait for
    // that, and where the last call is short, all restart again and again.
    if (count >= settings.minNodes && count <= settings.maxNodes && state.deadline &&
        *state.deadline < now && state.waitList.empty())
        return Move::MarkComplete;
    return waitOrKeepAlive(state, node, settings, now);
}

Move nextExitMove(const RendezvousState& state, const NodeDescription& node)
{
    return state.participants.contains(node) ? Move::RemoveFromParticipants : Move::Finish;
}

Move nextCloseMove(const RendezvousState& state)
{
    return state.closed ? Move::Finish : Move::MarkClosed;
}

Move nextKeepAliveMove(const RendezvousState& state, const NodeDescription& node,
                       const RendezvousSettings& settings, StateTime now)
{
    return needsHeartbeat(state, node, settings, now) ? Move::KeepAlive : Move::Finish;
}

void apply(Move move, RendezvousState& state, const NodeDescription& node,
           const RendezvousSettings& settings, StateTime now)
{
    switch (move) {
    case Move::KeepAlive: state.lastHeartbeats[node] = now; return;
    case Move::AddToParticipants: return addParticipant(state, node, settings, now);
    case Move::AddToWaitList:
        state.waitList.insert(node);
        state.lastHeartbeats[node] = now;
        return;
    case Move::AddToRedundancyList:
        // Who waits has the others restart; torchrun's agents stay on that list, and all restart
        // again and again.
        state.waitList.erase(node);
        state.redundancyList.insert(node);
        state.lastHeartbeats[node] = now;
        return;
    case Move::RemoveFromParticipants:
        state.participants.erase(node);
        state.lastHeartbeats.erase(node);
        return settleAfterLeaving(state, settings);
    case Move::RemoveFromWaitList:
        state.waitList.erase(node);
        state.lastHeartbeats.erase(node);
        return;
    case Move::RemoveFromRedundancyList:
        state.redundancyList.erase(node);
        state.lastHeartbeats.erase(node);
        return;
    case Move::MarkComplete: {
        // The map is sorted as torch sorts the nodes: by address, then pid, then local id.
        std::int64_t rank = 0;
        for (auto& participant : state.participants)
            participant.second = rank++;
        state.complete = true;
        state.deadline.reset();
        return;
    }
    case Move::MarkClosed: state.closed = true; return;
    case Move::Wait:
    case Move::Finish:
    case Move::FailClosed:
    case Move::FailTimedOut: break;
    }
    assert(false && "this move changes nothing");
}

} // namespace ringmaster
