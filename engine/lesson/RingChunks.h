#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/lesson/TracerMessage.h"

#include <string>
#include <vector>

namespace ringmaster::lesson {

/// The chunks of one rank, read where its ring backend writes them (collective/ring/StepFile.h)
/// and not when the rank comes to tell of them: by then others may have told what was made of them.
class RingChunks
{
public:
    /// Null where reading the file might wait: it is the rank's process that gives it.
    static std::optional<RingChunks> open(FileDescriptor file);

    int file() const { return m_file.get(); }
    void addGroup(TracerGroup group) { m_groups.push_back(std::move(group)); }

    /// What has been written since the last time, in its order; chunks of a group that isn't known
    /// yet stay. False: there is more.
    bool read(std::vector<LessonStep>& steps);

private:
    explicit RingChunks(FileDescriptor file) : m_file(std::move(file)) {}

    bool take(std::string_view line, std::vector<LessonStep>& steps) const;

    FileDescriptor m_file;
    std::uint64_t m_offset = 0;
    std::string m_text; ///< Read, and not taken.
    std::vector<TracerGroup> m_groups;
};

} // namespace ringmaster::lesson
