#pragma once

#include <istream>
#include <string>

namespace ringmaster {

/// The lines of a file that something else wrote, one after the other; none that is longer than a
/// limit.
class ImportLines
{
public:
    ImportLines(std::istream& stream, std::size_t longest) : m_stream(stream), m_longest(longest) {}

    /// False at the end, and at a line that is too long. Without its line break.
    bool next(std::string& line);

    bool isTooLong() const { return m_isTooLong; }
    /// The last one that came wasn't ended by a line break.
    bool isLast() const { return m_isLast; }

private:
    std::istream& m_stream;
    const std::size_t m_longest;
    bool m_isTooLong = false;
    bool m_isLast = false;
};

} // namespace ringmaster
