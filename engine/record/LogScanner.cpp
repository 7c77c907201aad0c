#include "engine/record/LogScanner.h"

#include "engine/record/LogAssembler.h"
#include "engine/record/TerminalText.h"

#include <algorithm>
#include <numeric>

namespace ringmaster {

struct LogScanner::Block
{
    struct Start
    {
        size_t at = 0;
        std::uint64_t cursor = 0;
        Moment moment{};
    };

    std::string text{};
    std::uint64_t offset = 0; ///< Of the text in the file.
    size_t passed = 0;        ///< The line that the file's number is about begins here.
    std::vector<Start> starts{};

    const Start& startOf(size_t at) const
    {
        const auto after = std::ranges::upper_bound(starts, at, {}, &Start::at);
        return *std::prev(after);
    }

    size_t lineEnd(size_t begin) const { return text.find('\n', begin); }

    size_t lineBegin(size_t at, size_t least) const
    {
        const size_t newline = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
        return newline == std::string::npos ? least : std::max(least, newline + 1);
    }
};

std::string shownText(std::string_view bytes, size_t limit)
{
    if (TerminalText::plainLength(bytes) == bytes.size())
        return std::string(bytes.substr(0, limit));
    TerminalText line;
    (void)line.read(bytes, limit);
    line.endOfInput();
    return line.text();
}

std::vector<LogScanner::Found> LogScanner::scan(std::span<const LogChunk> chunks)
{
    std::map<Key, std::vector<const LogChunk*>> files;
    for (const LogChunk& chunk : chunks) {
        if (m_options.stream && chunk.stream != *m_options.stream)
            continue;
        if (m_options.filter.concerns(chunk.attempt, chunk.globalRank, chunk.stream))
            files[{chunk.attempt, chunk.globalRank, chunk.stream}].push_back(&chunk);
    }
    for (const auto& [key, pieces] : files) {
        File& file = m_files[key];
        std::tie(file.line.attempt, file.line.globalRank, file.line.stream) = key;
        scanFile(file, pieces);
    }
    return takeFound();
}

void LogScanner::scanFile(File& file, std::span<const LogChunk* const> chunks)
{
    while (!chunks.empty()) {
        // Bytes are missing in between: the line that was open ended somewhere in them.
        if (chunks.front()->offset != file.end)
            endOpenLine(file);
        Block block;
        block.text = std::exchange(file.open, {});
        const size_t opened = block.text.size();
        block.text.reserve(std::accumulate(
            chunks.begin(), chunks.end(), opened,
            [](size_t sum, const LogChunk* chunk) { return sum + chunk->bytes.size(); }));
        block.offset = chunks.front()->offset - opened;
        if (file.hasOpenLine)
            block.starts.push_back({0, file.line.cursor, file.line.at});
        file.end = chunks.front()->offset;
        while (!chunks.empty() && chunks.front()->offset == file.end) {
            const LogChunk& chunk = *chunks.front();
            if (!chunk.bytes.empty())
                block.starts.push_back({block.text.size(), chunk.cursor, chunk.at});
            block.text += chunk.bytes;
            file.end += chunk.bytes.size();
            chunks = chunks.subspan(1);
        }
        // Nothing: the file is gone.
        if (block.text.size() == opened)
            file.open = std::move(block.text);
        else
            scanBlock(file, block);
    }
}

void LogScanner::scanBlock(File& file, Block& block)
{
    const std::string_view text(block.text.data(), block.text.rfind('\n') + 1);
    size_t at = 0;
    if (!text.empty() && file.isFound) {
        at = block.lineEnd(0) + 1;
        pass(file, block, at);
    }
    while (at < text.size()) {
        const size_t plain =
            at + TerminalText::plainLength(text.substr(at), TerminalText::Newlines::Plain);
        const size_t plainEnd = plain == text.size() ? plain : block.lineBegin(plain, at);
        scanPlain(file, block, at, plainEnd);
        at = plainEnd;
        if (at == text.size())
            break;
        const size_t end = block.lineEnd(at);
        if (m_options.filter.matchesText(shownText(text.substr(at, end - at))))
            match(file, block, at);
        at = end + 1;
    }
    putOwed(file, block, text.size());
    remember(file, block, text.size());
    keepOpen(file, block);
}

void LogScanner::scanPlain(File& file, Block& block, size_t from, size_t until)
{
    const std::string_view text(block.text.data(), until);
    for (size_t at = m_options.filter.nextCandidate(text, from); at < until;
         at = m_options.filter.nextCandidate(text, from)) {
        const size_t end = block.lineEnd(at);
        if (m_options.filter.matchesText(text.substr(at, end - at)))
            match(file, block, at);
        from = end + 1;
        if (from >= until)
            return;
    }
}

void LogScanner::match(File& file, Block& block, size_t begin)
{
    putOwed(file, block, begin);
    size_t around = begin;
    size_t lines = 0;
    for (; lines < m_options.linesAround && around > block.passed; ++lines)
        around = block.lineBegin(around - 1, block.passed);
    if (around == 0)
        putBefore(file, m_options.linesAround - lines);
    pass(file, block, around);
    while (block.passed < begin)
        putLine(file, block, false);
    ++m_matches;
    putLine(file, block, true);
    file.linesOwed = m_options.linesAround;
}

/// The lines after the last match.
void LogScanner::putOwed(File& file, Block& block, size_t until)
{
    for (; file.linesOwed > 0 && block.passed < until; --file.linesOwed)
        putLine(file, block, false);
}

/// Lines of the block before.
void LogScanner::putBefore(File& file, size_t count)
{
    const std::deque<Found> lines = std::exchange(file.before, {});
    for (size_t i = lines.size() - std::min(count, lines.size()); i < lines.size(); ++i)
        put(file, lines[i]);
}

void LogScanner::pass(File& file, Block& block, size_t until)
{
    if (until <= block.passed)
        return;
    for (size_t at = block.passed; at < until; at = block.lineEnd(at) + 1)
        ++file.line.number;
    block.passed = until;
    file.hasOpenLine = file.isFound = false;
}

LogScanner::Found LogScanner::foundAt(const File& file, const Block& block) const
{
    const size_t end = block.lineEnd(block.passed);
    Found found{.place = file.line};
    if (block.passed > 0 || !file.hasOpenLine) {
        const Block::Start& start = block.startOf(block.passed);
        found.place.cursor = start.cursor;
        found.place.at = start.moment;
        found.place.offset = block.offset + block.passed;
    }
    found.place.length = block.offset + end - found.place.offset;
    if (m_options.wantsTexts)
        found.bytes = block.text.substr(block.passed, end - block.passed);
    return found;
}

void LogScanner::putLine(File& file, Block& block, bool isMatch)
{
    Found found = foundAt(file, block);
    found.place.isMatch = isMatch;
    put(file, std::move(found));
    file.before.clear();
    pass(file, block, block.lineEnd(block.passed) + 1);
}

void LogScanner::put(File& file, Found found)
{
    const bool goesOn = m_options.linesAround > 0 && found.place.number == file.lastPut + 1;
    if (!goesOn)
        file.group = found.place.cursor;
    found.group = file.group;
    file.lastPut = found.place.number;
    m_found.push_back(std::move(found));
}

/// The last lines, which may stand before a match in the next block.
void LogScanner::remember(File& file, Block& block, size_t end)
{
    size_t from = end;
    for (size_t lines = 0; lines < m_options.linesAround && from > block.passed; ++lines)
        from = block.lineBegin(from - 1, block.passed);
    pass(file, block, from);
    while (block.passed < end) {
        Found found = foundAt(file, block);
        found.place.isMatch = false;
        file.before.push_back(std::move(found));
        pass(file, block, block.lineEnd(block.passed) + 1);
    }
    while (file.before.size() > m_options.linesAround)
        file.before.pop_front();
}

/// What the block ends with is the beginning of a line.
void LogScanner::keepOpen(File& file, Block& block)
{
    if (block.passed == block.text.size()) {
        file.hasOpenLine = file.isFound = false;
        return;
    }
    if (!file.hasOpenLine) {
        const Block::Start& start = block.startOf(block.passed);
        file.line.cursor = start.cursor;
        file.line.at = start.moment;
        file.line.offset = block.offset + block.passed;
        file.scannedOpen = 0;
    }
    file.hasOpenLine = true;
    file.open = block.text.substr(block.passed);
    if (file.open.size() <= LongestPiece)
        return;
    scanOpenLine(file);
    file.open.erase(0, file.open.size() - (file.isFound ? 0 : Overlap));
}

void LogScanner::scanOpenLine(File& file)
{
    if (!file.hasOpenLine || file.isFound || file.end == file.scannedOpen)
        return;
    file.scannedOpen = file.end;
    if (!m_options.filter.matchesText(shownText(file.open)))
        return;
    putBefore(file, m_options.linesAround);
    ++m_matches;
    file.line.length = file.end - file.line.offset;
    put(file, {.place = file.line, .bytes = m_options.wantsTexts ? file.open : std::string()});
    file.isFound = true;
    file.linesOwed = m_options.linesAround;
}

/// It gets no newline.
void LogScanner::endOpenLine(File& file)
{
    if (!file.hasOpenLine)
        return;
    scanOpenLine(file);
    if (!file.isFound && file.linesOwed > 0) {
        file.line.length = file.end - file.line.offset;
        Found found{.place = file.line, .bytes = m_options.wantsTexts ? file.open : std::string()};
        found.place.isMatch = false;
        put(file, std::move(found));
        --file.linesOwed;
    }
    file.open.clear();
    file.hasOpenLine = file.isFound = false;
    ++file.line.number;
}

std::vector<LogScanner::Found> LogScanner::scanOpenLines()
{
    for (auto& [key, file] : m_files)
        scanOpenLine(file);
    return takeFound();
}

std::vector<LogScanner::Found> LogScanner::finish()
{
    for (auto& [key, file] : m_files)
        endOpenLine(file);
    return takeFound();
}

std::vector<LogScanner::Found> LogScanner::takeFound()
{
    std::ranges::stable_sort(m_found, {}, &Found::group);
    return std::exchange(m_found, {});
}

} // namespace ringmaster
