#pragma once

#include "engine/attach/JobFindings.h"
#include "engine/attach/JobWatch.h"
#include "engine/base/Result.h"

namespace ringmaster {

namespace v1 {
class ForeignJobQuery;
class ForeignJobs;
class JobFindings;
} // namespace v1

// Jobs that something else started to and from their protobuf form. Inwards nothing is believed.

/// No more than an answer has room for: commands are cut, the latest jobs come first.
void toProto(const std::vector<WatchedJob>& jobs, v1::ForeignJobs& proto);
Result<std::vector<WatchedJob>> fromProto(const v1::ForeignJobs& proto);

void toProto(const NamedJob& job, v1::ForeignJobQuery& proto);
Result<NamedJob> fromProto(const v1::ForeignJobQuery& proto);

void toProto(const JobFindings& findings, v1::JobFindings& proto);
Result<JobFindings> fromProto(const v1::JobFindings& proto);

} // namespace ringmaster
