#include "app/model/LogBuffer.h"

#include <algorithm>

namespace ringmaster::app {

LogBuffer::LogBuffer()
{
    beginAssembly();
}

LogBuffer::Key LogBuffer::keyOf(const LogLine& line)
{
    return {line.attempt, line.globalRank, line.stream};
}

void LogBuffer::beginAssembly()
{
    m_assembledFrom = endId() - 1;
    m_assembler = std::make_unique<LogAssembler>([this](const LogLine& line) { take(line); });
}

namespace {

/// `older` is the beginning of the line that `line` goes on with.
void putInFront(const LogLine& older, LogLine& line)
{
    for (StyledRun& run : line.runs)
        run.begin += static_cast<std::uint32_t>(older.text.size());
    line.runs.insert(line.runs.begin(), older.runs.begin(), older.runs.end());
    line.text.insert(0, older.text);
    line.offset = older.offset;
    line.level = guessLevel(line.text);
}

} // namespace

/// The assembler numbers from 1 and says a line again when it has changed.
void LogBuffer::take(const LogLine& line)
{
    const LineId id = m_assembledFrom + static_cast<LineId>(line.number);
    if (id < m_firstId)
        return;
    if (id >= endId()) {
        // Lines are numbered when they begin, but one that is still empty hasn't been said yet.
        while (endId() <= id) {
            m_lines.push_back(line);
            m_lines.back().text.clear();
            m_lines.back().runs.clear();
        }
        m_heads.try_emplace(keyOf(line), id);
    }
    m_lines[static_cast<size_t>(id - m_firstId)] = line;
    if (id < m_oldEnd)
        m_changed.push_back(id);
}

std::vector<LogBuffer::LineId> LogBuffer::append(const std::vector<LogChunk>& chunks)
{
    m_changed.clear();
    m_oldEnd = endId();
    for (const LogChunk& chunk : chunks)
        m_assembler->add(chunk);
    std::ranges::sort(m_changed);
    m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
    return std::exchange(m_changed, {});
}

std::vector<LogBuffer::LineId> LogBuffer::prepend(const std::vector<LogChunk>& chunks)
{
    LogBuffer older;
    older.append(chunks);
    // A line that is open at the end of the older page goes on in the first one here.
    std::vector<LineId> changed;
    std::deque<LogLine> kept;
    std::map<Key, LineId> heads;
    for (LogLine& line : older.m_lines) {
        const auto head = m_heads.find(keyOf(line));
        if (line.isOpen && head != m_heads.end()) {
            LogLine& cut = m_lines[static_cast<size_t>(head->second - m_firstId)];
            putInFront(line, cut);
            changed.push_back(head->second);
            continue;
        }
        heads.try_emplace(keyOf(line), static_cast<LineId>(kept.size()));
        kept.push_back(std::move(line));
    }
    m_firstId -= static_cast<LineId>(kept.size());
    m_lines.insert(m_lines.begin(), std::make_move_iterator(kept.begin()),
                   std::make_move_iterator(kept.end()));
    for (const auto& [key, index] : heads)
        m_heads[key] = m_firstId + index;
    std::ranges::sort(changed);
    return changed;
}

void LogBuffer::dropFront(LineId firstKept)
{
    const auto size = static_cast<LineId>(m_lines.size());
    const LineId count = std::clamp<LineId>(firstKept - m_firstId, 0, size);
    m_lines.erase(m_lines.begin(), m_lines.begin() + count);
    m_firstId += count;
    std::erase_if(m_heads, [this](const auto& head) { return head.second < m_firstId; });
}

void LogBuffer::dropBack(LineId firstDropped)
{
    const auto size = static_cast<LineId>(m_lines.size());
    const LineId kept = std::clamp<LineId>(firstDropped - m_firstId, 0, size);
    m_lines.erase(m_lines.begin() + kept, m_lines.end());
    std::erase_if(m_heads, [this](const auto& head) { return head.second >= endId(); });
    beginAssembly();
}

void LogBuffer::clear()
{
    m_lines.clear();
    m_heads.clear();
    m_firstId = 0;
    beginAssembly();
}

} // namespace ringmaster::app
