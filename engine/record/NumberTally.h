#pragma once

#include "engine/record/NumberProgress.h"
#include "engine/record/NumberScanner.h"
#include "engine/record/NumberSummary.h"

#include <map>
#include <tuple>

namespace ringmaster {

/// Gathers the numbers of a run's log as it is read, by attempt, rank and name; bounded. Pure.
class NumberTally
{
public:
    static constexpr size_t MostNames = 200;
    static constexpr size_t MostSeries = 4096;

    explicit NumberTally(NumberRules rules = {}) : m_scanner(std::move(rules)) {}

    /// Chunks in the order of arrival.
    void add(const LogChunk& chunk);
    /// All that there is by now was added.
    void readAll();

    /// With the lines of those names. An end is told only with the time that it is now; nothing:
    /// the run is over.
    NumberSummary summary(const std::vector<std::string>& names,
                          std::optional<std::int64_t> nowWallNs) const;

private:
    struct Number
    {
        NumberSeries series{};
        NamedNumber last{};
        std::int64_t atNs = 0;
        std::optional<NumberProgress> progress{}; ///< Of counters and what has a total.
    };

    using Key = std::tuple<int, int, std::string>; ///< attempt, rank, name

    NumberScanner::Sink sink();
    void add(const NumberScanner::Found& found);
    std::optional<NumberSummary::Progress> progress(std::optional<std::int64_t> nowWallNs) const;

    NumberScanner m_scanner;
    std::map<Key, Number> m_numbers;
    std::map<std::string, size_t> m_names; ///< By when they came first.
    int m_attempt = -1;
    std::int64_t m_wallAheadNs = 0; ///< Of the monotonic clock, in the latest chunk.
    bool m_isCut = false;
};

} // namespace ringmaster
