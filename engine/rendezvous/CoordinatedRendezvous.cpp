#include "engine/rendezvous/CoordinatedRendezvous.h"

#include "engine/machine/LocalAddresses.h"
#include "engine/rendezvous/Codes.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

CoordinatedRendezvous::CoordinatedRendezvous(Options options, EventLoop& loop, Lead& lead,
                                             Host& host)
    : m_options(std::move(options)), m_loop(loop), m_lead(lead), m_host(host)
{
}

CoordinatedRendezvous::~CoordinatedRendezvous() = default;

void CoordinatedRendezvous::join(const NodeOffer& offer)
{
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Joining;
    m_offer = offer;
    m_store.reset();
    offerSoon();
}

void CoordinatedRendezvous::offerSoon()
{
    m_soon = m_loop.callAfter(0ns, [this] { offer(); });
}

void CoordinatedRendezvous::offer()
{
    if (!m_store) {
        StoreServer::Options options;
        options.addresses = listenAddresses(m_options.address);
        auto store = m_options.openStore(std::move(options));
        if (!store)
            return m_host.rendezvousFailed(store.error());
        m_store = *std::move(store);
    }
    m_lead.offered(m_next, m_offer, m_options.address, m_store->port());
}

void CoordinatedRendezvous::begin(Round round)
{
    if (m_phase != Phase::Joining || round.number < m_next)
        return;
    m_phase = Phase::InRound;
    m_soon.cancel();
    m_round = round.number;
    m_isOfFormerLead = false;
    m_recall.reset();
    m_next = m_round + 1;
    round.useAgentStore = m_options.shareStore;
    // Not shared: the port was only found out here, and the first worker will listen on it.
    if (round.groupRank != 0 || !m_options.shareStore)
        m_store.reset();
    m_host.rendezvousJoined(round);
}

/// A later one than it is in isn't: it never heard of that, and offers for what comes after.
bool CoordinatedRendezvous::hasLeft(std::uint64_t round) const
{
    return round + 1 < m_next && !m_isOfFormerLead;
}

void CoordinatedRendezvous::leave(std::uint64_t round, bool recallsFinished, const Message& why)
{
    switch (m_phase) {
    case Phase::Joining:
        // Told to begin it, this node never heard of that.
        if (round >= m_next) {
            m_next = round + 1;
            offerSoon();
        }
        break;
    case Phase::InBarrier:
        if (!recallsFinished || hasLeft(round))
            break;
        m_next = std::max(m_next, round + 1);
        recall(why);
        break;
    case Phase::InRound:
        if (hasLeft(round))
            break;
        m_next = std::max(m_next, round + 1);
        if (recallsFinished)
            m_recall = why;
        m_host.rendezvousMembershipChanged(why);
        break;
    case Phase::Idle: m_next = std::max(m_next, round + 1); break;
    case Phase::Closed: break;
    }
}

void CoordinatedRendezvous::recall(const Message& why)
{
    m_recall.reset();
    m_barrier = nullptr;
    m_phase = Phase::InRound;
    m_host.rendezvousRecalled(why);
}

void CoordinatedRendezvous::closed(bool hasSucceeded, const Message& why)
{
    const Phase phase = std::exchange(m_phase, Phase::Closed);
    m_soon.cancel();
    switch (phase) {
    case Phase::Joining:
        if (!hasSucceeded)
            return m_host.rendezvousFailed(Error{why, {}});
        break;
    case Phase::InBarrier:
        if (!hasSucceeded)
            break;
        if (const auto done = std::exchange(m_barrier, nullptr))
            done({});
        return;
    case Phase::Idle:
    case Phase::InRound: break;
    case Phase::Closed: return;
    }
    m_host.rendezvousClosed(hasSucceeded ? Message{code::RendezvousNotNeeded, {}, {}} : why);
}

void CoordinatedRendezvous::enterExitBarrier(std::function<void(Result<void>)> done)
{
    m_phase = Phase::InBarrier;
    m_barrier = std::move(done);
    m_lead.finished(m_round);
    // Its workers ended by themselves just when they were to be stopped.
    if (m_recall)
        m_soon = m_loop.callAfter(0ns, [this] { recall(Message(*m_recall)); });
}

void CoordinatedRendezvous::close(std::function<void()> done)
{
    m_phase = Phase::Closed;
    m_soon.cancel();
    m_store.reset();
    m_loop.post(std::move(done));
}

} // namespace ringmaster
