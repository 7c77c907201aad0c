#pragma once

#include "engine/base/Result.h"
#include "engine/record/Codes.h"
#include "engine/record/LogAssembler.h"
#include "engine/record/TextFinder.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace ringmaster {

/// What a user types to see only some lines; all terms must hold:
///   text  "two words"  /regex/  /regex/i  rank:0,2-3  level:warning  stream:stderr  attempt:1
/// Text is found in either case; `level:` is that level and above. Takes time linear in the line,
/// whatever the expression.
class LogFilter
{
public:
    LogFilter() = default;

    /// code::PatternInvalid with the term that isn't one.
    static Result<LogFilter> parse(std::string_view text);

    /// One expression of RE2, whatever it looks like.
    static Result<LogFilter> ofExpression(std::string_view expression);

    /// What it was made of, for whoever makes it anew elsewhere.
    const std::string& text() const { return m_text; }
    bool isExpression() const { return m_isExpression; }

    bool matches(const LogLine& line) const;
    bool isEmpty() const;
    /// About more than ranks and attempts, which a LogQuery can ask for.
    bool isAboutLines() const;

    /// What matches() asks, in parts: of a worker and stream, and of what a line says.
    bool concerns(int attempt, int globalRank, Stream stream) const;
    bool matchesText(std::string_view line) const;
    /// A part of a line, in bytes.
    struct Part
    {
        size_t begin = 0;
        size_t length = 0;
        bool operator==(const Part&) const = default;
    };
    /// Where the texts and expressions stand in it, ascending; parts that touch are one.
    std::vector<Part> partsIn(std::string_view line) const;
    /// The first line at or behind `from` (where a line begins) that may match, in a text of whole
    /// lines; npos: none. Far faster than to ask of each.
    size_t nextCandidate(std::string_view text, size_t from) const;

    /// For LogQuery: nothing when all ranks, or all attempts, are wanted.
    const std::set<int>& ranks() const { return m_ranks; }
    std::optional<int> attempt() const { return m_attempt; }

private:
    bool saysIt(std::string_view line) const;
    Result<void> addTerm(std::string_view term);
    Result<void> addRanks(std::string_view ranks);
    Result<void> addExpression(std::string_view expression, bool anyCase);

    struct Expression
    {
        std::shared_ptr<const re2::RE2> ofLine{};
        std::shared_ptr<const re2::RE2> ofLines{}; ///< Nothing where it can't look through many.
    };

    std::string m_text;
    bool m_isExpression = false;
    std::vector<TextFinder> m_texts;
    std::vector<Expression> m_expressions;
    std::set<int> m_ranks;
    std::optional<int> m_attempt;
    std::optional<Stream> m_stream;
    LogLevel m_level = LogLevel::Info;
};

} // namespace ringmaster
