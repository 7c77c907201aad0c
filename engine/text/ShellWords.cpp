#include "engine/text/ShellWords.h"

#include "engine/text/Codes.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

constexpr std::string_view Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view Digits = "0123456789";
constexpr std::string_view Unspecial = "@%+=:,./-";

bool isOneOf(char c, std::string_view set)
{
    return set.find(c) != std::string_view::npos;
}

class Splitter
{
public:
    explicit Splitter(std::string_view text) : m_text(text) {}

    Result<std::vector<ShellToken>> split()
    {
        while (m_at < m_text.size())
            RM_TRY(step());
        endWord();
        return std::move(m_tokens);
    }

private:
    Result<void> step();
    Result<void> readSingleQuoted();
    Result<void> readDoubleQuoted();
    void readBackslash();
    void readDollar(bool quoted);
    void readSubstitution(char close, bool quoted);
    void readBraced(bool quoted);
    void readOperator();

    char here(size_t offset = 0) const
    {
        return m_at + offset < m_text.size() ? m_text[m_at + offset] : '\0';
    }
    void addText(std::string_view text, bool quoted);
    void addVariable(ShellPart part);
    void endWord();
    Error unclosed(std::string_view quote, size_t start) const;

    std::string_view m_text;
    size_t m_at = 0;
    bool m_inWord = false;
    std::vector<ShellPart> m_parts;
    std::vector<ShellToken> m_tokens;
};

void Splitter::addText(std::string_view text, bool quoted)
{
    m_inWord = true;
    const bool extends = !m_parts.empty() && m_parts.back().kind == ShellPart::Kind::Text &&
                         m_parts.back().quoted == quoted;
    if (extends) {
        m_parts.back().text += text;
        return;
    }
    ShellPart part;
    part.quoted = quoted;
    part.text = text;
    m_parts.push_back(std::move(part));
}

void Splitter::addVariable(ShellPart part)
{
    m_inWord = true;
    m_parts.push_back(std::move(part));
}

void Splitter::endWord()
{
    if (m_inWord)
        m_tokens.push_back({ShellToken::Kind::Word, std::move(m_parts), {}});
    m_parts.clear();
    m_inWord = false;
}

Error Splitter::unclosed(std::string_view quote, size_t start) const
{
    const auto line =
        std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(start), '\n') + 1;
    return {
        {code::QuoteNotClosed, {{"quote", std::string(quote)}, {"line", std::to_string(line)}}, {}},
        {}};
}

Result<void> Splitter::step()
{
    const char c = here();
    if (c == '\'')
        return readSingleQuoted();
    if (c == '"')
        return readDoubleQuoted();
    if (c == '\\') {
        readBackslash();
    } else if (c == '$') {
        readDollar(false);
    } else if (c == '`') {
        readSubstitution('`', false);
    } else if (c == '#' && !m_inWord) {
        m_at = std::min(m_text.find('\n', m_at), m_text.size());
    } else if (isOneOf(c, "\n;&|<>")) {
        readOperator();
    } else if (isOneOf(c, " \t\r")) {
        endWord();
        ++m_at;
    } else {
        addText(m_text.substr(m_at++, 1), false);
    }
    return {};
}

Result<void> Splitter::readSingleQuoted()
{
    const size_t close = m_text.find('\'', m_at + 1);
    if (close == std::string_view::npos)
        return tl::unexpected(unclosed("'", m_at));
    addText(m_text.substr(m_at + 1, close - m_at - 1), true);
    m_at = close + 1;
    return {};
}

Result<void> Splitter::readDoubleQuoted()
{
    const size_t start = m_at++;
    addText("", true);
    while (m_at < m_text.size()) {
        const char c = here();
        if (c == '"') {
            ++m_at;
            return {};
        }
        if (c == '\\' && here(1) == '\n') {
            m_at += 2;
        } else if (c == '\\' && here(1) != '\0' && isOneOf(here(1), "$`\"\\")) {
            addText(m_text.substr(m_at + 1, 1), true);
            m_at += 2;
        } else if (c == '$') {
            readDollar(true);
        } else if (c == '`') {
            readSubstitution('`', true);
        } else {
            addText(m_text.substr(m_at++, 1), true);
        }
    }
    return tl::unexpected(unclosed("\"", start));
}

/// A line is continued even when blanks follow the backslash: web pages add them, nobody means an
/// argument of one blank.
void Splitter::readBackslash()
{
    const size_t end = m_text.find_first_not_of(" \t\r", m_at + 1);
    if (end == std::string_view::npos || m_text[end] == '\n') {
        m_at = end == std::string_view::npos ? m_text.size() : end + 1;
        return;
    }
    addText(m_text.substr(m_at + 1, 1), true);
    m_at += 2;
}

void Splitter::readDollar(bool quoted)
{
    if (here(1) == '(')
        return readSubstitution(')', quoted);
    if (here(1) == '{')
        return readBraced(quoted);
    const size_t start = m_at + 1;
    const size_t end = std::min(
        m_text.find_first_not_of(std::string(Letters).append(Digits), start), m_text.size());
    if (end == start || isOneOf(here(1), Digits)) {
        addText("$", quoted);
        ++m_at;
        return;
    }
    ShellPart part{
        ShellPart::Kind::Variable, quoted, std::string(m_text.substr(start, end - start)), {}, {}};
    part.original = m_text.substr(m_at, end - m_at);
    addVariable(std::move(part));
    m_at = end;
}

/// Its value is known to the shell alone, so it stays text: up to the matching bracket.
void Splitter::readSubstitution(char close, bool quoted)
{
    size_t end = m_at + (close == ')' ? 2 : 1);
    for (int depth = 1; end < m_text.size() && depth > 0; ++end) {
        if (m_text[end] == close)
            --depth;
        else if (close == ')' && m_text[end] == '(')
            ++depth;
    }
    addText(m_text.substr(m_at, end - m_at), quoted);
    m_at = end;
}

void Splitter::readBraced(bool quoted)
{
    const size_t close = m_text.find('}', m_at);
    if (close == std::string_view::npos) {
        addText(m_text.substr(m_at, 2), quoted);
        m_at += 2;
        return;
    }
    const std::string_view inside = m_text.substr(m_at + 2, close - m_at - 2);
    const size_t operation = std::min(inside.find(":-"), inside.size());
    const std::string_view name = inside.substr(0, operation);
    const std::string_view original = m_text.substr(m_at, close + 1 - m_at);
    m_at = close + 1;
    if (!isVariableName(name))
        return addText(original, quoted);
    ShellPart part{ShellPart::Kind::Variable, quoted, std::string(name), std::string(original), {}};
    if (operation < inside.size())
        part.fallback = inside.substr(operation + 2);
    addVariable(std::move(part));
}

void Splitter::readOperator()
{
    std::string text;
    const bool redirects = isOneOf(here(), "<>");
    // "2>file": the digits belong to the operator.
    if (redirects && m_parts.size() == 1 && !m_parts.front().quoted &&
        m_parts.front().kind == ShellPart::Kind::Text &&
        m_parts.front().text.find_first_not_of(Digits) == std::string::npos) {
        text = m_parts.front().text;
        m_parts.clear();
        m_inWord = false;
    }
    endWord();
    constexpr std::array<std::string_view, 11> Long{"&>>", "&>",  "&&", "||", "|&", ">>",
                                                    ">&",  "<<<", "<<", "<&", ">|"};
    for (const std::string_view known : Long) {
        if (m_text.substr(m_at).starts_with(known)) {
            m_at += known.size();
            m_tokens.push_back({ShellToken::Kind::Operator, {}, text.append(known)});
            return;
        }
    }
    m_tokens.push_back({ShellToken::Kind::Operator, {}, text + here()});
    ++m_at;
}

} // namespace

std::string shellQuoted(std::string_view word)
{
    const auto plain = [](char c) {
        return isOneOf(c, Letters) || isOneOf(c, Digits) || isOneOf(c, Unspecial);
    };
    if (!word.empty() && std::ranges::all_of(word, plain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

Result<std::vector<ShellToken>> splitShell(std::string_view text)
{
    return Splitter(text).split();
}

bool isVariableName(std::string_view text)
{
    return !text.empty() && isOneOf(text.front(), Letters) &&
           text.find_first_not_of(std::string(Letters).append(Digits)) == std::string_view::npos;
}

std::string ShellToken::plainText() const
{
    std::string all;
    for (const ShellPart& part : parts)
        all += part.kind == ShellPart::Kind::Text ? part.text : part.original;
    return all;
}

std::vector<std::string> expandWord(const ShellToken& token, const VariableLookup& lookup,
                                    std::vector<std::string>& unknown)
{
    std::vector<std::string> words;
    std::string word;
    bool any = false;
    const auto end = [&] {
        if (any)
            words.push_back(std::exchange(word, {}));
        any = false;
    };
    for (const ShellPart& part : token.parts) {
        if (part.kind == ShellPart::Kind::Text) {
            word += part.text;
            any = true;
            continue;
        }
        auto value = lookup(part.text);
        if (part.fallback && value.value_or("").empty())
            value = part.fallback;
        if (!value)
            unknown.push_back(part.text);
        const std::string text = value.value_or(part.original);
        any = any || part.quoted;
        for (const char c : text) {
            if (!part.quoted && isOneOf(c, " \t\n")) {
                end();
            } else {
                word += c;
                any = true;
            }
        }
    }
    end();
    return words;
}

} // namespace ringmaster
