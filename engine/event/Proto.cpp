#include "engine/event/Proto.h"

#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/ProtoBodies.h"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/unknown_field_set.h>

namespace ringmaster {

namespace {

constexpr const char* NewerCode = "newerCode";

/// What a oneof holds that this version doesn't know ends up among the unknown fields.
template <class Proto>
tl::unexpected<Error> missingKind(const Proto& proto, const std::string& what)
{
    const auto& unknown = proto.GetReflection()->GetUnknownFields(proto);
    if (unknown.empty())
        return fail(code::MalformedMessage, {{"what", what}});
    return fail(code::NewerEvent,
                {{"what", what + " " + std::to_string(unknown.field(0).number())}});
}

template <class Proto>
Result<Proto> parse(std::string_view bytes, const char* what)
{
    // What is wrong with the bytes is the caller's to say, not the library's on standard error.
    const google::protobuf::LogSilencer silencer;
    Proto proto;
    if (bytes.size() > INT32_MAX ||
        !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
        return fail(code::MalformedMessage, {{"what", what}});
    return proto;
}

/// The identity, time and place of an event: all but its body.
Event headOf(const v1::Event& proto)
{
    Event event;
    event.id = {proto.run(), proto.agent(), proto.sequence()};
    event.runSequence = proto.run_sequence();
    event.at = fromProto(proto.at());
    event.node = proto.node();
    event.clock = proto.clock();
    return event;
}

} // namespace

void toProto(const Moment& moment, v1::Moment& proto)
{
    proto.set_monotonic_ns(moment.monotonicNs);
    proto.set_wall_ns(moment.wallNs);
}

Moment fromProto(const v1::Moment& proto)
{
    return {proto.monotonic_ns(), proto.wall_ns()};
}

void toProto(const Message& message, v1::Message& proto)
{
    const auto newer = message.parameters.find(NewerCode);
    const bool isNewer = message.code == code::NewerStatement && newer != message.parameters.end();
    proto.set_code(isNewer ? newer->second : std::string(codeName(message.code)));
    for (const auto& [name, value] : message.parameters) {
        if (!isNewer || name != NewerCode)
            (*proto.mutable_parameters())[name] = value;
    }
    proto.set_detail(message.detail);
}

Message fromProto(const v1::Message& proto)
{
    Message message{code::None, {}, proto.detail()};
    for (const auto& [name, value] : proto.parameters())
        message.parameters.emplace(name, value);
    if (const auto code = codeFromName(proto.code())) {
        message.code = *code;
    } else if (!proto.code().empty()) {
        message.code = code::NewerStatement;
        message.parameters.insert_or_assign(NewerCode, proto.code());
    }
    return message;
}

void toProto(const Error& error, v1::Error& proto)
{
    toProto(static_cast<const Message&>(error), *proto.mutable_message());
    for (const Message& step : error.context)
        toProto(step, *proto.add_context());
}

Error fromProto(const v1::Error& proto)
{
    Error error{fromProto(proto.message()), {}};
    for (const v1::Message& step : proto.context())
        error.context.push_back(fromProto(step));
    return error;
}

void toProto(const Event& event, v1::Event& proto)
{
    proto.set_run(event.id.run);
    proto.set_agent(event.id.agent);
    proto.set_sequence(event.id.sequence);
    proto.set_run_sequence(event.runSequence);
    toProto(event.at, *proto.mutable_at());
    proto.set_node(event.node);
    proto.set_clock(event.clock);
    toProto(event.body, *proto.mutable_body());
}

Result<Event> fromProto(const v1::Event& proto)
{
    if (proto.body().kind_case() == v1::EventBody::KIND_NOT_SET)
        return missingKind(proto.body(), "event");
    Event event = headOf(proto);
    event.body = RM_TRY(fromProto(proto.body()));
    return event;
}

Result<Event> fromProtoOrNotice(const v1::Event& proto)
{
    Result<Event> event = fromProto(proto);
    if (event || event.error().code != code::NewerEvent)
        return event;
    Event standIn = headOf(proto);
    standIn.body = noticeInsteadOf(event.error());
    return standIn;
}

void toProto(const Command& command, v1::Command& proto)
{
    struct Writer
    {
        v1::Command& proto;
        void operator()(const StopRun& stop) const { proto.mutable_stop_run()->set_now(stop.now); }
        void operator()(const RestartGroup&) const { proto.mutable_restart_group(); }
        void operator()(const SignalWorker& signal) const
        {
            proto.mutable_signal_worker()->set_global_rank(signal.globalRank);
            proto.mutable_signal_worker()->set_signal(signal.signal);
        }
        void operator()(const MoveLesson& move) const
        {
            toProto(move, *proto.mutable_move_lesson());
        }
        void operator()(const InjectFault& fault) const
        {
            toProto(fault, *proto.mutable_inject_fault());
        }
        void operator()(const BeginRound& round) const
        {
            toProto(round, *proto.mutable_begin_round());
        }
        void operator()(const LeaveRound& leave) const
        {
            toProto(leave, *proto.mutable_leave_round());
        }
        void operator()(const CloseRendezvous& close) const
        {
            toProto(close, *proto.mutable_close_rendezvous());
        }
    };
    std::visit(Writer{proto}, command);
}

Result<Command> fromProto(const v1::Command& proto)
{
    switch (proto.kind_case()) {
    case v1::Command::kStopRun: return StopRun{proto.stop_run().now()};
    case v1::Command::kRestartGroup: return RestartGroup{};
    case v1::Command::kSignalWorker:
        return SignalWorker{proto.signal_worker().global_rank(), proto.signal_worker().signal()};
    case v1::Command::kMoveLesson: return fromProto(proto.move_lesson());
    case v1::Command::kInjectFault: return fromProto(proto.inject_fault());
    case v1::Command::kBeginRound: return fromProto(proto.begin_round());
    case v1::Command::kLeaveRound:
        return LeaveRound{proto.leave_round().round(), proto.leave_round().recalls_finished(),
                          fromProto(proto.leave_round().why())};
    case v1::Command::kCloseRendezvous:
        return CloseRendezvous{proto.close_rendezvous().has_succeeded(),
                               fromProto(proto.close_rendezvous().why())};
    case v1::Command::KIND_NOT_SET: break;
    }
    return missingKind(proto, "command");
}

std::string serialize(const EventBody& body)
{
    v1::EventBody proto;
    toProto(body, proto);
    return proto.SerializeAsString();
}

Result<EventBody> parseEventBody(std::string_view bytes)
{
    const auto proto = RM_TRY(parse<v1::EventBody>(bytes, "event"));
    if (proto.kind_case() == v1::EventBody::KIND_NOT_SET)
        return missingKind(proto, "event");
    return fromProto(proto);
}

std::string serialize(const Error& error)
{
    v1::Error proto;
    toProto(error, proto);
    return proto.SerializeAsString();
}

Result<Error> parseError(std::string_view bytes)
{
    return fromProto(RM_TRY(parse<v1::Error>(bytes, "error")));
}

Notice noticeInsteadOf(const Error& error)
{
    return {Notice::Severity::Warning, -1, error};
}

} // namespace ringmaster
