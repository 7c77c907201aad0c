#include "engine/lead/OperationGatherer.h"

#include "engine/base/Clock.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// A verdict is to be there in seconds.
constexpr auto BetweenPulls = 400ms;

} // namespace

OperationGatherer::OperationGatherer(EventLoop& loop, Sink& sink, std::string agent,
                                     std::function<void()> done)
    : Gatherer(loop, std::move(done)), m_sink(sink), m_agent(std::move(agent))
{
}

void OperationGatherer::ask(AgentClient& client)
{
    m_askedNs = isFinishing() ? AtItsEnd : SystemClock().now().monotonicNs;
    client.readOperations(
        m_cursor,
        answered<OperationPage>([this](const Result<OperationPage>& page) { pulled(page); }));
}

void OperationGatherer::pulled(const Result<OperationPage>& page)
{
    if (!page)
        return tryAgain(BetweenPulls);
    for (const OperationRow& row : page->rows)
        m_sink.operationsCame(m_agent, row);
    m_cursor = page->cursor;
    if (!page->rows.empty())
        return pull();
    if (isFinishing()) {
        m_sink.allCame(m_agent, m_askedNs);
        return rest(BetweenPulls);
    }
    client().lookAtRanks(
        m_sink.stacksWanted(),
        answered<std::vector<RankActivity>>(
            [this](const Result<std::vector<RankActivity>>& ranks) { seen(ranks); }));
}

void OperationGatherer::seen(const Result<std::vector<RankActivity>>& ranks)
{
    if (ranks && !ranks->empty())
        m_sink.ranksSeen(m_agent, *ranks);
    if (ranks)
        m_sink.allCame(m_agent, m_askedNs);
    if (isFinishing())
        return pull();
    rest(BetweenPulls);
}

} // namespace ringmaster
