#include "engine/worker/output/LineSplitter.h"

#include <utility>

namespace ringmaster {

void LineSplitter::feed(std::string_view bytes, const Emit& emit)
{
    while (!bytes.empty()) {
        if (std::exchange(m_skipsNewline, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t end = bytes.find_first_of("\r\n");
        const std::string_view text = bytes.substr(0, end);
        m_unfinished += text;
        if (end == std::string_view::npos) {
            if (m_unfinished.size() >= LongestPiece)
                flush(emit);
            return;
        }
        m_skipsNewline = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        emit(m_unfinished, true);
        m_unfinished.clear();
    }
}

void LineSplitter::flush(const Emit& emit)
{
    if (!m_unfinished.empty())
        emit(m_unfinished, false);
    m_unfinished.clear();
}

} // namespace ringmaster
