#include "engine/cli/LogPrinter.h"

#include "engine/cli/Json.h"
#include "engine/cli/Text.h"
#include "engine/event/States.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

constexpr size_t PageBytes = 1U << 20U;

/// Ranks are told apart by colour, too.
Terminal::Style styleOf(int rank)
{
    constexpr std::array Styles{Terminal::Style::Blue, Terminal::Style::Green,
                                Terminal::Style::Yellow, Terminal::Style::Bold};
    return Styles.at(static_cast<size_t>(rank) % Styles.size());
}

} // namespace

LogPrinter::LogPrinter(const RunFileReader& reader, Request request)
    : m_reader(reader), m_request(std::move(request)), m_assembler([this](const LogLine& line) {
        if (!line.isOpen)
            take(line);
    })
{
}

Result<void> LogPrinter::printRecorded()
{
    m_isHolding = m_request.lastLines.has_value();
    if (m_isHolding)
        RM_TRY(startNearEnd());
    RM_TRY(printNew());
    m_isHolding = false;
    for (const LogLine& line : std::exchange(m_held, {}))
        print(line);
    return {};
}

/// Where so many lines begin, at least; filtered lines may lie anywhere.
Result<void> LogPrinter::startNearEnd()
{
    if (!m_request.filter.isEmpty() || m_request.stream)
        return {};
    LogQuery query{.direction = LogQuery::Direction::Backward,
                   .ranks = m_request.ranks,
                   .attempt = m_request.attempt,
                   .maxBytes = PageBytes};
    for (size_t lines = 0; lines <= *m_request.lastLines;) {
        const LogPage page = RM_TRY(m_reader.readLog(query));
        if (page.chunks.empty()) {
            m_cursor = 0;
            return {};
        }
        for (const LogChunk& chunk : page.chunks)
            lines += static_cast<size_t>(std::ranges::count(chunk.bytes, '\n'));
        query.cursor = page.chunks.front().cursor;
        m_cursor = query.cursor - 1;
    }
    return {};
}

Result<void> LogPrinter::printNew()
{
    while (RM_TRY(readPage())) {
    }
    return {};
}

Result<bool> LogPrinter::readPage()
{
    const LogPage page = RM_TRY(m_reader.readLog({.cursor = m_cursor,
                                                  .ranks = m_request.ranks,
                                                  .attempt = m_request.attempt,
                                                  .maxBytes = PageBytes}));
    m_lostBytes = page.lostBytes;
    for (const LogChunk& chunk : page.chunks)
        m_assembler.add(chunk);
    if (page.chunks.empty())
        return false;
    m_cursor = page.chunks.back().cursor;
    return true;
}

void LogPrinter::finish()
{
    m_assembler.finish();
    if (m_lostBytes > 0)
        complain(sizeText(m_lostBytes) + " of output could not be kept (the disk was full)");
}

void LogPrinter::take(const LogLine& line)
{
    if ((m_request.stream && line.stream != *m_request.stream) || !m_request.filter.matches(line))
        return;
    if (!m_isHolding) {
        print(line);
        return;
    }
    m_held.push_back(line);
    if (m_held.size() > *m_request.lastLines)
        m_held.pop_front();
}

void LogPrinter::print(const LogLine& line) const
{
    m_out.print(m_request.isJson ? jsonOf(line) : textOf(line) + "\n");
}

std::string LogPrinter::textOf(const LogLine& line) const
{
    std::string text;
    if (m_request.hasTimes)
        text += m_out.styled(timeText(line.at.wallNs) + " ", Terminal::Style::Dim);
    if (m_request.ranks.size() != 1)
        text +=
            m_out.styled("[" + std::to_string(line.globalRank) + "] ", styleOf(line.globalRank));
    if (line.level == LogLevel::Error)
        return text + m_out.styled(line.text, Terminal::Style::Red);
    return text + line.text;
}

std::string LogPrinter::jsonOf(const LogLine& line) const
{
    return dumpLine({{"wallNs", line.at.wallNs},
                     {"attempt", line.attempt},
                     {"rank", line.globalRank},
                     {"stream", nameOf(line.stream)},
                     {"text", line.text}});
}

} // namespace ringmaster
