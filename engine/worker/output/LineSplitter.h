#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ringmaster {

/// Cuts a stream into lines as Python's universal newlines do: `\n`, `\r` and `\r\n` all end a
/// line. Memory is bounded: a longer line comes in pieces.
class LineSplitter
{
public:
    static constexpr std::size_t LongestPiece = 64U << 10U;

    /// `text` is without its line end; `endsLine` is false for a piece of an unfinished line.
    using Emit = std::function<void(std::string_view text, bool endsLine)>;

    void feed(std::string_view bytes, const Emit& emit);

    /// Gives out an unfinished line as it is.
    void flush(const Emit& emit);

    bool hasUnfinished() const { return !m_unfinished.empty(); }

private:
    std::string m_unfinished;
    bool m_skipsNewline = false; ///< The last byte was `\r`: a `\n` now belongs to it.
};

} // namespace ringmaster
