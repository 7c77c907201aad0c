#include "engine/control/RunFigures.h"

#include "engine/record/LogAssembler.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr std::int64_t Recent = 10'000'000'000;
/// A step that takes this much longer than those before it isn't one of them any more.
constexpr std::int64_t LateSteps = 5;

/// Of the kind that has moved the most.
double recentBandwidth(const OperationSummary& summary, std::int64_t nowNs)
{
    OperationSummary::Point heaviest;
    for (const OperationSummary::Series& series : summary.series) {
        const OperationSummary::Point sum = recentOf(summary, series, nowNs);
        if (sum.transferNs > 0 && sum.bytes > heaviest.bytes)
            heaviest = sum;
    }
    return heaviest.busBandwidth();
}

} // namespace

OperationSummary::Point recentOf(const OperationSummary& summary,
                                 const OperationSummary::Series& series, std::int64_t nowNs)
{
    OperationSummary::Point sum;
    for (const OperationSummary::Point& point : series.points) {
        if (point.fromNs + summary.spanNs < nowNs - Recent)
            continue;
        sum.bytes += point.bytes;
        sum.busBytes += point.busBytes;
        sum.transferNs += point.transferNs;
    }
    return sum;
}

std::optional<double> recentSteps(const OperationSummary& summary, std::int64_t nowNs)
{
    const auto& rate = summary.steps;
    if (!rate || nowNs - rate->measuredNs > std::max(Recent, LateSteps * rate->periodNs))
        return std::nullopt;
    return rate->stepsPerSecond();
}

Result<RunFigures> RunFiguresReader::look(std::int64_t nowNs)
{
    constexpr size_t EndOfLog = 4U << 10U;
    constexpr size_t Part = 128; // blocks; other questions of the same thread come in between
    RunFigures figures;
    figures.lastSequence = RM_TRY(m_reader.lastSequence());
    figures.isMore = RM_TRY(m_operations.readOn(m_reader, Part));
    const OperationSummary summary = m_operations.tally().summary();
    figures.busBandwidth = recentBandwidth(summary, nowNs);
    figures.stepsASecond = recentSteps(summary, nowNs);
    LogAssembler lines([&](const LogLine& line) {
        if (line.text.find_first_not_of(" \t") == std::string::npos)
            return;
        figures.lastLine = line.text;
        figures.lastLineRank = line.globalRank;
    });
    const LogPage page = RM_TRY(
        m_reader.readLog({.direction = LogQuery::Direction::Backward, .maxBytes = EndOfLog}));
    for (const LogChunk& chunk : page.chunks)
        lines.add(chunk);
    return figures;
}

} // namespace ringmaster
