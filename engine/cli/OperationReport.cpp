#include "engine/cli/OperationReport.h"

#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/ledger/OperationNames.h"

#include <fmt/format.h>

namespace ringmaster {

namespace {

using diagnose::BandwidthRow;

std::string rateText(double bytesPerSecond)
{
    return bytesPerSecond > 0 ? fmt::format("{:.3f}", bytesPerSecond / 1e9) : "-";
}

std::string textOf(const Operation& operation, const diagnose::GroupKey& group)
{
    return fmt::format("{} #{} of group {}",
                       operation.name.empty() ? ledger::nameOf(operation.kind) : operation.name,
                       operation.number, group.shown());
}

std::string wayOf(const BandwidthRow& row)
{
    const std::string way = ledger::wayText(row.backend, row.algorithm);
    return way.empty() ? "-" : way;
}

/// Milliseconds a call.
std::string millisecondsText(const BandwidthRow& row, std::int64_t ns)
{
    return row.isTimed() ? fmt::format("{:.3f}", double(ns) / double(row.count) / 1e6) : "-";
}

std::string lineOf(const BandwidthRow& row)
{
    const double meanBytes = double(row.bytes) / double(row.count);
    return padded(ledger::nameOf(row.kind), 26) + padded(harmless(row.group.shown()), 12) +
           padded(row.group.members.empty() ? "-" : std::to_string(row.group.members.size()), 7) +
           padded(ledger::nameOf(row.type), 10) + padded(wayOf(row), 13) +
           fmt::format("{:>9} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8}\n", row.count,
                       row.bytes == 0 ? "-" : sizeText(static_cast<std::uint64_t>(meanBytes)),
                       millisecondsText(row, row.feltNs), millisecondsText(row, row.transferNs),
                       rateText(row.feltBandwidth()), rateText(row.algorithmBandwidth()),
                       rateText(row.busBandwidth()),
                       row.isTimed() ? fmt::format("{:.1f}%", row.share * 100) : "-");
}

/// Of the lowest rank, which is like the others.
std::string stepsText(const std::map<int, diagnose::StepWatch>& steps)
{
    const auto rate = steps.empty() ? std::nullopt : steps.begin()->second.rate();
    if (!rate)
        return "The operations aren't periodic: they tell of no steps.\n";
    return fmt::format(
        "{:.2f} steps a second, by the rhythm of {} operations a step that move {}.\n",
        rate->stepsPerSecond(), rate->operations,
        sizeText(static_cast<std::uint64_t>(rate->bytes)));
}

Json jsonOf(const diagnose::StepRate& rate)
{
    return {{"operations", rate.operations},
            {"bytes", rate.bytes},
            {"steps", rate.steps},
            {"period_ns", rate.periodNs},
            {"per_second", rate.stepsPerSecond()}};
}

Json jsonOf(const BandwidthRow& row)
{
    const bool tells = row.tellsBandwidth() && row.isTimed();
    const auto told = [&](double rate) { return tells ? Json(rate) : Json(); };
    const auto timed = [&](auto value) { return row.isTimed() ? Json(value) : Json(); };
    return {{"operation", ledger::nameOf(row.kind)},
            {"group", row.group.shown()},
            {"members", row.group.members},
            {"type", ledger::nameOf(row.type)},
            {"backend", ledger::nameOf(row.backend)},
            {"algorithm", ledger::nameOf(row.algorithm)},
            {"bucket", row.bucket},
            {"count", row.count},
            {"bytes", row.bytes},
            {"felt_ns", timed(row.feltNs)},
            {"wire_ns", timed(row.transferNs)},
            {"is_wire", row.isWire},
            {"algbw", told(row.algorithmBandwidth())},
            {"busbw", told(row.busBandwidth())},
            {"felt", told(row.feltBandwidth())},
            {"wire_p50_ns", timed(row.transfers.quantile(0.5))},
            {"wire_p99_ns", timed(row.transfers.quantile(0.99))},
            {"share", timed(row.share)},
            // What scripts may know these by.
            {"inside_ns", timed(row.feltNs)},
            {"transfer_ns", timed(row.transferNs)},
            {"effective", told(row.feltBandwidth())},
            {"transfer_p50_ns", timed(row.transfers.quantile(0.5))},
            {"transfer_p99_ns", timed(row.transfers.quantile(0.99))}};
}

} // namespace

Result<OperationReport> OperationReport::read(const RunFileReader& reader)
{
    for (;;) {
        OperationReport report = RM_TRY(readOnce(reader));
        // What was folded meanwhile may have been missed.
        if (RM_TRY(reader.foldedBefore()) == report.m_foldedBeforeNs)
            return report;
    }
}

Result<OperationReport> OperationReport::readOnce(const RunFileReader& reader)
{
    OperationReport report;
    const RunFileReader::Folded folded = RM_TRY(reader.foldedOperations());
    report.m_foldedBeforeNs = folded.beforeNs;
    for (const FoldRow& row : folded.rows)
        report.add(RM_TRY(unpackFold(row.block)));
    for (std::uint64_t cursor = 0;;) {
        const auto page = RM_TRY(reader.operations(cursor));
        if (page.rows.empty())
            return report;
        for (const OperationRow& row : page.rows)
            report.add(RM_TRY(unpackOperations(row.block)));
        cursor = page.cursor;
    }
}

OperationReport::Attempt& OperationReport::attemptOf(int number)
{
    const auto [at, isNew] = m_attempts.try_emplace(number);
    if (isNew)
        at->second.table.setFoldedBefore(m_foldedBeforeNs);
    return at->second;
}

void OperationReport::add(const OperationFold& fold)
{
    Attempt& attempt = attemptOf(fold.attempt);
    attempt.table.add(fold);
    attempt.operations += fold.operations;
}

void OperationReport::add(const OperationBatch& batch)
{
    Attempt& attempt = attemptOf(batch.attempt);
    for (const LedgerGroup& group : batch.groups)
        attempt.table.described(batch.rank, group);
    for (const Operation& operation : batch.operations) {
        attempt.table.add(batch.rank, operation);
        // One that lasts is told of while it runs, too.
        auto& running = attempt.running[batch.rank];
        const bool isTold = running.erase(operation.id) > 0;
        const bool isFolded = operation.endedNs != 0 && operation.endedNs < m_foldedBeforeNs;
        const bool isCounted = !isFolded && !isTold && !ledger::makesGroup(operation.kind);
        attempt.operations += isCounted ? 1 : 0;
        attempt.steps[batch.rank].add(operation);
        if (operation.outcome == Operation::Outcome::Running)
            running[operation.id] =
                textOf(operation, attempt.table.groupOf(batch.rank, operation.group));
    }
    attempt.lost += batch.lost;
}

std::string OperationReport::text() const
{
    if (m_attempts.empty())
        return "No operations were recorded.\n";
    std::string text;
    for (const auto& [number, attempt] : m_attempts) {
        text += fmt::format("Attempt {}: {} operations of all ranks in {:.1f} s", number,
                            attempt.operations, double(attempt.table.wallNs()) / 1e9);
        if (attempt.lost > 0)
            text += fmt::format(", {} records lost", attempt.lost);
        if (attempt.table.foldedNs() > 0)
            text += fmt::format(", of which the first {:.0f} min are kept as sums and histograms",
                                double(attempt.table.foldedNs()) / 60e9);
        text += "\n" + stepsText(attempt.steps) + padded("OPERATION", 26) + padded("GROUP", 12) +
                padded("RANKS", 7) + padded("TYPE", 10) + padded("BACKEND", 13) +
                fmt::format("{:>9} {:>10} {:>10} {:>10} {:>8} {:>8} {:>8} {:>8}\n", "COUNT", "SIZE",
                            "FELT ms", "WIRE ms", "FELT", "ALGBW", "BUSBW", "OF TIME");
        for (const BandwidthRow& row : attempt.table.rows())
            text += lineOf(row);
        for (const auto& [rank, running] : attempt.running) {
            for (const auto& [id, operation] : running)
                text += fmt::format("Rank {} ended in {}.\n", rank, harmless(operation));
        }
    }
    return text + "Sizes and times are means; bandwidths in GB/s (1e9). FELT is the program's own "
                  "time: from the call until it, or the wait for it, is over, mean over the ranks. "
                  "WIRE is the backend's, on the rank that waits least; ALGBW and BUSBW are of "
                  "that, by nccl-tests' rules. A dash: nobody says when these were over.\n";
}

Json OperationReport::json() const
{
    Json list = Json::array();
    for (const auto& [number, attempt] : m_attempts) {
        Json rows = Json::array();
        for (const BandwidthRow& row : attempt.table.rows())
            rows.push_back(jsonOf(row));
        Json running = Json::object();
        for (const auto& [rank, operations] : attempt.running) {
            for (const auto& [id, operation] : operations)
                running[std::to_string(rank)].push_back(operation);
        }
        Json steps = Json::object();
        for (const auto& [rank, watch] : attempt.steps) {
            if (const auto rate = watch.rate())
                steps[std::to_string(rank)] = jsonOf(*rate);
        }
        list.push_back({{"attempt", number},
                        {"steps", steps},
                        {"operations", attempt.operations},
                        {"lost", attempt.lost},
                        {"wall_ns", attempt.table.wallNs()},
                        {"folded_ns", attempt.table.foldedNs()},
                        {"bandwidth", rows},
                        {"running_at_end", running}});
    }
    return list;
}

} // namespace ringmaster
