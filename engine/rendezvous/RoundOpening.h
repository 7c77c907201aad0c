#pragma once

#include "engine/rendezvous/JoinedRound.h"
#include "engine/rendezvous/RoundExchange.h"
#include "engine/rendezvous/WorkersStore.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ringmaster {

/// How a node comes from a round of a c10d rendezvous to its ranks in it: where the workers meet,
/// who brings what, what group rank 0 has assigned. Destroyed, it tells nothing more.
class RoundOpening
{
public:
    /// The round, without its run's id. Nothing: a node was dropped after the ranks were given, so
    /// that the others have a larger world. (torchrun's agents begin such a round.)
    using Done = std::function<void(Result<std::optional<Round>>)>;

    /// All outlive this.
    RoundOpening(const JoinedRound& round, const NodeOffer& offer, WorkersStore& workersStore,
                 RoundExchange& exchange);

    void begin(Done done);

private:
    using Master = RoundExchange::Master;
    using Offers = std::vector<NodeOffer>;

    template <class T, class... Told>
    Store::Callback<T> then(void (RoundOpening::*next)(Told...));
    void masterKnown(const Master& master);
    void offersKnown(const Offers& offers);
    void worldSizeKnown(int assigned);
    void whenCleared(std::function<void()> next);
    void finish();
    void ended(Result<std::optional<Round>> result);

    const JoinedRound& m_round;
    const NodeOffer& m_offer;
    WorkersStore& m_workersStore;
    RoundExchange& m_exchange;
    Done m_done;
    Master m_master;
    Offers m_offers;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
