#include "engine/record/NumberScanner.h"

#include "engine/record/LogScanner.h"
#include "engine/text/BarNumbers.h"

namespace ringmaster {

namespace {

/// More can't be writing at once; a damaged file may say so all the same.
constexpr size_t MostNumberLines = 16'384;

/// torch puts "[rank0]: " before the lines of a traceback.
std::string_view withoutRank(std::string_view text)
{
    if (!text.starts_with("[rank"))
        return text;
    const size_t end = text.find("]: ");
    return end == std::string_view::npos ? text : text.substr(end + 3);
}

bool hasDigit(std::string_view text)
{
    return text.find_first_of("0123456789") != std::string_view::npos;
}

} // namespace

void NumberScanner::scan(const LogChunk& chunk, const Sink& sink)
{
    const Key key{chunk.attempt, chunk.globalRank, chunk.stream};
    if (m_lines.size() >= MostNumberLines && !m_lines.contains(key))
        m_lines.clear();
    Line& line = m_lines[key];
    // Bytes are missing in between: what comes doesn't belong to the line that there was.
    if (chunk.offset != line.nextOffset)
        line = {.isCut = true};
    line.nextOffset = chunk.offset + chunk.bytes.size();
    line.at = chunk.at;
    std::string_view rest = chunk.bytes;
    while (!rest.empty()) {
        const size_t end = rest.find_first_of("\n\r");
        const std::string_view text = rest.substr(0, end);
        line.isScanned = line.isScanned && text.empty();
        if (end == std::string_view::npos) {
            line.open += text.substr(0, LineNumbers::LongestLine - line.open.size());
            return;
        }
        if (line.open.empty()) {
            endLine(key, line, text, sink);
        } else {
            line.open += text.substr(0, LineNumbers::LongestLine - line.open.size());
            endLine(key, line, line.open, sink);
            line.open.clear();
        }
        line.isScanned = false;
        line.isCut = false;
        line.isRedrawn = rest[end] == '\r';
        rest.remove_prefix(end + 1);
    }
}

void NumberScanner::endLine(const Key& key, Line& line, std::string_view text,
                            const Sink& sink) const
{
    if (text.empty() || line.isScanned || line.isCut)
        return;
    const std::string_view said = withoutRank(text);
    if (said.starts_with("Traceback (most recent call last)") || said.starts_with("  File \"")) {
        line.isTraceback = true;
        return;
    }
    if (line.isTraceback && (said.starts_with("  ") || said.empty()))
        return;
    line.isTraceback = false;
    read(key, line, text, sink);
}

void NumberScanner::read(const Key& key, const Line& line, std::string_view text,
                         const Sink& sink) const
{
    if (!hasDigit(text))
        return;
    const bool isStyled = text.find('\x1b') != std::string_view::npos;
    const std::string shown = isStyled ? shownText(text, LineNumbers::LongestLine) : std::string();
    const auto numbers = m_reader.read(isStyled ? shown : text);
    if (!numbers.empty())
        sink({std::get<0>(key), std::get<1>(key), line.at, numbers});
}

void NumberScanner::scanOpenBars(const Sink& sink)
{
    for (auto& [key, line] : m_lines) {
        if (!line.isRedrawn || line.isScanned || line.open.empty() || !isWholeBar(line.open))
            continue;
        read(key, line, line.open, sink);
        line.isScanned = true;
    }
}

} // namespace ringmaster
