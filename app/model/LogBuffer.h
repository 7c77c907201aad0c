#pragma once

#include "engine/record/LogAssembler.h"

#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ringmaster::app {

/// A window of a log as lines, which grows at both ends. Lines have numbers that stay theirs; older
/// ones are put in front with lower numbers.
class LogBuffer
{
public:
    using LineId = std::int64_t;

    LogBuffer();

    /// New lines are those from the old endId() on; returns the older ones that changed.
    std::vector<LineId> append(const std::vector<LogChunk>& chunks);
    /// Older chunks, all before what is here. New lines are those before the old firstId(); returns
    /// the others that changed: those that a page boundary had cut.
    std::vector<LineId> prepend(const std::vector<LogChunk>& chunks);
    void dropFront(LineId firstKept);
    void dropBack(LineId firstDropped);
    void clear();

    LineId firstId() const { return m_firstId; }
    LineId endId() const { return m_firstId + static_cast<LineId>(m_lines.size()); }
    const LogLine& line(LineId id) const { return m_lines[static_cast<size_t>(id - m_firstId)]; }

private:
    using Key = std::tuple<int, int, Stream>; ///< attempt, rank, stream

    static Key keyOf(const LogLine& line);
    void take(const LogLine& line);
    void beginAssembly();

    std::deque<LogLine> m_lines;
    LineId m_firstId = 0;
    std::unique_ptr<LogAssembler> m_assembler;
    LineId m_assembledFrom = 0; ///< What the assembler's line 0 would be.
    std::vector<LineId> m_changed;
    LineId m_oldEnd = 0;
    std::map<Key, LineId> m_heads; ///< The first line of each stream: its beginning may be missing.
};

} // namespace ringmaster::app
