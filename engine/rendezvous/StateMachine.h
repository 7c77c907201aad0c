#pragma once

#include "engine/rendezvous/Settings.h"
#include "engine/rendezvous/State.h"

namespace ringmaster {

/// What one node does next to the state that all nodes share. Pure: the caller brings the state and
/// the time. The order of the decisions is torch 2.11's (dynamic_rendezvous.py), so that both kinds
/// of agents agree.
enum class Move {
    Wait,
    KeepAlive,
    AddToParticipants,
    AddToWaitList,
    AddToRedundancyList,
    RemoveFromParticipants,
    RemoveFromWaitList,
    RemoveFromRedundancyList,
    MarkComplete,
    MarkClosed,
    Finish,
    FailClosed,
    FailTimedOut,
};

/// Drops the nodes whose heartbeat is too old, and what follows from it; true when anything was
/// dropped. Never `self`, which lives: it would take itself for one that has left the round.
bool sanitise(RendezvousState& state, const RendezvousSettings& settings, StateTime now,
              const NodeDescription& self);

/// Towards being a participant of a complete round. `joinDeadline` is this node's own.
Move nextJoinMove(const RendezvousState& state, const NodeDescription& node,
                  const RendezvousSettings& settings, StateTime now, StateTime joinDeadline);

/// Towards not being a participant.
Move nextExitMove(const RendezvousState& state, const NodeDescription& node);

Move nextCloseMove(const RendezvousState& state);

Move nextKeepAliveMove(const RendezvousState& state, const NodeDescription& node,
                       const RendezvousSettings& settings, StateTime now);

/// Changes the state as `move` says; only moves that change it.
void apply(Move move, RendezvousState& state, const NodeDescription& node,
           const RendezvousSettings& settings, StateTime now);

} // namespace ringmaster
