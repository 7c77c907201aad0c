#pragma once

#include "engine/base/Result.h"
#include "engine/record/LogPage.h"

namespace ringmaster::v1 {
class LogPage;
class LogQuery;
} // namespace ringmaster::v1

/// Log queries and pages to and from their protobuf form.
namespace ringmaster {

void toProto(const LogQuery& query, v1::LogQuery& proto);
Result<LogQuery> fromProto(const v1::LogQuery& proto);

void toProto(const LogPage& page, v1::LogPage& proto);
Result<LogPage> fromProto(const v1::LogPage& proto);

} // namespace ringmaster
