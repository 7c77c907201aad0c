#pragma once

#include "engine/base/Codes.h"
#include "engine/event/Proto.h"
#include "engine/event/ProtoEnums.h"

/// Inside engine/event only: the bodies, and parts of them, that more than one source converts.
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

void toProto(const SweepPlan& body, v1::SweepPlan& proto);
Result<SweepPlan> fromProto(const v1::SweepPlan& proto);

void toProto(const SweepRow& body, v1::SweepRow& proto);
Result<SweepRow> fromProto(const v1::SweepRow& proto);

void toProto(const LessonStarted& body, v1::LessonStarted& proto);
Result<LessonStarted> fromProto(const v1::LessonStarted& proto);

void toProto(const LessonStep& body, v1::LessonStep& proto);
Result<LessonStep> fromProto(const v1::LessonStep& proto);

void toProto(const MoveLesson& move, v1::MoveLesson& proto);
Result<MoveLesson> fromProto(const v1::MoveLesson& proto);

void toProto(const InjectFault& fault, v1::InjectFault& proto);
Result<InjectFault> fromProto(const v1::InjectFault& proto);

void toProto(const Verdict& body, v1::Verdict& proto);
Result<Verdict> fromProto(const v1::Verdict& proto);

void toProto(const LastOperation& body, v1::LastOperation& proto);
Result<LastOperation> fromProto(const v1::LastOperation& proto);

void toProto(const DeviceSample& body, v1::DeviceSample& proto);
Result<DeviceSample> fromProto(const v1::DeviceSample& proto);

void toProto(const HostChanged& body, v1::HostChanged& proto);
Result<HostChanged> fromProto(const v1::HostChanged& proto);

void toProto(const ClockMeasured& body, v1::ClockMeasured& proto);
Result<ClockMeasured> fromProto(const v1::ClockMeasured& proto);

void toProto(const RendezvousReport& body, v1::RendezvousReport& proto);
Result<RendezvousReport> fromProto(const v1::RendezvousReport& proto);

void toProto(const BeginRound& round, v1::BeginRound& proto);
Result<BeginRound> fromProto(const v1::BeginRound& proto);

void toProto(const LeaveRound& leave, v1::LeaveRound& proto);
void toProto(const CloseRendezvous& close, v1::CloseRendezvous& proto);

} // namespace ringmaster
