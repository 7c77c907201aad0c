#pragma once

#include "engine/rendezvous/Rendezvous.h"
#include "engine/store/PrefixStore.h"

#include <optional>

namespace ringmaster {

/// Where torchelastic keeps what belongs to one round of a run.
std::string prefixOfRound(const std::string& runId, std::int64_t round);

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

    struct Member
    {
        int groupRank = 0;
        int groupWorldSize = 1;
        NodeOffer offer{};
    };

    RoundExchange(std::string prefix, Store& store, Store::Duration timeout);

    /// Group rank 0 publishes its `master`, the others read it. Before exchange().
    void publishMaster(const Master& master, Store::Callback<void> done);
    void readMaster(Store::Duration timeout, Store::Callback<Master> done);
    /// Publishes it unless somebody has.
    void offerMaster(const Master& master, Store::Callback<void> done);
    /// What is published now; nothing where nothing is.
    void findMaster(Store::Callback<std::optional<Master>> done);

    /// Every node gives its offer, and has all of them once the last one has.
    void exchange(const Member& member, Store::Callback<std::vector<NodeOffer>> done);

    /// Group rank 0: the others start their workers once they have read it.
    void assignRanks(const std::vector<NodeOffer>& offers, Store::Callback<void> done);
    /// The others: how many workers it has counted, once it has.
    void readWorldSize(int groupRank, Store::Callback<int> done);

    /// torchelastic's exit barrier.
    void enterExitBarrier(int groupWorldSize, Store::Duration timeout, Store::Callback<void> done);
    /// How many nodes have entered it.
    void countFinished(Store::Callback<std::int64_t> done);

    /// This node ends the job without having finished. Only Ringmaster's agents say so.
    void giveUp(Store::Callback<void> done);
    void countGivenUp(Store::Callback<std::int64_t> done);

private:
    void collectOffers(const Member& member, const Store::Callback<std::vector<NodeOffer>>& done);

    PrefixStore m_store;
    Store::Duration m_timeout;
};

} // namespace ringmaster
