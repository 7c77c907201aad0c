#pragma once

#include <string>
#include <string_view>

namespace ringmaster {

/// A to Z as a to z, and nothing else.
std::string lowered(std::string_view text);

/// Finds a text in a long one, in either case as far as it is ASCII. Reads eight bytes at once.
class TextFinder
{
public:
    explicit TextFinder(std::string_view text);

    /// npos: it isn't there.
    size_t find(std::string_view in, size_t from = 0) const;
    const std::string& text() const { return m_text; } ///< In lower case.

private:
    size_t findFolded(std::string_view in, size_t from) const;
    bool standsAt(const char* place) const;

    std::string m_text;
    bool m_hasLetters = false;
};

} // namespace ringmaster
