#include "engine/node/Gatherer.h"

namespace ringmaster {

Gatherer::Gatherer(EventLoop& loop, std::function<void()> done)
    : m_loop(loop), m_done(std::move(done))
{
}

void Gatherer::start(AgentClient& client)
{
    m_client = &client;
    ++m_connection;
    m_isAsking = false;
    pull();
}

void Gatherer::stop()
{
    ++m_connection;
    m_client = nullptr;
    m_isAsking = false;
    m_next.cancel();
}

void Gatherer::finish()
{
    m_isFinishing = true;
    if (m_client == nullptr)
        m_done();
    else if (!m_isAsking)
        pull();
}

void Gatherer::pull()
{
    m_next.cancel();
    ask(*m_client);
}

void Gatherer::rest(std::chrono::milliseconds interval)
{
    if (m_isFinishing)
        return m_done();
    pullLater(interval);
}

void Gatherer::pullLater(std::chrono::milliseconds delay)
{
    m_next = m_loop.callAfter(delay, [this] { pull(); });
}

} // namespace ringmaster
