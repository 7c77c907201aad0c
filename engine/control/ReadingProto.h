#pragma once

#include "engine/control/OperationReading.h"

namespace ringmaster {

namespace v1 {
class OperationPart;
} // namespace v1

// What is read of a run's file on another machine, to and from its protobuf form. What is in a
// block, unpackOperations() tells.

void toProto(const OperationPart& part, v1::OperationPart& proto);
OperationPart fromProto(const v1::OperationPart& proto);

} // namespace ringmaster
