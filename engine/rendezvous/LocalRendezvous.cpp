#include "engine/rendezvous/LocalRendezvous.h"

#include "engine/rendezvous/RankExchange.h"

namespace ringmaster {

LocalRendezvous::LocalRendezvous(Options options, EventLoop& loop, Host& host)
    : m_options(std::move(options)), m_loop(loop), m_host(host)
{
}

LocalRendezvous::~LocalRendezvous()
{
    *m_alive = false;
}

void LocalRendezvous::join(const NodeOffer& offer)
{
    m_loop.post([this, alive = m_alive, offer] {
        if (!*alive)
            return;
        if (const auto round = nextRound(offer))
            m_host.rendezvousJoined(*round);
        else
            m_host.rendezvousFailed(round.error());
    });
}

Result<Round> LocalRendezvous::nextRound(const NodeOffer& offer)
{
    // The last round's store goes first: the next one may have to take over its port.
    m_store.reset();
    StoreServer::Options options;
    options.addresses = m_options.addresses;
    options.port = static_cast<std::uint16_t>(m_options.masterPort);
    m_store = RM_TRY(m_options.openStore(std::move(options)));

    Round round;
    round.number = m_nextRound++;
    round.worldSize = worldSizeOf({offer});
    round.places = placesOf({offer}, 0);
    round.runId = m_options.runId;
    round.masterAddress = m_options.masterAddress;
    round.masterPort = m_store->port();
    round.useAgentStore = m_options.useAgentStore;
    if (!m_options.useAgentStore)
        m_store.reset();
    return round;
}

void LocalRendezvous::enterExitBarrier(std::function<void(Result<void>)> done)
{
    m_loop.post([done = std::move(done)] { done({}); });
}

void LocalRendezvous::close(std::function<void()> done)
{
    m_store.reset();
    m_loop.post(std::move(done));
}

} // namespace ringmaster
