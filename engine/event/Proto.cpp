#include "engine/event/Proto.h"

#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/ProtoFields.h"

#include <algorithm>

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/unknown_field_set.h>

namespace ringmaster {

namespace {

constexpr const char* NewerCode = "newerCode";

// The last of each enumeration that is sent.
static_assert(v1::WORKER_STATE_FAILED == static_cast<int>(WorkerState::Failed) + 1);
static_assert(v1::RUN_STATE_LOST == static_cast<int>(RunState::Lost) + 1);
static_assert(v1::STREAM_STDERR == static_cast<int>(Stream::Stderr) + 1);
static_assert(v1::RendezvousStep::STEP_FAILED ==
              static_cast<int>(RendezvousStep::Step::Failed) + 1);
static_assert(v1::Verdict::KIND_MISMATCH == static_cast<int>(Verdict::Kind::Mismatch) + 1);
static_assert(v1::Notice::SEVERITY_ERROR == static_cast<int>(Notice::Severity::Error) + 1);
static_assert(v1::HostChanged::STATE_RECONNECTING ==
              static_cast<int>(HostChanged::State::Reconnecting) + 1);
static_assert(v1::RankEvidence::SOURCE_PY_SPY == static_cast<int>(RankEvidence::Source::PySpy) + 1);
static_assert(v1::RankEvidence::PROCESS_ENDED ==
              static_cast<int>(RankEvidence::Process::Ended) + 1);
static_assert(v1::RendezvousReport::STEP_FINISHED ==
              static_cast<int>(RendezvousReport::Step::Finished) + 1);
static_assert(v1::LessonStep::KIND_FINISH == static_cast<int>(LessonStep::Kind::Finish) + 1);
static_assert(v1::LessonValue::KIND_GONE == static_cast<int>(LessonValue::Kind::Gone) + 1);
static_assert(v1::MoveLesson::MOVE_TO_END == static_cast<int>(MoveLesson::Move::ToEnd) + 1);
static_assert(v1::BeginDrill::KIND_CUT_HOST == static_cast<int>(BeginDrill::Kind::CutHost) + 1);
static_assert(v1::InjectFault::KIND_CORRUPT_DATA ==
              static_cast<int>(InjectFault::Kind::CorruptData) + 1);

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
    fields::write(moment, proto);
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

void toProto(const EventBody& body, v1::EventBody& proto)
{
    fields::writeOneOf(body, proto);
}

Result<EventBody> fromProto(const v1::EventBody& proto)
{
    if (proto.kind_case() == v1::EventBody::KIND_NOT_SET)
        return missingKind(proto, "event");
    EventBody body;
    RM_TRY(fields::readOneOf(body, proto));
    return body;
}

int kindOf(const EventBody& body)
{
    return static_cast<int>(body.index()) + 1;
}

std::string kindNameOf(const EventBody& body)
{
    return v1::EventBody::descriptor()->FindFieldByNumber(kindOf(body))->camelcase_name();
}

void toProto(const RunSnapshot& snapshot, v1::RunSnapshot& proto)
{
    fields::write(snapshot, proto);
}

Result<RunSnapshot> fromProto(const v1::RunSnapshot& proto)
{
    return fields::read<RunSnapshot>(proto);
}

void toProto(const KeptEvidence& evidence, v1::Stacks& proto)
{
    fields::write(evidence, proto);
}

Result<KeptEvidence> fromProto(const v1::Stacks& proto)
{
    return fields::read<KeptEvidence>(proto);
}

void toProto(const Command& command, v1::Command& proto)
{
    fields::writeOneOf(command, proto);
}

Result<Command> fromProto(const v1::Command& proto)
{
    if (proto.kind_case() == v1::Command::KIND_NOT_SET)
        return missingKind(proto, "command");
    Command command;
    RM_TRY(fields::readOneOf(command, proto));
    return command;
}

std::string serialize(const AgentLaunchRequest& order)
{
    v1::AgentLaunchRequest proto;
    fields::write(order, proto);
    return proto.SerializeAsString();
}

Result<AgentLaunchRequest> parseLaunchRequest(std::string_view bytes)
{
    return fields::read<AgentLaunchRequest>(RM_TRY(parse<v1::AgentLaunchRequest>(bytes, "order")));
}

void toProto(const HeartbeatReply& reply, v1::HeartbeatReply& proto)
{
    toProto(reply.at, *proto.mutable_at());
    proto.set_machine(reply.machine);
    proto.set_kept_events(reply.keptEvents);
    proto.set_has_given_up(reply.hasGivenUp);
    const InheritedSecrets& secrets = reply.secrets;
    for (size_t i = 0; i < std::min(secrets.names.size(), MostSecretsTold); ++i)
        proto.add_secret_names(secrets.names[i]);
    for (size_t i = 0; i < std::min(secrets.values.size(), MostSecretsTold); ++i) {
        v1::SecretFingerprint& each = *proto.add_secrets();
        each.set_length(secrets.values[i].length);
        each.set_key(secrets.values[i].key);
        each.set_hash(secrets.values[i].hash);
    }
}

HeartbeatReply fromProto(const v1::HeartbeatReply& proto)
{
    HeartbeatReply reply{.at = fromProto(proto.at()),
                         .machine = proto.machine(),
                         .keptEvents = proto.kept_events(),
                         .hasGivenUp = proto.has_given_up()};
    for (const std::string& name : proto.secret_names())
        reply.secrets.names.push_back(name);
    for (const v1::SecretFingerprint& each : proto.secrets())
        reply.secrets.values.push_back({each.length(), each.key(), each.hash()});
    reply.secrets.names.resize(std::min(reply.secrets.names.size(), MostSecretsTold));
    reply.secrets.values.resize(std::min(reply.secrets.values.size(), MostSecretsTold));
    return reply;
}

std::string serialize(const EventBody& body)
{
    v1::EventBody proto;
    toProto(body, proto);
    return proto.SerializeAsString();
}

Result<EventBody> parseEventBody(std::string_view bytes)
{
    return fromProto(RM_TRY(parse<v1::EventBody>(bytes, "event")));
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
