#include "engine/control/FiguresProto.h"

#include "engine/event/ProtoFields.h"

#include <algorithm>

#include <machine.pb.h>

namespace ringmaster {

RM_FIELDS(RunFigures, lastSequence, lastLine, lastLineRank, stepsASecond, busBandwidth, isMore);
RM_FIELDS(NumberSummary::Progress, name, value, total, part, perSecond, endWallNs);

namespace {

constexpr std::string_view FiguresName = "figures of a run";

Result<NumberSummary::Latest> latestOf(const v1::LastNumbers::Latest& proto)
{
    NumberSummary::Latest latest{.name = proto.name(),
                                 .rank = proto.rank(),
                                 .value = proto.value(), // NaN is what a loss may be
                                 .atNs = proto.at_ns(),
                                 .isCounter = proto.is_counter()};
    if (proto.has_total())
        latest.total = RM_TRY(finite(proto.total(), FiguresName));
    return latest;
}

} // namespace

void toProto(const RunFigures& figures, v1::RunFigures& proto)
{
    fields::write(figures, proto);
}

Result<RunFigures> fromProto(const v1::RunFigures& proto)
{
    return fields::read<RunFigures>(proto);
}

void toProto(const NumberSummary& numbers, v1::LastNumbers& proto)
{
    proto.set_attempt(numbers.attempt);
    for (const std::string& name : numbers.names)
        proto.add_names(name);
    for (const NumberSummary::Latest& latest : numbers.latest) {
        v1::LastNumbers::Latest& told = *proto.add_latest();
        told.set_name(latest.name);
        told.set_rank(latest.rank);
        told.set_value(latest.value);
        if (latest.total)
            told.set_total(*latest.total);
        told.set_at_ns(latest.atNs);
        told.set_is_counter(latest.isCounter);
    }
    if (numbers.progress)
        fields::write(*numbers.progress, *proto.mutable_progress());
    proto.set_is_cut(numbers.isCut);
    proto.set_is_more(numbers.isMore);
    for (const NumberSummary::Line& line : numbers.lines) {
        v1::LastNumbers::Line& told = *proto.add_lines();
        told.set_name(line.name);
        told.set_attempt(line.attempt);
        told.set_rank(line.rank);
        for (const NumberSeries::Point& point : line.points) {
            told.add_at_ns(point.ns);
            told.add_values(point.value);
        }
    }
}

Result<NumberSummary> fromProto(const v1::LastNumbers& proto)
{
    NumberSummary numbers{.attempt = proto.attempt(),
                          .names = {proto.names().begin(), proto.names().end()},
                          .isCut = proto.is_cut(),
                          .isMore = proto.is_more()};
    for (const auto& told : proto.lines()) {
        if (told.at_ns_size() != told.values_size())
            return fail(code::MalformedMessage, {{"what", std::string(FiguresName)}});
        NumberSummary::Line& line = numbers.lines.emplace_back();
        line.name = told.name();
        line.attempt = told.attempt();
        line.rank = told.rank();
        for (int i = 0; i < told.values_size(); ++i)
            line.points.push_back({told.at_ns(i), told.values(i)});
    }
    for (const auto& latest : proto.latest())
        numbers.latest.push_back(RM_TRY(latestOf(latest)));
    if (proto.has_progress()) {
        numbers.progress = RM_TRY(fields::read<NumberSummary::Progress>(proto.progress()));
        numbers.progress->part = std::clamp(numbers.progress->part, 0.0, 1.0);
    }
    return numbers;
}

void toProto(const NumberNews& news, v1::LastNumbers& proto)
{
    toProto(news.numbers, proto);
    proto.set_serial(news.serial);
    proto.set_is_delta(news.isDelta);
}

Result<NumberNews> newsFromProto(const v1::LastNumbers& proto)
{
    NumberSummary numbers = RM_TRY(fromProto(proto));
    return NumberNews{std::move(numbers), proto.serial(), proto.is_delta()};
}

void toProto(const RankPlaces& places, std::int64_t nowNs, v1::RankPlaces& proto)
{
    proto.set_attempt(places.attempt);
    for (const OperationSummary::Place& place : places.places) {
        v1::RankPlaces::Place& told = *proto.add_places();
        told.set_rank(place.rank);
        told.set_kind(static_cast<std::uint32_t>(place.kind));
        told.set_name(place.name);
        told.set_number(place.number);
        told.set_is_inside(place.isInside);
        told.set_file(place.calledAt.file);
        told.set_function(place.calledAt.function);
        told.set_line(place.calledAt.line);
        told.set_age_ns(nowNs - place.sinceNs);
    }
}

/// What a later version knows is no kind of this one.
RankPlaces fromProto(const v1::RankPlaces& proto, std::int64_t nowNs)
{
    RankPlaces places{.attempt = proto.attempt()};
    for (const auto& told : proto.places()) {
        const bool isKnown = told.kind() < ledger::OperationKinds;
        // No further back than the clock goes: what is subtracted can't overflow.
        const std::int64_t age = std::clamp<std::int64_t>(told.age_ns(), 0, nowNs);
        places.places.push_back(
            {.rank = told.rank(),
             .kind = isKnown ? static_cast<ledger::OperationKind>(told.kind())
                             : ledger::OperationKind::Other,
             .name = told.name(),
             .number = told.number(),
             .isInside = told.is_inside(),
             .calledAt = {.file = told.file(), .function = told.function(), .line = told.line()},
             .sinceNs = nowNs - age});
    }
    return places;
}

} // namespace ringmaster
