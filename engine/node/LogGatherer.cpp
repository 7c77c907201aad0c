#include "engine/node/LogGatherer.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto PullInterval = 200ms;
constexpr size_t BytesAPage = 1U << 20U;

} // namespace

LogGatherer::LogGatherer(EventLoop& loop, Sink& sink, std::string host, std::function<void()> done)
    : m_loop(loop), m_sink(sink), m_host(std::move(host)), m_done(std::move(done))
{
}

void LogGatherer::start(AgentClient& client)
{
    m_client = &client;
    ++m_connection;
    m_isPulling = false;
    pull();
}

void LogGatherer::stop()
{
    ++m_connection;
    m_client = nullptr;
    m_isPulling = false;
    m_next.cancel();
}

void LogGatherer::finish()
{
    m_isFinishing = true;
    if (m_client == nullptr)
        m_done();
    else if (!m_isPulling)
        pull();
}

void LogGatherer::pull()
{
    m_isPulling = true;
    m_next.cancel();
    m_client->readLog({.cursor = m_cursor, .maxBytes = BytesAPage},
                      [this, connection = m_connection,
                       alive = std::weak_ptr(m_alive)](const Result<LogPage>& page) {
                          m_loop.post([this, connection, alive, page] {
                              if (alive.lock() && connection == m_connection)
                                  pulled(page);
                          });
                      });
}

void LogGatherer::pulled(const Result<LogPage>& page)
{
    m_isPulling = false;
    if (page) {
        for (const LogChunk& chunk : page->chunks) {
            m_cursor = chunk.cursor;
            m_sink.logged(chunk);
        }
        if (page->lostBytes > m_lostBytes)
            m_sink.logLost(page->lostBytes - std::exchange(m_lostBytes, page->lostBytes));
        if (!page->chunks.empty() && m_cursor < page->lastCursor)
            return pull();
    }
    if (m_isFinishing)
        return m_done();
    m_next = m_loop.callAfter(PullInterval, [this] { pull(); });
}

} // namespace ringmaster
