#include "engine/rendezvous/LedRendezvous.h"

#include "engine/rendezvous/LocalAddresses.h"

namespace ringmaster {

using namespace std::chrono_literals;

LedRendezvous::LedRendezvous(Options options, EventLoop& loop, Lead& lead, Host& host)
    : m_options(std::move(options)), m_loop(loop), m_lead(lead), m_host(host)
{
}

LedRendezvous::~LedRendezvous() = default;

void LedRendezvous::join(const NodeOffer& offer)
{
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Joining;
    m_offer = offer;
    m_store.reset();
    m_soon = m_loop.callAfter(0ns, [this] { this->offer(); });
}

void LedRendezvous::offer()
{
    if (!m_store) {
        StoreServer::Options options;
        options.addresses = listenAddresses(m_options.address);
        auto store = StoreThread::start(std::move(options));
        if (!store)
            return m_host.rendezvousFailed(store.error());
        m_store = *std::move(store);
    }
    m_lead.offered(m_offer, m_options.address, m_store->port());
}

void LedRendezvous::begin(Round round)
{
    if (m_phase != Phase::Joining)
        return;
    m_phase = Phase::InRound;
    round.useAgentStore = m_options.shareStore;
    // Not shared: the port was only found out here, and the first worker will listen on it.
    if (round.groupRank != 0 || !m_options.shareStore)
        m_store.reset();
    m_host.rendezvousJoined(round);
}

void LedRendezvous::leave(const Message& why)
{
    if (m_phase == Phase::InRound)
        m_host.rendezvousMembershipChanged(why);
    // The lead believed this node in a round: its word was lost with the connection.
    else if (m_phase == Phase::Joining)
        m_soon = m_loop.callAfter(0ns, [this] { offer(); });
}

void LedRendezvous::closed(bool hasSucceeded, const Message& why)
{
    const Phase phase = std::exchange(m_phase, Phase::Closed);
    m_soon.cancel();
    if (phase == Phase::Closed)
        return;
    if (phase == Phase::Joining && !hasSucceeded)
        return m_host.rendezvousFailed(Error{why, {}});
    if (phase == Phase::InBarrier && hasSucceeded) {
        if (const auto done = std::exchange(m_barrier, nullptr))
            done({});
        return;
    }
    m_host.rendezvousClosed(why);
}

void LedRendezvous::enterExitBarrier(std::function<void(Result<void>)> done)
{
    m_phase = Phase::InBarrier;
    m_barrier = std::move(done);
    m_lead.finished();
}

void LedRendezvous::close(std::function<void()> done)
{
    m_phase = Phase::Closed;
    m_soon.cancel();
    m_store.reset();
    m_loop.post(std::move(done));
}

} // namespace ringmaster
