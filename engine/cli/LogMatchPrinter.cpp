#include "engine/cli/LogMatchPrinter.h"

#include "engine/cli/Json.h"

namespace ringmaster {

namespace {

/// Printed while the search goes on.
constexpr size_t PartBytes = 16U << 20U;

LogSearch::Query queryOf(const LogMatchPrinter::Request& request)
{
    LogSearch::Query query = request.query;
    query.wantsTexts = !request.countsOnly;
    return query;
}

bool isNext(const LogPlace& before, const LogPlace& place)
{
    return before.number + 1 == place.number && before.globalRank == place.globalRank &&
           before.stream == place.stream && before.attempt == place.attempt;
}

} // namespace

LogMatchPrinter::LogMatchPrinter(const RunFileReader& reader, Request request)
    : m_reader(reader)
    , m_request(std::move(request))
    , m_search(queryOf(m_request))
    , m_writer(m_request.look)
    , m_lines(m_request.lastLines, [this](const Line& line) { print(line); })
{
}

Result<void> LogMatchPrinter::printNew(bool isOver)
{
    for (bool isAtEnd = false; !isAtEnd;) {
        const LogSearchPage page = RM_TRY(m_search.advance(
            [this](const LogQuery& query) { return m_reader.readLog(query); }, PartBytes, isOver));
        isAtEnd = page.isAtEnd;
        m_matches = page.matches;
        for (size_t i = 0; i < page.texts.size(); ++i)
            m_lines.take({page.places[i], page.texts[i]});
        m_writer.flush();
        for (const Message& problem : page.problems)
            complain(describe(problem));
    }
    return {};
}

void LogMatchPrinter::finish()
{
    m_lines.release();
    m_writer.flush();
    if (!m_request.countsOnly)
        return;
    const std::string count = std::to_string(m_matches);
    Terminal(1).print(m_request.look.isJson ? dumpLine({{"matches", m_matches}}) : count + "\n");
}

void LogMatchPrinter::print(const Line& line)
{
    const auto& [place, text] = line;
    if (m_request.query.linesAround > 0 && m_last && !isNext(*m_last, place))
        m_writer.writeGap();
    m_last = place;
    m_writer.write(lineOf(place, text),
                   place.isMatch ? LogLineWriter::Place::Match : LogLineWriter::Place::Around);
}

} // namespace ringmaster
