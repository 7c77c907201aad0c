#include "engine/cli/LogPrinter.h"

#include "engine/cli/Text.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t PageBytes = 1U << 20U;

} // namespace

LogPrinter::LogPrinter(const RunFileReader& reader, Request request)
    : m_reader(reader)
    , m_request(std::move(request))
    , m_writer(m_request.look)
    , m_lines(m_request.lastLines, [this](const LogLine& line) { m_writer.write(line); })
    , m_assembler([this](const LogLine& line) {
        if (!line.isOpen)
            take(line);
    })
{
}

Result<void> LogPrinter::printRecorded()
{
    if (m_request.lastLines)
        RM_TRY(startNearEnd());
    RM_TRY(printNew());
    m_lines.release();
    m_writer.flush();
    return {};
}

/// Where so many lines begin, at least; those of one stream may lie anywhere.
Result<void> LogPrinter::startNearEnd()
{
    if (m_request.stream)
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
    m_writer.flush();
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
    m_writer.flush();
    if (m_lostBytes > 0)
        complain(sizeText(m_lostBytes) +
                 " of output could not be kept; the run's warnings (`ringmaster show --events`) or "
                 "its agent.log say why");
}

void LogPrinter::take(const LogLine& line)
{
    if (!m_request.stream || line.stream == *m_request.stream)
        m_lines.take(line);
}

} // namespace ringmaster
