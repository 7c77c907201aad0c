#include "engine/cli/FigureTable.h"

#include "engine/control/OperationReading.h"
#include "engine/control/RunNumbers.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/CsvCell.h"
#include "engine/text/SecretName.h"

#include <cmath>

#include <fmt/format.h>

namespace ringmaster {

Result<std::string> FigureTable::csv(const RunFileReader& reader)
{
    FigureTable table(reader);
    RM_TRY(table.addSamples());
    RM_TRY(table.addOperations());
    RM_TRY(table.addNumbers());
    return std::move(table.m_csv);
}

void FigureTable::row(std::int64_t ns, const Of& of, std::string_view figure, double value)
{
    m_csv += fmt::format("{:.3f},{},{},{},{},{},{}\r\n", static_cast<double>(ns) / 1e9, of.attempt,
                         of.rank, csvCell(of.node), figure, csvCell(of.detail), value);
}

/// Nodes agree on the time of day only.
Result<void> FigureTable::addSamples()
{
    for (std::uint64_t last = 0;;) {
        const auto events = RM_TRY(m_reader.events(last));
        if (events.empty())
            return {};
        if (last == 0)
            m_began = events.front().at;
        for (const Event& event : events)
            add(event);
        last = events.back().runSequence;
    }
}

void FigureTable::add(const Event& event)
{
    if (const auto* device = std::get_if<DeviceSample>(&event.body))
        return add(*device, event);
    const auto* process = std::get_if<ProcessSample>(&event.body);
    if (process == nullptr)
        return;
    const std::int64_t ns = event.at.wallNs - m_began.wallNs;
    const Of worker{.attempt = std::to_string(process->attempt),
                    .rank = std::to_string(process->globalRank),
                    .node = event.node};
    row(ns, worker, "worker_cpu_cores", process->cpuFraction);
    row(ns, worker, "worker_resident_memory_bytes", static_cast<double>(process->residentBytes));
}

void FigureTable::add(const DeviceSample& sample, const Event& event)
{
    const std::int64_t ns = event.at.wallNs - m_began.wallNs;
    const Of node{.node = event.node};
    row(ns, node, "node_cpu_ratio", sample.cpuFraction);
    row(ns, node, "node_network_receive_bytes_per_second", sample.network.received);
    row(ns, node, "node_network_transmit_bytes_per_second", sample.network.sent);
    row(ns, node, "node_loopback_bytes_per_second", sample.loopback);
    for (const GpuSample& gpu : sample.gpus) {
        const std::string index = std::to_string(gpu.index);
        const Of one{.node = event.node, .detail = index};
        if (gpu.utilisation)
            row(ns, one, "gpu_utilization_ratio", *gpu.utilisation);
        row(ns, one, "gpu_memory_used_bytes", static_cast<double>(gpu.usedBytes));
    }
}

Result<void> FigureTable::addOperations()
{
    constexpr size_t Part = 1000; // blocks
    OperationReading operations;
    while (RM_TRY(operations.readOn(m_reader, Part))) {
    }
    const OperationSummary summary = operations.tally().summary();
    for (const OperationSummary::Series& series : summary.series) {
        const Of kind{.detail = ledger::nameOf(series.kind)};
        for (const OperationSummary::Point& point : series.points) {
            const std::int64_t ns = point.fromNs - m_began.monotonicNs;
            row(ns, kind, "operations", static_cast<double>(point.count));
            row(ns, kind, "operation_bytes", point.bytes);
            if (point.transferNs > 0)
                row(ns, kind, "operation_busbw_bytes_per_second", point.busBandwidth());
        }
    }
    return {};
}

Result<void> FigureTable::addNumbers()
{
    constexpr size_t Part = 4U << 20U;
    RunNumbers numbers = RM_TRY(RunNumbers::open(m_reader));
    while (RM_TRY(numbers.readOn(m_reader, Part))) {
    }
    const auto names = numbers.summary({}, std::nullopt).names;
    for (const NumberSummary::Line& line : numbers.summary(names, std::nullopt).lines) {
        if (isSecretName(line.name))
            continue;
        const Of rank{.attempt = std::to_string(line.attempt),
                      .rank = std::to_string(line.rank),
                      .detail = line.name};
        for (const NumberSeries::Point& point : line.points)
            row(point.ns - m_began.monotonicNs, rank, "printed_value", point.value);
    }
    return {};
}

} // namespace ringmaster
