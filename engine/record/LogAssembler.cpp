#include "engine/record/LogAssembler.h"

#include <climits>

namespace ringmaster {

namespace {

/// More can't be writing at once; a damaged file may say so all the same.
constexpr size_t MostOpenLines = 16'384;

} // namespace

LogAssembler::LogAssembler(Sink sink) : m_sink(std::move(sink)) {}

void LogAssembler::add(const LogChunk& chunk)
{
    const Key key{chunk.globalRank, chunk.stream, chunk.attempt};
    OpenLine& open = openLineOf(key, chunk);
    open.nextOffset = chunk.offset + chunk.bytes.size();
    const std::string before = open.text.text();

    std::string_view rest = chunk.bytes;
    bool hasChanged = false;
    for (;;) {
        if (open.line.number == 0 && !rest.empty())
            begin(open, chunk, open.nextOffset - rest.size());
        const auto stop = open.text.read(rest, LongestLine);
        if (stop == TerminalText::Stop::InputEnd)
            break;
        hasChanged = true;
        if (stop == TerminalText::Stop::Newline) {
            complete(open);
        } else {
            emit(open, false, true);
            open.text.breakHere();
            open.line = {};
        }
    }
    if (hasChanged ? !open.text.text().empty() : open.text.text() != before)
        emit(open, true, false);
}

void LogAssembler::finish()
{
    for (auto& [key, open] : m_open) {
        open.text.endOfInput();
        if (!open.text.text().empty())
            complete(open);
    }
    m_open.clear();
}

LogAssembler::OpenLine& LogAssembler::openLineOf(const Key& key, const LogChunk& chunk)
{
    // A rank that writes in a new attempt writes no more in the ones before.
    const auto first = m_open.lower_bound({key.globalRank, key.stream, INT_MIN});
    for (auto older = first; older != m_open.end() && older->first < key;) {
        if (!older->second.text.text().empty())
            complete(older->second);
        older = m_open.erase(older);
    }
    if (m_open.size() >= MostOpenLines && !m_open.contains(key))
        finish();

    OpenLine& open = m_open[key];
    // Bytes are missing in between: what comes doesn't belong to the line that there was.
    if (open.line.number != 0 && chunk.offset != open.nextOffset) {
        open.text.endOfInput();
        if (!open.text.text().empty())
            complete(open);
        open.text.clear();
        open.line = {};
    }
    return open;
}

void LogAssembler::begin(OpenLine& open, const LogChunk& chunk, std::uint64_t offset)
{
    open.line = {.number = ++m_lastNumber,
                 .cursor = chunk.cursor,
                 .offset = offset,
                 .at = chunk.at,
                 .attempt = chunk.attempt,
                 .globalRank = chunk.globalRank,
                 .stream = chunk.stream};
}

void LogAssembler::emit(OpenLine& open, bool isOpen, bool isBroken)
{
    open.line.text = open.text.text();
    open.line.runs = open.text.runs();
    open.line.level = guessLevel(open.line.text);
    open.line.isOpen = isOpen;
    open.line.isBroken = isBroken;
    m_sink(open.line);
}

void LogAssembler::complete(OpenLine& open)
{
    emit(open, false, false);
    open.text.clear();
    open.line = {};
}

LogLine lineOf(const LogPlace& place, std::string_view bytes)
{
    TerminalText text;
    const bool isBroken = text.read(bytes, LogAssembler::LongestLine) == TerminalText::Stop::Full;
    text.endOfInput();
    return {.number = place.number,
            .cursor = place.cursor,
            .offset = place.offset,
            .at = place.at,
            .attempt = place.attempt,
            .globalRank = place.globalRank,
            .stream = place.stream,
            .level = guessLevel(text.text()),
            .text = text.text(),
            .runs = text.runs(),
            .isBroken = isBroken};
}

} // namespace ringmaster
