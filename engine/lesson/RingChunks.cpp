#include "engine/lesson/RingChunks.h"

#include "engine/lesson/Faults.h"

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster::lesson {

namespace {

constexpr size_t BytesOfChunksARead = 1U << 20U;

} // namespace

std::optional<RingChunks> RingChunks::open(FileDescriptor file)
{
    // Only files in memory have seals.
    if (::fcntl(file.get(), F_GET_SEALS) < 0)
        return std::nullopt;
    return RingChunks(std::move(file));
}

bool RingChunks::read(std::vector<LessonStep>& steps)
{
    const size_t kept = m_text.size();
    m_text.resize(kept + BytesOfChunksARead);
    const ssize_t got = ::pread(m_file.get(), m_text.data() + kept, BytesOfChunksARead,
                                static_cast<off_t>(m_offset));
    m_text.resize(kept + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    m_offset += m_text.size() - kept;
    size_t taken = 0;
    for (size_t end = m_text.find('\n'); end != std::string::npos; end = m_text.find('\n', taken)) {
        if (!take(std::string_view(m_text).substr(taken, end - taken), steps))
            break;
        taken = end + 1;
    }
    m_text.erase(0, taken);
    return got < static_cast<ssize_t>(BytesOfChunksARead);
}

/// False: its group isn't known yet.
bool RingChunks::take(std::string_view line, std::vector<LessonStep>& steps) const
{
    std::optional<RingLine> told = parseRingLine(line);
    if (!told || told->group < 1)
        return true; // The file's limit, or nonsense.
    if (told->group > m_groups.size())
        return false;
    const auto& [name, members] = m_groups[told->group - 1];
    const auto size = static_cast<int>(members.size());
    LessonChunk& chunk = told->chunk;
    if (chunk.from < 0 || chunk.from >= size || chunk.to < 0 || chunk.to >= size)
        return true;
    chunk.from = members[static_cast<size_t>(chunk.from)];
    chunk.to = members[static_cast<size_t>(chunk.to)];
    chunk.group = name;
    LessonStep step{.kind = LessonStep::Kind::Chunk, .atNs = told->atNs, .chunk = chunk};
    if (told->isCorrupted) {
        LessonStep fault = step;
        fault.kind = LessonStep::Kind::Fault;
        fault.text = nameOf(InjectFault::Kind::CorruptData);
        steps.push_back(std::move(fault));
    }
    steps.push_back(std::move(step));
    return true;
}

} // namespace ringmaster::lesson
