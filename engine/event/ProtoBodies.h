#pragma once

#include "engine/base/Codes.h"
#include "engine/event/Proto.h"
#include "engine/event/ProtoEnums.h"

/// Inside engine/event only: the parts of bodies that a snapshot holds too.
namespace ringmaster {

/// An absent message is one that has nothing to say.
inline bool saysSomething(const Message& message)
{
    return message != Message{code::None, {}, {}};
}

void toProto(const RunStarted& body, v1::RunStarted& proto);
Result<RunStarted> fromProto(const v1::RunStarted& proto);

void toProto(const WorkerAssignment& worker, v1::WorkerAssignment& proto);
WorkerAssignment fromProto(const v1::WorkerAssignment& proto);

void toProto(const WorkerExited& body, v1::WorkerExited& proto);
Result<WorkerExited> fromProto(const v1::WorkerExited& proto);

void toProto(const FirstCause& body, v1::FirstCause& proto);
Result<FirstCause> fromProto(const v1::FirstCause& proto);

} // namespace ringmaster
