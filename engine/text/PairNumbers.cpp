#include "engine/text/PairNumbers.h"

#include "engine/text/NumberNames.h"
#include "engine/text/NumberText.h"

#include <algorithm>
#include <utility>

namespace ringmaster {

namespace {

/// Reads an object with names in quotes, flat: a number belongs to the name before it.
class PairReader
{
public:
    explicit PairReader(std::string_view text) : m_text(text) {}

    std::vector<NamedNumber> read()
    {
        for (size_t at = 0; at < m_text.size();)
            at = readFrom(at);
        return m_numbers.take();
    }

private:
    size_t readFrom(size_t at)
    {
        const char c = m_text[at];
        if (c == '"' || c == '\'')
            return readString(at);
        if (c == '[' || c == '{' || c == ',' || c == '(')
            m_name = {};
        if (m_name.empty() || c == ' ')
            return at + 1;
        if (const auto number = numberAt(m_text, at)) {
            put(number->value);
            return number->end;
        }
        m_name = {}; // another kind of value
        return at + 1;
    }

    size_t readString(size_t at)
    {
        const char quote = m_text[at];
        size_t end = at + 1;
        while (end < m_text.size() && m_text[end] != quote)
            end += m_text[end] == '\\' ? 2 : 1;
        if (end >= m_text.size())
            return m_text.size();
        const std::string_view inside = m_text.substr(at + 1, end - at - 1);
        const size_t next = skipBlanks(m_text, end + 1);
        if (next < m_text.size() && m_text[next] == ':') {
            m_name = inside;
            return next + 1;
        }
        // Some print their numbers as texts.
        const auto number = m_name.empty() ? std::nullopt : looseNumberAt(inside, 0);
        if (number && number->end == inside.size())
            put(number->value);
        m_name = {};
        return std::max(next, end);
    }

    void put(double value)
    {
        const std::string name = numberName(std::exchange(m_name, {}));
        if (!name.empty() && !isNoNumberName(name))
            m_numbers.addAs(name, value);
    }

    std::string_view m_text;
    std::string_view m_name{};
    NumberList m_numbers;
};

} // namespace

size_t readPairNumbers(std::string_view text, NumberList& numbers)
{
    size_t begin = text.find('{');
    while (begin != std::string_view::npos) {
        const size_t next = skipBlanks(text, begin + 1);
        if (next < text.size() && (text[next] == '"' || text[next] == '\''))
            break;
        begin = text.find('{', begin + 1);
    }
    if (begin == std::string_view::npos)
        return begin;
    const auto found = PairReader(text.substr(begin)).read();
    if (std::ranges::none_of(found, [](const NamedNumber& one) { return isNumberName(one.name); }))
        return std::string_view::npos;
    for (const NamedNumber& one : found)
        numbers.addAs(one.name, one.value);
    return begin;
}

} // namespace ringmaster
