#include "engine/control/LogProto.h"

#include "engine/event/ProtoFields.h"

#include <algorithm>

namespace ringmaster {

RM_FIELDS(LogChunk, cursor, at, attempt, globalRank, stream, offset, bytes);
RM_FIELDS(LogQuery, cursor, direction, fromNs, ranks, attempt, maxBytes);
RM_FIELDS(LogPage, chunks, firstCursor, lastCursor, lostBytes, problems);

namespace {

static_assert(v1::LogQuery::DIRECTION_BACKWARD ==
              static_cast<int>(LogQuery::Direction::Backward) + 1);

/// Whatever is asked for: an answer has to fit into one message.
constexpr std::uint64_t LargestPage = 2U << 20U;

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

} // namespace ringmaster
