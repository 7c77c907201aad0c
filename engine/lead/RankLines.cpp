#include "engine/lead/RankLines.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t LongestLine = 64U << 10U;

std::string prefixOf(int rank)
{
    return "[rank" + std::to_string(rank) + "]: ";
}

} // namespace

Console* RankLines::consoleOf(Stream stream) const
{
    return stream == Stream::Stdout ? m_consoles.output : m_consoles.error;
}

void RankLines::show(const LogChunk& chunk)
{
    Console* console = consoleOf(chunk.stream);
    if (console == nullptr)
        return;
    std::string& rest = m_rests[{chunk.attempt, chunk.globalRank, chunk.stream}];
    rest += chunk.bytes;
    const std::string prefix = prefixOf(chunk.globalRank);
    size_t at = 0;
    for (size_t end = rest.find('\n'); end != std::string::npos || rest.size() - at > LongestLine;
         end = rest.find('\n', at)) {
        const size_t length = std::min({end - at, LongestLine, rest.size() - at});
        console->write(prefix + rest.substr(at, length) + "\n");
        at += length + (at + length == end ? 1 : 0);
    }
    rest.erase(0, at);
}

void RankLines::showRests(Rests::iterator until)
{
    for (auto rest = m_rests.begin(); rest != until; rest = m_rests.erase(rest)) {
        const auto& [attempt, rank, stream] = rest->first;
        if (!rest->second.empty())
            consoleOf(stream)->write(prefixOf(rank) + rest->second + "\n");
    }
}

void RankLines::finishBefore(int attempt)
{
    showRests(m_rests.lower_bound({attempt, -1, Stream::Stdout}));
}

void RankLines::finish()
{
    showRests(m_rests.end());
}

bool RankLines::isBehind() const
{
    const auto isBehind = [](const Console* console) {
        return console != nullptr && console->isBehind();
    };
    return isBehind(m_consoles.output) || isBehind(m_consoles.error);
}

} // namespace ringmaster
