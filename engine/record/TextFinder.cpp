#include "engine/record/TextFinder.h"

#include "engine/record/EightBytes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ringmaster {

namespace {

char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

bool isLetter(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

/// A byte as it is compared: letters in either case are equal with this bit set.
struct Folded
{
    explicit Folded(char byte)
        : mask(eightOf(isLetter(byte) ? 0x20 : 0)), bytes(eightOf(static_cast<unsigned char>(byte)))
    {
    }

    /// Zero bytes where it stands. What isn't a letter may look like one: a hit is looked at again.
    std::uint64_t differenceFrom(const char* place) const
    {
        return (eightBytesAt(place) | mask) ^ bytes;
    }

    std::uint64_t mask;
    std::uint64_t bytes;
};

} // namespace

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

TextFinder::TextFinder(std::string_view text)
    : m_text(lowered(text)), m_hasLetters(std::ranges::any_of(m_text, isLetter))
{
}

bool TextFinder::standsAt(const char* place) const
{
    return std::equal(m_text.begin(), m_text.end(), place,
                      [](char own, char other) { return own == lower(other); });
}

size_t TextFinder::find(std::string_view in, size_t from) const
{
    if (from > in.size() || in.size() - from < m_text.size())
        return std::string_view::npos;
    if (m_text.empty())
        return from;
    if (m_hasLetters)
        return findFolded(in, from);
    const void* found = memmem(in.data() + from, in.size() - from, m_text.data(), m_text.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<size_t>(static_cast<const char*>(found) - in.data());
}

/// First and last byte at once, for eight places: few places are looked at that aren't it.
size_t TextFinder::findFolded(std::string_view in, size_t from) const
{
    const Folded first(m_text.front());
    const Folded last(m_text.back());
    const size_t toLast = m_text.size() - 1;
    const size_t places = in.size() - toLast; // where it could begin
    size_t at = from;
    for (; at + sizeof(std::uint64_t) <= places; at += sizeof(std::uint64_t)) {
        const char* place = in.data() + at;
        const std::uint64_t differs =
            first.differenceFrom(place) | last.differenceFrom(place + toLast);
        if (zeroBytesIn(differs) == 0)
            continue;
        for (size_t i = 0; i < sizeof differs; ++i) {
            if (standsAt(place + i))
                return at + i;
        }
    }
    for (; at < places; ++at) {
        if (standsAt(in.data() + at))
            return at;
    }
    return std::string_view::npos;
}

} // namespace ringmaster
