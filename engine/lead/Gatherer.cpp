#include "engine/lead/Gatherer.h"

#include <utility>

namespace ringmaster {

namespace {

constexpr int MostFailures = 5;

} // namespace

Gatherer::Gatherer(EventLoop& loop, std::function<void()> done)
    : m_loop(loop), m_done(std::move(done)), m_replies(loop)
{
}

void Gatherer::start(AgentClient& client)
{
    m_client = &client;
    m_replies.drop();
    m_isAsking = m_mayBeOld = false;
    pull();
}

void Gatherer::stop()
{
    m_replies.drop();
    m_client = nullptr;
    m_isAsking = m_mayBeOld = false;
    m_next.cancel();
}

void Gatherer::finish()
{
    m_isFinishing = true;
    if (m_client == nullptr)
        m_done();
    else if (m_isAsking)
        m_mayBeOld = true;
    else
        pull();
}

void Gatherer::pull()
{
    m_next.cancel();
    ask(*m_client);
}

void Gatherer::rest(std::chrono::milliseconds interval)
{
    m_failures = 0;
    if (std::exchange(m_mayBeOld, false))
        return pull();
    if (m_isFinishing)
        return m_done();
    pullLater(interval);
}

void Gatherer::tryAgain(std::chrono::milliseconds interval)
{
    if (++m_failures >= MostFailures && m_isFinishing)
        return m_done();
    pullLater(interval);
}

void Gatherer::pullLater(std::chrono::milliseconds delay)
{
    m_next = m_loop.callAfter(delay, [this] { pull(); });
}

} // namespace ringmaster
