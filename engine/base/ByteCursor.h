#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ringmaster {

/// Bytes that somebody else has written, read from their front and never past their end.
class ByteCursor
{
public:
    explicit ByteCursor(std::string_view bytes) : m_rest(bytes) {}

    /// Empty where so many aren't left: from then on nothing is.
    std::string_view take(std::uint64_t count)
    {
        m_endedEarly = m_endedEarly || count > m_rest.size();
        const std::string_view taken = m_rest.substr(0, m_endedEarly ? 0 : count);
        m_rest.remove_prefix(m_endedEarly ? m_rest.size() : taken.size());
        return taken;
    }

    /// Little-endian, of up to 8 bytes; 0 where they aren't left.
    std::uint64_t takeNumber(std::size_t bytes) { return numberOf(take(bytes), 0); }

    /// The same in two's complement.
    std::int64_t takeSigned(std::size_t bytes)
    {
        const std::string_view raw = take(bytes);
        const bool isNegative =
            !raw.empty() && (static_cast<unsigned char>(raw.back()) & 0x80U) != 0;
        return static_cast<std::int64_t>(numberOf(raw, isNegative ? ~std::uint64_t{0} : 0));
    }

    std::size_t left() const { return m_rest.size(); }
    /// More was asked for than there was.
    bool hasEndedEarly() const { return m_endedEarly; }

private:
    static std::uint64_t numberOf(std::string_view raw, std::uint64_t above)
    {
        for (std::size_t i = raw.size(); i-- > 0;)
            above = above << 8U | static_cast<unsigned char>(raw[i]);
        return above;
    }

    std::string_view m_rest;
    bool m_endedEarly = false;
};

} // namespace ringmaster
