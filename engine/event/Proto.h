#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Result.h"
#include "engine/event/Codes.h"
#include "engine/event/Command.h"
#include "engine/event/Event.h"
#include "engine/event/EvidenceFolds.h"
#include "engine/event/Snapshot.h"

#include <string>
#include <string_view>

namespace ringmaster::v1 {
class Command;
class Error;
class Event;
class EventBody;
class HeartbeatReply;
class Message;
class Moment;
class RunSnapshot;
class Stacks;
} // namespace ringmaster::v1

/// The plain structs to and from their protobuf form (ringmaster.proto). Outwards nothing is lost.
/// Inwards nothing is believed: what is damaged is code::MalformedMessage, what only a newer
/// version can have sent is code::NewerEvent, which the caller may skip.
namespace ringmaster {

void toProto(const Moment& moment, v1::Moment& proto);
Moment fromProto(const v1::Moment& proto);

/// A code that this version doesn't know becomes code::NewerStatement, its name the parameter
/// `newerCode`; written again it is the original.
void toProto(const Message& message, v1::Message& proto);
Message fromProto(const v1::Message& proto);

void toProto(const Error& error, v1::Error& proto);
Error fromProto(const v1::Error& proto);

void toProto(const EventBody& body, v1::EventBody& proto);
Result<EventBody> fromProto(const v1::EventBody& proto);

void toProto(const Event& event, v1::Event& proto);
Result<Event> fromProto(const v1::Event& proto);

/// As fromProto(), but an event of a newer version becomes a Notice that says so, in its place: the
/// sequence has no gap.
Result<Event> fromProtoOrNotice(const v1::Event& proto);

void toProto(const RunSnapshot& snapshot, v1::RunSnapshot& proto);
Result<RunSnapshot> fromProto(const v1::RunSnapshot& proto);

void toProto(const KeptEvidence& evidence, v1::Stacks& proto);
Result<KeptEvidence> fromProto(const v1::Stacks& proto);

void toProto(const Command& command, v1::Command& proto);
Result<Command> fromProto(const v1::Command& proto);

/// Of its secrets no more than MostSecretsTold, either way.
void toProto(const HeartbeatReply& reply, v1::HeartbeatReply& proto);
HeartbeatReply fromProto(const v1::HeartbeatReply& proto);

/// The bytes of a v1::EventBody, for those who don't see protobuf.
std::string serialize(const EventBody& body);
Result<EventBody> parseEventBody(std::string_view bytes);

/// The bytes of a v1::Error: the error details of a gRPC status.
std::string serialize(const Error& error);
Result<Error> parseError(std::string_view bytes);

/// The field number of the body in v1::EventBody: stable, what a run file's `kind` holds.
int kindOf(const EventBody& body);
/// "runStarted": the name in v1::EventBody, in camel case.
std::string kindNameOf(const EventBody& body);

/// The Notice that stands for an event that can't be shown.
Notice noticeInsteadOf(const Error& error);

} // namespace ringmaster
