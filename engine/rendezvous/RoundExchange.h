#pragma once

#include "engine/rendezvous/Rendezvous.h"
#include "engine/store/PrefixStore.h"

#include <optional>

namespace ringmaster {

/// What the agents of one round tell each other through the store, under the round's prefix, with
/// torchelastic's keys: where the workers' store is, who brings what, and at the end who has
/// finished.
class RoundExchange
{
public:
    struct Master
    {
        std::string address{};
        int port = 0;
    };

    struct Seat
    {
        int groupRank = 0;
        int groupWorldSize = 1;
        NodeOffer offer{};
    };

    RoundExchange(std::string prefix, Store& store, Store::Duration timeout);

    /// Group rank 0 publishes its `master`, the others read it. Before exchange().
    void publishMaster(const Master& master, Store::Callback<void> done);
    void readMaster(Store::Callback<Master> done);

    /// Every node gives its offer; group rank 0 also writes the assigned ranks for torchrun's
    /// agents.
    void exchange(const Seat& seat, Store::Callback<std::vector<NodeOffer>> done);

    /// torchelastic's exit barrier.
    void enterExitBarrier(int groupWorldSize, Store::Duration timeout, Store::Callback<void> done);

private:
    void collectOffers(const Seat& seat, const Store::Callback<std::vector<NodeOffer>>& done);
    void assignRanks(std::vector<NodeOffer> offers,
                     const Store::Callback<std::vector<NodeOffer>>& done);

    PrefixStore m_store;
    Store::Duration m_timeout;
};

} // namespace ringmaster
