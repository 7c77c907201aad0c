#pragma once

#include "engine/event/Event.h"

namespace ringmaster {

/// Where the agent's facts go. Called on the agent's loop, in order; numbering, keeping and sending
/// them is the owner's (see EventNumbering).
class EventSink
{
public:
    virtual ~EventSink() = default;

    /// `at` is when it happened: for an exit, when the keeper saw it, not when the agent heard.
    virtual void emit(const EventBody& body, const Moment& at) = 0;
};

} // namespace ringmaster
