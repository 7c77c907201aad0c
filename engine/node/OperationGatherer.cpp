#include "engine/node/OperationGatherer.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// A verdict is to be there in seconds.
constexpr auto BetweenPulls = 400ms;

} // namespace

OperationGatherer::OperationGatherer(EventLoop& loop, Sink& sink, std::string agent,
                                     std::function<void()> done)
    : m_loop(loop), m_sink(sink), m_agent(std::move(agent)), m_done(std::move(done))
{
}

void OperationGatherer::start(AgentClient& client)
{
    m_client = &client;
    ++m_connection;
    m_isPulling = false;
    pull();
}

void OperationGatherer::stop()
{
    ++m_connection;
    m_client = nullptr;
    m_isPulling = false;
    m_next.cancel();
}

void OperationGatherer::finish()
{
    m_isFinishing = true;
    if (m_client == nullptr)
        m_done();
    else if (!m_isPulling)
        pull();
}

template <class T>
std::function<void(Result<T>)>
OperationGatherer::answered(void (OperationGatherer::*then)(const Result<T>&))
{
    return [this, then, connection = m_connection,
            alive = std::weak_ptr(m_alive)](const Result<T>& result) {
        m_loop.post([this, then, connection, alive, result] {
            if (alive.lock() && connection == m_connection)
                (this->*then)(result);
        });
    };
}

void OperationGatherer::pull()
{
    m_isPulling = true;
    m_next.cancel();
    m_client->readOperations(m_cursor, answered<OperationPage>(&OperationGatherer::pulled));
}

void OperationGatherer::pulled(const Result<OperationPage>& page)
{
    m_isPulling = false;
    if (page) {
        for (const OperationRow& row : page->rows)
            m_sink.operationsCame(m_agent, row);
        m_cursor = page->cursor;
        if (!page->rows.empty())
            return pull();
    }
    if (m_isFinishing)
        return m_done();
    m_isPulling = true;
    m_client->lookAtRanks(m_sink.stacksWanted(),
                          answered<std::vector<RankState>>(&OperationGatherer::seen));
}

void OperationGatherer::seen(const Result<std::vector<RankState>>& ranks)
{
    m_isPulling = false;
    if (ranks && !ranks->empty())
        m_sink.ranksSeen(m_agent, *ranks);
    if (m_isFinishing)
        return pull();
    m_next = m_loop.callAfter(BetweenPulls, [this] { pull(); });
}

} // namespace ringmaster
