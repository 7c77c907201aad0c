#include "engine/control/LogProto.h"

#include "engine/base/Codes.h"
#include "engine/event/Proto.h"

#include <algorithm>

#include <ringmaster.pb.h>

namespace ringmaster {

namespace {

/// Whatever is asked for: an answer has to fit into one message.
constexpr std::uint64_t LargestPage = 2U << 20U;

Result<Stream> fromProto(v1::Stream proto)
{
    switch (proto) {
    case v1::STREAM_STDOUT: return Stream::Stdout;
    case v1::STREAM_STDERR: return Stream::Stderr;
    case v1::STREAM_UNSPECIFIED:
    case v1::Stream_INT_MIN_SENTINEL_DO_NOT_USE_:
    case v1::Stream_INT_MAX_SENTINEL_DO_NOT_USE_: break;
    }
    return fail(code::MalformedMessage, {{"what", "log chunk"}});
}

void toProto(const LogChunk& chunk, v1::LogChunk& proto)
{
    proto.set_cursor(chunk.cursor);
    ringmaster::toProto(chunk.at, *proto.mutable_at());
    proto.set_attempt(chunk.attempt);
    proto.set_global_rank(chunk.globalRank);
    proto.set_stream(chunk.stream == Stream::Stdout ? v1::STREAM_STDOUT : v1::STREAM_STDERR);
    proto.set_offset(chunk.offset);
    proto.set_bytes(chunk.bytes);
}

Result<LogChunk> fromProto(const v1::LogChunk& proto)
{
    const Stream stream = RM_TRY(fromProto(proto.stream()));
    return LogChunk{.cursor = proto.cursor(),
                    .at = ringmaster::fromProto(proto.at()),
                    .attempt = proto.attempt(),
                    .globalRank = proto.global_rank(),
                    .stream = stream,
                    .offset = proto.offset(),
                    .bytes = proto.bytes()};
}

} // namespace

void toProto(const LogQuery& query, v1::LogQuery& proto)
{
    proto.set_cursor(query.cursor);
    proto.set_direction(query.direction == LogQuery::Direction::Forward
                            ? v1::LogQuery::DIRECTION_FORWARD
                            : v1::LogQuery::DIRECTION_BACKWARD);
    for (const int rank : query.ranks)
        proto.add_ranks(rank);
    proto.set_attempt(query.attempt);
    proto.set_max_bytes(query.maxBytes);
    proto.set_from_ns(query.fromNs);
}

Result<LogQuery> fromProto(const v1::LogQuery& proto)
{
    if (proto.direction() != v1::LogQuery::DIRECTION_FORWARD &&
        proto.direction() != v1::LogQuery::DIRECTION_BACKWARD)
        return fail(code::MalformedMessage, {{"what", "log query"}});
    LogQuery query{.cursor = proto.cursor(),
                   .direction = proto.direction() == v1::LogQuery::DIRECTION_FORWARD
                                    ? LogQuery::Direction::Forward
                                    : LogQuery::Direction::Backward,
                   .fromNs = proto.from_ns(),
                   .attempt = proto.attempt(),
                   .maxBytes = std::min(proto.max_bytes(), LargestPage)};
    query.ranks.assign(proto.ranks().begin(), proto.ranks().end());
    return query;
}

void toProto(const LogPage& page, v1::LogPage& proto)
{
    for (const LogChunk& chunk : page.chunks)
        toProto(chunk, *proto.add_chunks());
    proto.set_first_cursor(page.firstCursor);
    proto.set_last_cursor(page.lastCursor);
    proto.set_lost_bytes(page.lostBytes);
    for (const Message& problem : page.problems)
        ringmaster::toProto(problem, *proto.add_problems());
}

Result<LogPage> fromProto(const v1::LogPage& proto)
{
    LogPage page{.firstCursor = proto.first_cursor(),
                 .lastCursor = proto.last_cursor(),
                 .lostBytes = proto.lost_bytes()};
    for (const v1::LogChunk& chunk : proto.chunks())
        page.chunks.push_back(RM_TRY(fromProto(chunk)));
    for (const v1::Message& problem : proto.problems())
        page.problems.push_back(ringmaster::fromProto(problem));
    return page;
}

} // namespace ringmaster
