#pragma once

#include "engine/record/LogPage.h"
#include "engine/text/LineNumbers.h"

#include <functional>
#include <map>
#include <tuple>

namespace ringmaster {

/// Finds the numbers in a run's log, fed with chunks in the order of arrival. Each redraw of a
/// progress bar is a line of its own. Leaves out tracebacks, whose lines are source code. Pure;
/// holds the beginning of one open line a worker and stream.
class NumberScanner
{
public:
    struct Found
    {
        int attempt = 0;
        int globalRank = 0;
        Moment at{};
        const std::vector<NamedNumber>& numbers;
    };
    using Sink = std::function<void(const Found&)>;

    explicit NumberScanner(NumberRules rules = {}) : m_reader(std::move(rules)) {}

    void scan(const LogChunk& chunk, const Sink& sink);

    /// What stands at a line's end by now though the line goes on: bars that are drawn whole.
    void scanOpenBars(const Sink& sink);

private:
    using Key = std::tuple<int, int, Stream>; ///< attempt, rank, stream

    struct Line
    {
        std::string open{}; ///< What came of a line that hasn't ended, at most its longest part.
        bool isScanned = false; ///< The open line was looked at already.
        bool isCut = false;     ///< Its beginning wasn't seen.
        bool isRedrawn = false; ///< A carriage return stands before it.
        bool isTraceback = false;
        std::uint64_t nextOffset = 0;
        Moment at{};
    };

    void endLine(const Key& key, Line& line, std::string_view text, const Sink& sink) const;
    void read(const Key& key, const Line& line, std::string_view text, const Sink& sink) const;

    LineNumbers m_reader;
    std::map<Key, Line> m_lines;
};

} // namespace ringmaster
