#include "app/model/LogLineFinder.h"

#include <algorithm>

namespace ringmaster::app {

LogLineFinder::LogLineFinder(EngineBridge& bridge, std::string run, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_run(std::move(run))
{
}

LogLineFinder::~LogLineFinder()
{
    if (m_search)
        m_search->cancel();
}

void LogLineFinder::find(const Line& line)
{
    if (m_search)
        m_search->cancel();
    m_line = line;
    // Without terms: every line is one that was looked for.
    m_search = std::make_shared<LogSearch>(LogSearch::Query{
        .ranks = {line.globalRank}, .attempt = line.attempt, .stream = line.stream});
    advance();
}

void LogLineFinder::advance()
{
    m_bridge.ask(&Cluster::searchLog, m_run, m_search)
        .then(this, [this, asked = m_search](const Result<LogSearchPage>& page) {
            if (asked != m_search)
                return;
            if (page)
                arrived(*page);
            else
                Q_EMIT failed(page.error());
        });
}

void LogLineFinder::arrived(const LogSearchPage& page)
{
    const auto place = std::ranges::find(page.places, m_line.number, &LogPlace::number);
    if (place == page.places.end() && !page.isAtEnd)
        return advance();
    m_search.reset();
    if (place != page.places.end())
        Q_EMIT found(*place);
    else
        Q_EMIT missed(page.matches);
}

} // namespace ringmaster::app
