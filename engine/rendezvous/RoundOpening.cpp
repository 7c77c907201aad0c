#include "engine/rendezvous/RoundOpening.h"

#include "engine/rendezvous/RankExchange.h"

#include <utility>

namespace ringmaster {

RoundOpening::RoundOpening(const JoinedRound& round, const NodeOffer& offer,
                           WorkersStore& workersStore, RoundExchange& exchange)
    : m_round(round), m_offer(offer), m_workersStore(workersStore), m_exchange(exchange)
{
}

/// An error ends it.
template <class T, class... Told>
Store::Callback<T> RoundOpening::then(void (RoundOpening::*next)(Told...))
{
    return [this, next, alive = std::weak_ptr<bool>(m_alive)](const Result<T>& result) {
        if (alive.expired())
            return;
        if (!result)
            return ended(tl::unexpected(result.error()));
        if constexpr (std::is_void_v<T>)
            (this->*next)();
        else
            (this->*next)(*result);
    };
}

void RoundOpening::begin(Done done)
{
    m_done = std::move(done);
    m_workersStore.open({m_round.number(), m_round.participants()},
                        then<Master>(&RoundOpening::masterKnown));
}

/// Nobody starts workers before group rank 0 has every offer and has assigned the ranks.
void RoundOpening::masterKnown(const Master& master)
{
    m_master = master;
    const auto exchange = [this] {
        m_exchange.exchange({.groupRank = m_round.groupRank(),
                             .groupWorldSize = m_round.groupWorldSize(),
                             .offer = m_offer},
                            then<Offers>(&RoundOpening::offersKnown));
    };
    m_round.groupRank() == 0 ? exchange() : whenCleared(exchange);
}

void RoundOpening::offersKnown(const Offers& offers)
{
    m_offers = offers;
    if (m_round.groupRank() != 0)
        return m_exchange.readWorldSize(m_round.groupRank(),
                                        then<int>(&RoundOpening::worldSizeKnown));
    whenCleared([this] { m_exchange.assignRanks(m_offers, then<void>(&RoundOpening::finish)); });
}

void RoundOpening::whenCleared(std::function<void()> next)
{
    m_workersStore.clear([next = std::move(next), alive = std::weak_ptr<bool>(m_alive)] {
        if (!alive.expired())
            next();
    });
}

void RoundOpening::worldSizeKnown(int assigned)
{
    assigned == worldSizeOf(m_offers) ? finish() : ended(std::nullopt);
}

void RoundOpening::finish()
{
    Round round = m_round.assignedTo(m_offers);
    round.masterAddress = m_master.address;
    round.masterPort = m_master.port;
    ended(round);
}

void RoundOpening::ended(Result<std::optional<Round>> result)
{
    // It may destroy this one.
    const Done done = std::exchange(m_done, nullptr);
    done(std::move(result));
}

} // namespace ringmaster
