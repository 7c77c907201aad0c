#pragma once

#include "engine/base/Result.h"
#include "engine/record/RunSummary.h"

namespace ringmaster {

namespace v1 {
class RunEntry;
class RunLabels;
} // namespace v1

// Entries of a machine's list of runs to and from their protobuf form. Inwards nothing is believed.

void toProto(const RunSummary& run, v1::RunEntry& proto);
/// An id that can't be a run's, or a state that isn't known, is code::MalformedMessage.
Result<RunSummary> fromProto(const v1::RunEntry& proto);

void toProto(const RunLabels& labels, v1::RunLabels& proto);
RunLabels fromProto(const v1::RunLabels& proto);

} // namespace ringmaster
