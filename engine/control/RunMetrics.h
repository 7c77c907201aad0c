#pragma once

#include "engine/control/OperationReading.h"
#include "engine/event/Snapshot.h"
#include "engine/record/NumberSummary.h"

#include <map>
#include <optional>
#include <string>

namespace ringmaster {

/// What the run file of a run that goes on adds to its events.
struct RecordedMetrics
{
    std::optional<OperationSummary> operations{}; ///< Nothing: not read to its end yet.
    NumberSummary numbers{};
    std::int64_t nowNs = 0; ///< CLOCK_MONOTONIC when it was read.
    bool isMore = false;    ///< Ask again.
};

/// Reads them on from where the last call stopped, each time a bounded part. One thread at a time.
class RecordedMetricsReader
{
public:
    explicit RecordedMetricsReader(RunFileReader reader) : m_reader(std::move(reader)) {}

    Result<RecordedMetrics> read();

private:
    RunFileReader m_reader;
    OperationReading m_operations;
    std::optional<OperationSummary> m_whole; ///< As of the last time that the end was reached.
};

/// Where a run stands, in figures. What wasn't measured isn't in it.
struct RunMetrics
{
    RunSnapshot snapshot{};
    std::map<int, ProcessSample> workers{};      ///< By global rank.
    std::map<std::string, DeviceSample> nodes{}; ///< By name.
    RecordedMetrics recorded{};
};

/// For Prometheus, by its conventions: no text of the run but names, and none that a secret has.
std::string prometheusText(const RunMetrics& metrics);

} // namespace ringmaster
