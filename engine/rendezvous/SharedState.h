#pragma once

#include "engine/rendezvous/State.h"
#include "engine/store/Store.h"

namespace ringmaster {

/// This agent's view of the one state that all agents of a c10d rendezvous share: read, and
/// replaced by compare-and-set with the text that was read last. Lives on the store's loop; the
/// store outlives it, and drops its callbacks with itself.
class SharedState
{
public:
    SharedState(Store& store, const std::string& runId, Store::Duration readTimeout);

    /// Makes the empty state if there is none, and reads.
    void open(Store::Callback<void> done);

    void read(Store::Callback<void> done);

    /// True when `next` was taken; false when another agent was faster: then `state()` is that
    /// agent's.
    void replace(const RendezvousState& next, Store::Callback<bool> done);

    const RendezvousState& state() const { return m_state; }

private:
    Result<void> adopt(std::string text);

    Store& m_store;
    std::string m_key;
    Store::Duration m_readTimeout;
    std::string m_token; ///< The text in the store, as last seen.
    RendezvousState m_state;
};

} // namespace ringmaster
