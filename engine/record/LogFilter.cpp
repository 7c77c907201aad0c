#include "engine/record/LogFilter.h"

#include "engine/event/States.h"
#include "engine/record/Codes.h"

#include <algorithm>
#include <charconv>

#include <re2/re2.h>

namespace ringmaster {

namespace {

constexpr int LargestRange = 1 << 16;

tl::unexpected<Error> invalid(std::string_view pattern, std::string detail = {})
{
    return fail(code::PatternInvalid, {{"pattern", std::string(pattern)}}, std::move(detail));
}

std::optional<int> numberOf(std::string_view text)
{
    int number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || number < 0)
        return std::nullopt;
    return number;
}

bool endsTerm(std::string_view text, size_t at)
{
    return at >= text.size() || text[at] == ' ';
}

/// The length of a term that begins with `/` and is an expression, with its option; 0: it isn't
/// one, but a path.
size_t expressionLength(std::string_view text)
{
    for (size_t at = 2; at < text.size(); ++at) {
        if (text[at] != '/' || text[at - 1] == '\\')
            continue;
        if (endsTerm(text, at + 1))
            return at + 1;
        if (text[at + 1] == 'i' && endsTerm(text, at + 2))
            return at + 2;
    }
    return 0;
}

/// Whether it asks for the beginning or the end of the text, or says itself what ^ and $ are.
bool knowsLineEnds(std::string_view expression)
{
    static const RE2 asks(R"(\\A|\\z|\\C|\(\?[a-zA-Z]*-)");
    return RE2::PartialMatch(re2::StringPiece(expression.data(), expression.size()), asks);
}

/// Every line that guessLevel() takes for a warning or an error has one of these.
const RE2& levelWords()
{
    static const RE2 words("ERROR|CRITICAL|FATAL|WARN|[Ee]rror|fatal|Exception|[Ww]arning|"
                           "KeyboardInterrupt|Traceback|[EFW]\\d\\d\\d\\d \\d\\d:");
    return words;
}

/// Where it is found first; the text's length: nowhere.
size_t placeOf(const RE2& expression, std::string_view text, size_t from)
{
    re2::StringPiece found;
    if (!expression.Match(re2::StringPiece(text.data(), text.size()), from, text.size(),
                          RE2::UNANCHORED, &found, 1))
        return text.size();
    return static_cast<size_t>(found.data() - text.data());
}

} // namespace

Result<LogFilter> LogFilter::parse(std::string_view text)
{
    LogFilter filter;
    filter.m_text = text;
    while (!text.empty()) {
        const size_t quote = text.starts_with('"') ? text.find('"', 1) : std::string_view::npos;
        if (text.starts_with(' ')) {
            text.remove_prefix(1);
        } else if (quote != std::string_view::npos) {
            if (quote > 1)
                filter.m_texts.emplace_back(text.substr(1, quote - 1));
            text.remove_prefix(quote + 1);
        } else if (const size_t length = text.starts_with('/') ? expressionLength(text) : 0) {
            const bool anyCase = text[length - 1] == 'i';
            RM_TRY(filter.addExpression(text.substr(1, length - (anyCase ? 3 : 2)), anyCase));
            text.remove_prefix(length);
        } else {
            const std::string_view term = text.substr(0, text.find(' '));
            RM_TRY(filter.addTerm(term));
            text.remove_prefix(term.size());
        }
    }
    return filter;
}

Result<void> LogFilter::addTerm(std::string_view term)
{
    const size_t colon = term.find(':');
    const std::string_view name = term.substr(0, colon);
    const std::string_view value = colon == std::string_view::npos ? "" : term.substr(colon + 1);
    if (colon == std::string_view::npos) {
        m_texts.emplace_back(term);
    } else if (name == "rank") {
        return addRanks(value);
    } else if (name == "attempt") {
        m_attempt = numberOf(value);
        if (!m_attempt)
            return invalid(term);
    } else if (name == "stream") {
        m_stream = streamFromName(value);
        if (!m_stream)
            return invalid(term);
    } else if (name == "level") {
        if (value != "info" && value != "warning" && value != "error")
            return fail(code::LevelUnknown, {{"level", std::string(value)}});
        m_level = value == "error"     ? LogLevel::Error
                  : value == "warning" ? LogLevel::Warning
                                       : LogLevel::Info;
    } else {
        m_texts.emplace_back(term);
    }
    return {};
}

Result<void> LogFilter::addRanks(std::string_view ranks)
{
    for (std::string_view rest = ranks;;) {
        const size_t comma = rest.find(',');
        const std::string_view item = rest.substr(0, comma);
        const size_t dash = item.find('-');
        const auto first = numberOf(item.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : numberOf(item.substr(dash + 1));
        if (!first || !last || *last < *first || *last - *first > LargestRange)
            return invalid("rank:" + std::string(ranks));
        for (int rank = *first; rank <= *last; ++rank)
            m_ranks.insert(rank);
        if (comma == std::string_view::npos)
            return {};
        rest.remove_prefix(comma + 1);
    }
}

Result<LogFilter> LogFilter::ofExpression(std::string_view expression)
{
    LogFilter filter;
    filter.m_text = expression;
    filter.m_isExpression = true;
    RM_TRY(filter.addExpression(expression, false));
    return filter;
}

Result<void> LogFilter::addExpression(std::string_view expression, bool anyCase)
{
    RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(!anyCase);
    Expression compiled;
    compiled.ofLine = std::make_shared<const RE2>(
        re2::StringPiece(expression.data(), expression.size()), options);
    if (!compiled.ofLine->ok())
        return invalid("/" + std::string(expression) + "/", compiled.ofLine->error());
    if (!knowsLineEnds(expression)) {
        options.set_never_nl(true);
        auto ofLines = std::make_shared<const RE2>("(?m:" + std::string(expression) + ")", options);
        if (ofLines->ok())
            compiled.ofLines = std::move(ofLines);
    }
    m_expressions.push_back(std::move(compiled));
    return {};
}

bool LogFilter::concerns(int attempt, int globalRank, Stream stream) const
{
    return (!m_stream || stream == *m_stream) && (!m_attempt || attempt == *m_attempt) &&
           (m_ranks.empty() || m_ranks.contains(globalRank));
}

bool LogFilter::saysIt(std::string_view line) const
{
    const auto contains = [&](const TextFinder& text) {
        return text.find(line) != std::string_view::npos;
    };
    const auto holds = [&](const Expression& expression) {
        return RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), *expression.ofLine);
    };
    return std::ranges::all_of(m_texts, contains) && std::ranges::all_of(m_expressions, holds);
}

bool LogFilter::matchesText(std::string_view line) const
{
    return saysIt(line) && (m_level == LogLevel::Info || guessLevel(line) >= m_level);
}

bool LogFilter::matches(const LogLine& line) const
{
    return line.level >= m_level && concerns(line.attempt, line.globalRank, line.stream) &&
           saysIt(line.text);
}

std::vector<LogFilter::Part> LogFilter::partsIn(std::string_view line) const
{
    std::vector<Part> parts;
    for (const TextFinder& text : m_texts) {
        const size_t length = text.text().size();
        for (size_t at = text.find(line); at < line.size(); at = text.find(line, at + length))
            parts.push_back({at, length});
    }
    for (const Expression& expression : m_expressions) {
        const re2::StringPiece piece(line.data(), line.size());
        re2::StringPiece found;
        for (size_t from = 0;
             from < line.size() &&
             expression.ofLine->Match(piece, from, line.size(), RE2::UNANCHORED, &found, 1);) {
            const auto begin = static_cast<size_t>(found.data() - line.data());
            if (!found.empty())
                parts.push_back({begin, found.size()});
            from = std::max(begin + found.size(), from + 1);
        }
    }
    std::ranges::sort(parts, {}, &Part::begin);
    std::vector<Part> joined;
    for (const Part& part : parts) {
        if (joined.empty() || part.begin > joined.back().begin + joined.back().length) {
            joined.push_back(part);
            continue;
        }
        Part& last = joined.back();
        last.length = std::max(last.begin + last.length, part.begin + part.length) - last.begin;
    }
    return joined;
}

size_t LogFilter::nextCandidate(std::string_view text, size_t from) const
{
    size_t found = from;
    const auto longest = std::ranges::max_element(
        m_texts, {}, [](const TextFinder& finder) { return finder.text().size(); });
    if (longest != m_texts.end())
        found = longest->find(text, from);
    else if (!m_expressions.empty() && m_expressions.front().ofLines)
        found = placeOf(*m_expressions.front().ofLines, text, from);
    else if (m_expressions.empty() && m_level != LogLevel::Info)
        found = placeOf(levelWords(), text, from);
    if (found >= text.size())
        return std::string_view::npos;
    const size_t newline = found == from ? std::string_view::npos : text.rfind('\n', found - 1);
    return newline == std::string_view::npos ? from : std::max(from, newline + 1);
}

bool LogFilter::isAboutLines() const
{
    return !m_texts.empty() || !m_expressions.empty() || m_stream || m_level != LogLevel::Info;
}

bool LogFilter::isEmpty() const
{
    return !isAboutLines() && m_ranks.empty() && !m_attempt;
}

} // namespace ringmaster
