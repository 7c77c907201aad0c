#include "engine/event/ProtoBodies.h"

namespace ringmaster {

namespace {

static_assert(v1::LessonStep::KIND_FINISH == static_cast<int>(LessonStep::Kind::Finish) + 1);
static_assert(v1::MoveLesson::MOVE_TO_END == static_cast<int>(MoveLesson::Move::ToEnd) + 1);
static_assert(v1::InjectFault::KIND_CORRUPT_DATA ==
              static_cast<int>(InjectFault::Kind::CorruptData) + 1);
static_assert(v1::LessonValue::KIND_GONE == static_cast<int>(LessonValue::Kind::Gone) + 1);

template <class Texts>
std::vector<std::string> textsOf(const Texts& texts)
{
    return {texts.begin(), texts.end()};
}

void toProto(const LessonValue& value, v1::LessonValue& proto)
{
    proto.set_name(value.name);
    proto.set_kind(enumToProto<v1::LessonValue::Kind>(value.kind));
    proto.set_type(value.type);
    proto.mutable_shape()->Assign(value.shape.begin(), value.shape.end());
    proto.set_bytes(value.bytes);
    proto.mutable_elements()->Assign(value.elements.begin(), value.elements.end());
    proto.set_is_part(!value.isWhole);
}

Result<LessonValue> fromProto(const v1::LessonValue& proto)
{
    const auto kind =
        RM_TRY(enumFromProto(proto.kind(), LessonValue::Kind::Gone, "kind of lesson value"));
    return LessonValue{.name = proto.name(),
                       .kind = kind,
                       .type = proto.type(),
                       .shape = {proto.shape().begin(), proto.shape().end()},
                       .bytes = proto.bytes(),
                       .elements = textsOf(proto.elements()),
                       .isWhole = !proto.is_part()};
}

template <class Protos>
void valuesToProto(const std::vector<LessonValue>& values, Protos& protos)
{
    for (const LessonValue& value : values)
        toProto(value, *protos.Add());
}

template <class Protos>
Result<std::vector<LessonValue>> valuesFromProto(const Protos& protos)
{
    std::vector<LessonValue> values;
    for (const auto& proto : protos)
        values.push_back(RM_TRY(fromProto(proto)));
    return values;
}

void toProto(const LessonCall& call, v1::LessonCall& proto)
{
    proto.set_id(call.id);
    proto.set_operation(call.operation);
    proto.set_waits_for(call.waitsFor);
    proto.set_group(call.group);
    proto.mutable_members()->Assign(call.members.begin(), call.members.end());
    proto.set_peer(call.peer);
    proto.set_tag(call.tag);
    proto.set_reduction(call.reduction);
    proto.set_is_async(call.isAsync);
    valuesToProto(call.inputs, *proto.mutable_inputs());
    valuesToProto(call.outputs, *proto.mutable_outputs());
    proto.set_duration_ns(call.durationNs);
}

Result<LessonCall> fromProto(const v1::LessonCall& proto)
{
    auto inputs = RM_TRY(valuesFromProto(proto.inputs()));
    auto outputs = RM_TRY(valuesFromProto(proto.outputs()));
    return LessonCall{.id = proto.id(),
                      .operation = proto.operation(),
                      .waitsFor = proto.waits_for(),
                      .group = proto.group(),
                      .members = {proto.members().begin(), proto.members().end()},
                      .peer = proto.peer(),
                      .tag = proto.tag(),
                      .reduction = proto.reduction(),
                      .isAsync = proto.is_async(),
                      .inputs = std::move(inputs),
                      .outputs = std::move(outputs),
                      .durationNs = proto.duration_ns()};
}

void toProto(const LessonChunk& chunk, v1::LessonChunk& proto)
{
    proto.set_operation(chunk.operation);
    proto.set_algorithm(chunk.algorithm);
    proto.set_sequence(chunk.sequence);
    proto.set_step(chunk.step);
    proto.set_chunk(chunk.chunk);
    proto.set_from(chunk.from);
    proto.set_to(chunk.to);
    proto.set_bytes(chunk.bytes);
    proto.mutable_before()->Assign(chunk.before.begin(), chunk.before.end());
    proto.mutable_after()->Assign(chunk.after.begin(), chunk.after.end());
}

LessonChunk fromProto(const v1::LessonChunk& proto)
{
    return {.operation = proto.operation(),
            .algorithm = proto.algorithm(),
            .sequence = proto.sequence(),
            .step = proto.step(),
            .chunk = proto.chunk(),
            .from = proto.from(),
            .to = proto.to(),
            .bytes = proto.bytes(),
            .before = textsOf(proto.before()),
            .after = textsOf(proto.after())};
}

} // namespace

void toProto(const LessonStarted& body, v1::LessonStarted& proto)
{
    proto.set_pack(body.pack);
    proto.set_program(body.program);
    proto.set_source(body.source);
    proto.set_backend(body.backend);
    proto.set_ranks(body.ranks);
    proto.set_is_held(body.isHeld);
}

Result<LessonStarted> fromProto(const v1::LessonStarted& proto)
{
    return LessonStarted{.pack = proto.pack(),
                         .program = proto.program(),
                         .source = proto.source(),
                         .backend = proto.backend(),
                         .ranks = proto.ranks(),
                         .isHeld = proto.is_held()};
}

void toProto(const LessonStep& body, v1::LessonStep& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_global_rank(body.globalRank);
    proto.set_kind(enumToProto<v1::LessonStep::Kind>(body.kind));
    proto.set_at_ns(body.atNs);
    proto.set_file(body.file);
    proto.set_line(body.line);
    proto.set_function(body.function);
    proto.set_depth(body.depth);
    valuesToProto(body.values, *proto.mutable_values());
    if (body.call != LessonCall{})
        toProto(body.call, *proto.mutable_call());
    if (body.chunk != LessonChunk{})
        toProto(body.chunk, *proto.mutable_chunk());
    proto.set_text(body.text);
    proto.set_is_free(body.isFree);
}

Result<LessonStep> fromProto(const v1::LessonStep& proto)
{
    const auto kind = RM_TRY(enumFromProto(proto.kind(), LessonStep::Kind::Finish, "lesson step"));
    auto values = RM_TRY(valuesFromProto(proto.values()));
    LessonStep body{.attempt = proto.attempt(),
                    .globalRank = proto.global_rank(),
                    .kind = kind,
                    .atNs = proto.at_ns(),
                    .file = proto.file(),
                    .line = proto.line(),
                    .function = proto.function(),
                    .depth = proto.depth(),
                    .values = std::move(values),
                    .text = proto.text(),
                    .isFree = proto.is_free()};
    if (proto.has_call())
        body.call = RM_TRY(fromProto(proto.call()));
    if (proto.has_chunk())
        body.chunk = fromProto(proto.chunk());
    return body;
}

void toProto(const MoveLesson& move, v1::MoveLesson& proto)
{
    proto.set_move(enumToProto<v1::MoveLesson::Move>(move.move));
    proto.mutable_ranks()->Assign(move.ranks.begin(), move.ranks.end());
    proto.set_steps_a_second(move.stepsASecond);
    proto.set_line(move.line);
}

Result<MoveLesson> fromProto(const v1::MoveLesson& proto)
{
    const auto move =
        RM_TRY(enumFromProto(proto.move(), MoveLesson::Move::ToEnd, "move of a lesson"));
    const double stepsASecond = RM_TRY(finite(proto.steps_a_second(), "move of a lesson"));
    return MoveLesson{.move = move,
                      .ranks = {proto.ranks().begin(), proto.ranks().end()},
                      .stepsASecond = stepsASecond,
                      .line = proto.line()};
}

void toProto(const InjectFault& fault, v1::InjectFault& proto)
{
    proto.set_kind(enumToProto<v1::InjectFault::Kind>(fault.kind));
    proto.set_global_rank(fault.globalRank);
    proto.set_delay_ns(fault.delay.count());
}

Result<InjectFault> fromProto(const v1::InjectFault& proto)
{
    const auto kind = RM_TRY(enumFromProto(proto.kind(), InjectFault::Kind::CorruptData, "fault"));
    return InjectFault{.kind = kind,
                       .globalRank = proto.global_rank(),
                       .delay = std::chrono::nanoseconds(proto.delay_ns())};
}

} // namespace ringmaster
