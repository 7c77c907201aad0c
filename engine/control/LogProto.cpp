#include "engine/control/LogProto.h"

#include "engine/event/ProtoFields.h"

#include <algorithm>

#include <machine.pb.h>

namespace ringmaster {

RM_FIELDS(LogChunk, cursor, at, attempt, globalRank, stream, offset, bytes);
RM_FIELDS(LogQuery, cursor, direction, fromNs, ranks, attempt, maxBytes);
RM_FIELDS(LogPlace, cursor, offset, length, number, at, attempt, globalRank, stream, isMatch);
RM_FIELDS(LogPage, chunks, firstCursor, lastCursor, lostBytes, problems);

namespace {

static_assert(v1::LogQuery::DIRECTION_BACKWARD ==
              static_cast<int>(LogQuery::Direction::Backward) + 1);

/// Whatever is asked for: an answer has to fit into one message.
constexpr std::uint64_t LargestPage = 2U << 20U;
constexpr std::uint64_t MostLinesAround = 1000;

} // namespace

void toProto(const LogQuery& query, v1::LogQuery& proto)
{
    fields::write(query, proto);
}

Result<LogQuery> fromProto(const v1::LogQuery& proto)
{
    LogQuery query = RM_TRY(fields::read<LogQuery>(proto));
    query.maxBytes = std::min(query.maxBytes, LargestPage);
    return query;
}

void toProto(const LogPage& page, v1::LogPage& proto)
{
    fields::write(page, proto);
}

Result<LogPage> fromProto(const v1::LogPage& proto)
{
    return fields::read<LogPage>(proto);
}

void toProto(const std::vector<LogPlace>& places, v1::LogPlaces& proto)
{
    for (const LogPlace& place : places)
        fields::write(place, *proto.add_places());
}

Result<std::vector<LogPlace>> fromProto(const v1::LogPlaces& proto)
{
    std::vector<LogPlace> places;
    for (const v1::LogPlaces::Place& place : proto.places())
        places.push_back(RM_TRY(fields::read<LogPlace>(place)));
    return places;
}

void toProto(const LogSearch::Query& query, v1::LogSearchQuery& proto)
{
    proto.set_filter(query.filter.text());
    proto.set_is_expression(query.filter.isExpression());
    for (const int rank : query.ranks)
        proto.add_ranks(rank);
    proto.set_attempt(query.attempt);
    if (query.stream)
        proto.set_stream(static_cast<v1::Stream>(static_cast<int>(*query.stream) + 1));
    proto.set_lines_around(query.linesAround);
}

Result<LogSearch::Query> fromProto(const v1::LogSearchQuery& proto)
{
    LogFilter filter = RM_TRY(proto.is_expression() ? LogFilter::ofExpression(proto.filter())
                                                    : LogFilter::parse(proto.filter()));
    LogSearch::Query query{.filter = std::move(filter)};
    query.ranks.assign(proto.ranks().begin(), proto.ranks().end());
    query.attempt = proto.attempt();
    if (proto.stream() == v1::STREAM_STDOUT || proto.stream() == v1::STREAM_STDERR)
        query.stream = static_cast<Stream>(static_cast<int>(proto.stream()) - 1);
    query.linesAround = std::min<std::uint64_t>(proto.lines_around(), MostLinesAround);
    return query;
}

void toProto(const LogSearchPage& page, v1::LogSearchPart& proto)
{
    toProto(page.places, *proto.mutable_found());
    proto.set_matches(page.matches);
    proto.set_part(page.part);
    proto.set_is_at_end(page.isAtEnd);
    for (const Message& problem : page.problems)
        toProto(problem, *proto.add_problems());
}

Result<LogSearchPage> fromProto(const v1::LogSearchPart& proto)
{
    auto places = RM_TRY(fromProto(proto.found()));
    const double part = RM_TRY(finite(proto.part(), "search through a log"));
    LogSearchPage page{.places = std::move(places),
                       .matches = proto.matches(),
                       .part = part,
                       .isAtEnd = proto.is_at_end()};
    for (const v1::Message& problem : proto.problems())
        page.problems.push_back(fromProto(problem));
    return page;
}

} // namespace ringmaster
