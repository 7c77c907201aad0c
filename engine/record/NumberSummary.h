#pragma once

#include "engine/record/NumberSeries.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// The numbers that a run's workers have printed, as far as the log is read. Times are the log's,
/// CLOCK_MONOTONIC.
struct NumberSummary
{
    /// What a rank printed last under a name, in the latest attempt.
    struct Latest
    {
        std::string name{};
        int rank = 0;
        double value = 0;
        std::optional<double> total{}; ///< Of a counter that says it.
        std::int64_t atNs = 0;
        bool isCounter = false;
        bool operator==(const Latest&) const = default;
    };

    /// One name over time.
    struct Line
    {
        std::string name{};
        int attempt = 0;
        int rank = 0;
        std::vector<NumberSeries::Point> points{};
        bool operator==(const Line&) const = default;
    };

    /// How far the job is, by the outermost counter with a total.
    struct Progress
    {
        std::string name{};
        double value = 0;
        double total = 0;
        double part = 0;                   ///< 0 to 1, with the steps of an epoch.
        std::optional<double> perSecond{}; ///< Measured, of the counter that goes fastest.
        /// By the wall's clock, if it goes on like that; only where that is known.
        std::optional<std::int64_t> endWallNs{};
        bool operator==(const Progress&) const = default;
    };

    int attempt = -1;                 ///< The latest in which a number was printed; -1: none.
    std::vector<std::string> names{}; ///< Losses first, counters last.
    std::vector<Latest> latest{};     ///< As `names`, then by rank.
    std::optional<Progress> progress{};
    std::vector<Line> lines{}; ///< Of the names that were asked for, by attempt and rank.
    bool isCut = false;        ///< More names or ranks than are kept.
    bool isMore = false;       ///< The log has more already: ask again.
};

} // namespace ringmaster
