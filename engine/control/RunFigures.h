#pragma once

#include "engine/control/OperationReading.h"

namespace ringmaster {

/// What an overview of several jobs says of one that goes on, besides its state.
struct RunFigures
{
    std::uint64_t lastSequence = 0; ///< Its events so far: whoever follows it begins behind.
    std::string lastLine{};         ///< That its workers have printed.
    int lastLineRank = -1;
    std::optional<double> stepsASecond{}; ///< By its operations' rhythm; nothing: it doesn't step.
    double busBandwidth =
        0;               ///< Bytes a second, of the heaviest operation; 0: none in the last 10 s.
    bool isMore = false; ///< More of its operations are there already: ask again.
    bool operator==(const RunFigures&) const = default;
};

/// What of a series ended in the last 10 s, by the clock of the run's agent.
OperationSummary::Point recentOf(const OperationSummary& summary,
                                 const OperationSummary::Series& series, std::int64_t nowNs);
/// Steps a second; nothing: it doesn't step, or not any more.
std::optional<double> recentSteps(const OperationSummary& summary, std::int64_t nowNs);

/// Reads a run's figures on from where the last look stopped. One thread at a time.
class RunFiguresReader
{
public:
    explicit RunFiguresReader(RunFileReader reader) : m_reader(std::move(reader)) {}

    /// `nowNs` by the clock of the run's agent.
    Result<RunFigures> look(std::int64_t nowNs);

private:
    RunFileReader m_reader;
    OperationReading m_operations;
};

} // namespace ringmaster
