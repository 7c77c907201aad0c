#include "engine/control/ReadingProto.h"

#include "engine/control/FiguresProto.h"
#include "engine/control/OperationProto.h"
#include "engine/event/FiniteNumber.h"
#include "engine/event/Proto.h"

#include <algorithm>

#include <machine.pb.h>

namespace ringmaster {

void toProto(const OperationPart& part, v1::OperationPart& proto)
{
    toProto(OperationPage{part.rows, part.cursor}, *proto.mutable_page());
    proto.set_folded_before_ns(part.foldedBefore);
    proto.set_is_more(part.isMore);
    proto.set_now_ns(part.nowNs);
    if (!part.folds)
        return;
    v1::OperationPart::Folds& folds = *proto.mutable_folds();
    folds.set_before_ns(part.folds->beforeNs);
    for (const FoldRow& row : part.folds->rows) {
        v1::OperationPart::Fold& fold = *folds.add_folds();
        fold.set_attempt(row.attempt);
        fold.set_first_ns(row.firstNs);
        fold.set_until_ns(row.untilNs);
        fold.set_count(row.count);
        fold.set_block(row.block);
    }
}

OperationPart fromProto(const v1::OperationPart& proto)
{
    OperationPage page = fromProto(proto.page());
    OperationPart part{.rows = std::move(page.rows),
                       .cursor = page.cursor,
                       .foldedBefore = proto.folded_before_ns(),
                       .isMore = proto.is_more(),
                       .nowNs = proto.now_ns()};
    if (!proto.has_folds())
        return part;
    part.folds.emplace();
    part.folds->beforeNs = proto.folds().before_ns();
    for (const v1::OperationPart::Fold& fold : proto.folds().folds())
        part.folds->rows.push_back({.attempt = fold.attempt(),
                                    .firstNs = fold.first_ns(),
                                    .untilNs = fold.until_ns(),
                                    .count = fold.count(),
                                    .block = fold.block()});
    return part;
}

namespace {

constexpr std::string_view RunName = "compared run";

/// A chart has one line a name.
NumberSummary withLowestRank(NumberSummary numbers)
{
    std::erase_if(numbers.lines, [all = numbers.lines](const NumberSummary::Line& line) {
        return std::ranges::any_of(all, [&](const NumberSummary::Line& other) {
            return other.name == line.name && other.rank < line.rank;
        });
    });
    return numbers;
}

void toProto(const OperationSummary& operations, v1::ComparedRun& proto)
{
    proto.set_operations(packFold(diagnose::foldOf(operations.rows)));
    proto.set_wall_ns(operations.wallNs);
    if (operations.steps)
        proto.set_step_ns(operations.steps->periodNs);
    proto.set_span_ns(operations.spanNs);
    for (const OperationSummary::Series& series : operations.series) {
        v1::ComparedRun::Series& told = *proto.add_series();
        told.set_kind(static_cast<std::uint32_t>(series.kind));
        for (const OperationSummary::Point& point : series.points) {
            told.add_from_ns(point.fromNs);
            told.add_bytes(point.bytes);
            told.add_bus_bytes(point.busBytes);
            told.add_transfer_ns(point.transferNs);
        }
    }
}

Result<OperationSummary::Series> fromProto(const v1::ComparedRun::Series& proto)
{
    const int count = proto.from_ns_size();
    if (proto.kind() >= ledger::OperationKinds || proto.bytes_size() != count ||
        proto.bus_bytes_size() != count || proto.transfer_ns_size() != count)
        return fail(code::MalformedMessage, {{"what", std::string(RunName)}});
    OperationSummary::Series series{.kind = static_cast<ledger::OperationKind>(proto.kind())};
    for (int i = 0; i < count; ++i) {
        OperationSummary::Point& point = series.points.emplace_back();
        point.fromNs = proto.from_ns(i);
        point.bytes = RM_TRY(finite(proto.bytes(i), RunName));
        point.busBytes = RM_TRY(finite(proto.bus_bytes(i), RunName));
        point.transferNs = proto.transfer_ns(i);
    }
    return series;
}

Result<OperationSummary> operationsOf(const v1::ComparedRun& proto)
{
    OperationSummary operations{.wallNs = proto.wall_ns(), .spanNs = proto.span_ns()};
    const OperationFold fold = RM_TRY(unpackFold(proto.operations()));
    diagnose::BandwidthRows rows;
    for (const OperationFold::Row& row : fold.rows)
        rows.add(diagnose::rowOf(fold, row));
    operations.rows = diagnose::byShare(rows, operations.wallNs);
    if (proto.has_step_ns())
        operations.steps = diagnose::StepRate{.periodNs = proto.step_ns()};
    for (const v1::ComparedRun::Series& series : proto.series())
        operations.series.push_back(RM_TRY(fromProto(series)));
    return operations;
}

} // namespace

void toProto(const ComparedRun& run, v1::ComparedRun& proto)
{
    proto.set_id(run.id);
    proto.set_name(run.name);
    proto.set_health(std::string(nameOf(run.health)));
    toProto(run.startedAt, *proto.mutable_started_at());
    proto.set_duration_ns(run.durationNs);
    proto.set_world_size(run.worldSize);
    proto.set_job_file(run.jobFile);
    proto.set_restarts_used(run.restartsUsed);
    for (const Message& restart : run.restarts)
        toProto(restart, *proto.add_restarts());
    for (const Message& verdict : run.verdicts)
        toProto(verdict, *proto.add_verdicts());
    toProto(run.cause, *proto.mutable_cause());
    if (run.firstCollective)
        proto.set_first_collective(*run.firstCollective);
    toProto(withLowestRank(run.numbers), *proto.mutable_numbers());
    toProto(run.operations, proto);
}

Result<ComparedRun> fromProto(const v1::ComparedRun& proto)
{
    const auto health = healthFromName(proto.health());
    if (!health)
        return fail(code::MalformedMessage, {{"what", std::string(RunName)}});
    ComparedRun run{.id = proto.id(),
                    .name = proto.name(),
                    .health = *health,
                    .startedAt = fromProto(proto.started_at()),
                    .durationNs = proto.duration_ns(),
                    .worldSize = proto.world_size(),
                    .jobFile = proto.job_file(),
                    .restartsUsed = proto.restarts_used(),
                    .cause = fromProto(proto.cause())};
    for (const v1::Message& restart : proto.restarts())
        run.restarts.push_back(fromProto(restart));
    for (const v1::Message& verdict : proto.verdicts())
        run.verdicts.push_back(fromProto(verdict));
    if (proto.has_first_collective())
        run.firstCollective = RM_TRY(finite(proto.first_collective(), RunName));
    run.operations = RM_TRY(operationsOf(proto));
    run.numbers = RM_TRY(fromProto(proto.numbers()));
    return run;
}

} // namespace ringmaster
