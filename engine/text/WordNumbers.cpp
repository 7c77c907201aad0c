#include "engine/text/WordNumbers.h"

#include "engine/text/NumberNames.h"
#include "engine/text/NumberText.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

/// A point in time, not an epoch of a training.
constexpr double LargestEpoch = 1e7;

enum class Sign { None, Said, Bracket };

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr auto IsOfNumberName = [] {
    std::array<bool, 256> is{};
    for (const std::string_view range : {"az", "AZ", "09", "__", "//", "..", "--", "@@"}) {
        for (char c = range[0]; c <= range[1]; ++c)
            is.at(static_cast<unsigned char>(c)) = true;
    }
    return is;
}();

bool isOfName(char c)
{
    return IsOfNumberName.at(static_cast<unsigned char>(c));
}

/// A name begins at the beginning of a word, not within an option, a path or an address.
bool mayBeginBehind(char before)
{
    constexpr std::string_view Ends = " \t,;:|([{<>'\"";
    return Ends.find(before) != std::string_view::npos ||
           static_cast<unsigned char>(before) >= 0x80;
}

/// Behind the beginning of `tensor(0.31, device='cuda:0')`, where there is one.
size_t skipWrapping(std::string_view text, size_t at)
{
    if (at >= text.size() || (text[at] != 't' && text[at] != 'n' && text[at] != 'a'))
        return at;
    for (const std::string_view begin :
         {"tensor(", "np.float64(", "np.float32(", "np.float16(", "array("}) {
        if (text.substr(at).starts_with(begin))
            return at + begin.size();
    }
    return at;
}

class WordReader
{
public:
    WordReader(std::string_view text, NumberList& numbers) : m_text(text), m_numbers(numbers) {}

    void read()
    {
        for (size_t at = 0; at < m_text.size();) {
            if (!isLetter(m_text[at]) || (at > 0 && !mayBeginBehind(m_text[at - 1]))) {
                at = isOfName(m_text[at]) ? endOfWord(at) : at + 1;
                continue;
            }
            const size_t begin = at;
            at = readWord(begin, endOfWord(begin));
        }
    }

private:
    size_t endOfWord(size_t at) const
    {
        while (at < m_text.size() && isOfName(m_text[at]))
            ++at;
        return at;
    }

    /// Answers where to go on.
    size_t readWord(size_t begin, size_t end)
    {
        const size_t wordEnd = end;
        while (end > begin + 1 && (m_text[end - 1] == '-' || m_text[end - 1] == '.'))
            --end;
        const auto [at, sign] =
            end == wordEnd ? signBehind(begin, end) : std::pair(end, Sign::None);
        const size_t valueAt = skipWrapping(m_text, at);
        size_t next = wordEnd;
        const bool mayBeNumber = at > end && valueAt < m_text.size() && beginsNumber(valueAt);
        const auto number = mayBeNumber ? numberAt(m_text, valueAt) : std::nullopt;
        const auto loose = mayBeNumber && !number ? looseNumberAt(m_text, valueAt) : std::nullopt;
        if (number || (loose && loose->end < m_text.size() && m_text[loose->end] == '/')) {
            const std::string name = nameOf(begin, end, sign);
            if (!name.empty())
                next = std::max(next, take(name, sign, number ? *number : *loose));
        }
        m_previous = m_text.substr(begin, end - begin);
        m_previousEnd = end;
        return next;
    }

    bool beginsNumber(size_t at) const
    {
        const char c = m_text[at];
        return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
    }

    /// Where the number would begin, and what stands between it and the name.
    std::pair<size_t, Sign> signBehind(size_t begin, size_t end) const
    {
        size_t at = end;
        const char quote = begin > 0 ? m_text[begin - 1] : ' ';
        if (at < m_text.size() && (quote == '"' || quote == '\'') && m_text[at] == quote)
            ++at;
        const size_t behindQuote = at;
        at = skipBlanks(m_text, at);
        Sign sign = Sign::None;
        if (at < m_text.size() && (m_text[at] == '=' || m_text[at] == ':')) {
            sign = Sign::Said;
            at = skipBlanks(m_text, at + 1);
        } else if (behindQuote != end) {
            return {end, sign};
        }
        if (at < m_text.size() && m_text[at] == '[')
            return {skipBlanks(m_text, at + 1), Sign::Bracket};
        return {at, sign};
    }

    /// Empty: it isn't one that is known.
    std::string nameOf(size_t begin, size_t end, Sign sign) const
    {
        std::string name = numberName(m_text.substr(begin, end - begin));
        if (name.empty())
            return name;
        const bool isBehindWord =
            m_previousEnd > 0 && m_previousEnd + 1 == begin && m_text[m_previousEnd] == ' ';
        if (isBehindWord) {
            const std::string word = numberName(m_previous);
            const std::string both = word + "_" + name;
            const bool isPhrase = both == "learning_rate" || both == "grad_norm";
            if (isPhrase || (isNumberQualifier(word) && isNumberName(name) && !isCounterName(name)))
                name = both;
        }
        if (sign == Sign::Bracket && !isCounterName(name))
            return {};
        return (sign == Sign::None ? isPlainNumberName(name) : isNumberName(name)) ? name
                                                                                   : std::string();
    }

    size_t take(const std::string& name, Sign sign, const NumberText& number)
    {
        const auto [total, end] = totalBehind(number.end);
        if (!isCounterName(name)) {
            // "9850/10000" is a part of a whole.
            if (!total)
                return endsNumber(m_text, number.end) ? add(name, number.value, {}, number.end)
                                                      : number.end;
            return *total > 0 && number.value <= *total ? add(name, number.value / *total, {}, end)
                                                        : end;
        }
        if (!total && !endsNumber(m_text, number.end))
            return number.end;
        const bool isEpoch = name.ends_with("epoch");
        if (number.value < 0 || (!number.isWhole && !isEpoch) ||
            (isEpoch && number.value > LargestEpoch))
            return number.end;
        add(name, number.value, total, end);
        return isEpoch && !total ? takeBracketed(end, sign) : end;
    }

    size_t add(const std::string& name, double value, std::optional<double> total, size_t end)
    {
        m_numbers.addAs(name, value, total);
        return end;
    }

    /// "/1000", "/ 1000", " of 1000"
    std::pair<std::optional<double>, size_t> totalBehind(size_t at) const
    {
        size_t next = skipBlanks(m_text, at);
        if (next < m_text.size() && m_text[next] == '/')
            next = skipBlanks(m_text, next + 1);
        else if (next > at && m_text.substr(next).starts_with("of "))
            next = skipBlanks(m_text, next + 3);
        else
            return {std::nullopt, at};
        const auto total = numberAt(m_text, next);
        if (!total || !total->isWhole)
            return {std::nullopt, at};
        return {total->value, total->end};
    }

    /// What follows an epoch: "Epoch: [3][ 120/1000]", "Epoch: 1 [640/60000 (1%)]".
    size_t takeBracketed(size_t end, Sign sign)
    {
        size_t at = end;
        if (sign == Sign::Bracket && at < m_text.size() && m_text[at] == ']')
            ++at;
        at = skipBlanks(m_text, at);
        if (at >= m_text.size() || m_text[at] != '[')
            return end;
        const auto number = looseNumberAt(m_text, skipBlanks(m_text, at + 1));
        if (!number || !number->isWhole)
            return end;
        const auto [total, next] = totalBehind(number->end);
        if (!total)
            return end;
        const bool isOfSamples = skipBlanks(m_text, next) != next; // then comes "(1%)"
        return add(isOfSamples ? "sample" : "step", number->value, total, next);
    }

    std::string_view m_text;
    NumberList& m_numbers;
    std::string_view m_previous{};
    size_t m_previousEnd = 0;
};

} // namespace

void readWordNumbers(std::string_view text, NumberList& numbers)
{
    WordReader(text, numbers).read();
}

} // namespace ringmaster
