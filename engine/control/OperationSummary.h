#pragma once

#include "engine/diagnose/Bandwidth.h"
#include "engine/diagnose/Steps.h"

#include <vector>

namespace ringmaster {

/// What the recorded operations of a run's latest attempt amount to, as far as they are read.
struct OperationSummary
{
    /// Operations of the groups that ended in one span of time.
    struct Point
    {
        std::int64_t fromNs = 0; ///< CLOCK_MONOTONIC of the agent; a multiple of `spanNs`.
        std::uint64_t count = 0;
        double bytes = 0;
        double busBytes = 0; ///< Times nccl-tests' factor.
        std::int64_t transferNs = 0;

        double busBandwidth() const ///< Bytes a second.
        {
            return transferNs > 0 ? busBytes * 1e9 / static_cast<double>(transferNs) : 0;
        }
    };

    /// All groups, types and sizes; spans without an operation have no point.
    struct Series
    {
        ledger::OperationKind kind = ledger::OperationKind::Other;
        std::vector<Point> points{};
    };

    int attempt = -1;             ///< -1: no operation is recorded.
    std::uint64_t operations = 0; ///< Of each rank.
    std::uint64_t lost = 0;       ///< Records that were overwritten before they were read.
    std::uint64_t damaged = 0;    ///< Blocks that can't be understood.
    std::int64_t wallNs = 0;
    std::int64_t spanNs = 0;
    std::optional<diagnose::StepRate> steps{}; ///< Of the lowest rank; nothing: no rhythm.
    std::vector<diagnose::BandwidthRow> rows{};
    std::vector<Series> series{};
    bool isMore = false; ///< The file has more already: ask again.
};

} // namespace ringmaster
