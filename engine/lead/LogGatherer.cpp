#include "engine/lead/LogGatherer.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto PullInterval = 200ms;
constexpr size_t BytesAPage = 1U << 20U;

} // namespace

LogGatherer::LogGatherer(EventLoop& loop, Sink& sink, std::function<void()> done)
    : Gatherer(loop, std::move(done)), m_sink(sink)
{
}

void LogGatherer::ask(AgentClient& client)
{
    if (m_sink.isBehind())
        return pullLater(PullInterval);
    client.readLog({.cursor = m_cursor, .maxBytes = BytesAPage},
                   answered<LogPage>([this](const Result<LogPage>& page) { pulled(page); }));
}

void LogGatherer::pulled(const Result<LogPage>& page)
{
    if (!page)
        return tryAgain(PullInterval);
    for (const LogChunk& chunk : page->chunks) {
        m_cursor = chunk.cursor;
        m_sink.logged(chunk);
    }
    if (page->lostBytes > m_lostBytes)
        m_sink.logLost(page->lostBytes - std::exchange(m_lostBytes, page->lostBytes));
    if (!page->chunks.empty() && m_cursor < page->lastCursor)
        return pull();
    rest(PullInterval);
}

} // namespace ringmaster
