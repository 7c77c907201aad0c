#pragma once

#include "engine/base/Result.h"
#include "engine/record/LogPage.h"
#include "engine/record/LogSearch.h"

namespace ringmaster::v1 {
class LogPage;
class LogPlaces;
class LogQuery;
class LogSearchPart;
class LogSearchQuery;
} // namespace ringmaster::v1

/// Log queries and pages to and from their protobuf form.
namespace ringmaster {

void toProto(const LogQuery& query, v1::LogQuery& proto);
Result<LogQuery> fromProto(const v1::LogQuery& proto);

void toProto(const LogPage& page, v1::LogPage& proto);
Result<LogPage> fromProto(const v1::LogPage& proto);

void toProto(const std::vector<LogPlace>& places, v1::LogPlaces& proto);
Result<std::vector<LogPlace>> fromProto(const v1::LogPlaces& proto);

/// Without the texts: what is looked at is read by its place.
void toProto(const LogSearch::Query& query, v1::LogSearchQuery& proto);
Result<LogSearch::Query> fromProto(const v1::LogSearchQuery& proto);
void toProto(const LogSearchPage& page, v1::LogSearchPart& proto);
Result<LogSearchPage> fromProto(const v1::LogSearchPart& proto);

} // namespace ringmaster
