#pragma once

#include "engine/control/OperationReading.h"
#include "engine/control/RunComparison.h"

namespace ringmaster {

namespace v1 {
class ComparedRun;
class OperationPart;
} // namespace v1

// What is read of a run's file on another machine, to and from its protobuf form. What is in a
// block, unpackOperations() tells.

void toProto(const OperationPart& part, v1::OperationPart& proto);
OperationPart fromProto(const v1::OperationPart& proto);

/// What a comparison shows of it: of the lines those of the lowest rank, of the operations their
/// rows, rhythm and series.
void toProto(const ComparedRun& run, v1::ComparedRun& proto);
Result<ComparedRun> fromProto(const v1::ComparedRun& proto);

} // namespace ringmaster
