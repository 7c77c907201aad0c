#include "engine/event/ProtoBodies.h"

namespace ringmaster {

void toProto(const Verdict& body, v1::Verdict& proto)
{
    proto.set_id(body.id);
    proto.set_attempt(body.attempt);
    proto.set_kind(enumToProto<v1::Verdict::Kind>(body.kind));
    proto.set_is_standing(body.isStanding);
    proto.set_is_sure(body.isSure);
    proto.mutable_guilty()->Assign(body.guilty.begin(), body.guilty.end());
    proto.set_since_ns(body.sinceNs);
    if (saysSomething(body.statement))
        toProto(body.statement, *proto.mutable_statement());
    for (const Message& message : body.evidence)
        toProto(message, *proto.add_evidence());
    if (saysSomething(body.remedy))
        toProto(body.remedy, *proto.mutable_remedy());
}

Result<Verdict> fromProto(const v1::Verdict& proto)
{
    const auto kind =
        RM_TRY(enumFromProto(proto.kind(), Verdict::Kind::Mismatch, "kind of a verdict"));
    Verdict body{.id = proto.id(),
                 .attempt = proto.attempt(),
                 .kind = kind,
                 .isStanding = proto.is_standing(),
                 .isSure = proto.is_sure(),
                 .guilty = {proto.guilty().begin(), proto.guilty().end()},
                 .sinceNs = proto.since_ns(),
                 .statement = fromProto(proto.statement()),
                 .remedy = fromProto(proto.remedy())};
    for (const v1::Message& message : proto.evidence())
        body.evidence.push_back(fromProto(message));
    return body;
}

void toProto(const LastOperation& body, v1::LastOperation& proto)
{
    proto.set_attempt(body.attempt);
    proto.set_global_rank(body.globalRank);
    if (saysSomething(body.place))
        toProto(body.place, *proto.mutable_place());
}

Result<LastOperation> fromProto(const v1::LastOperation& proto)
{
    return LastOperation{proto.attempt(), proto.global_rank(), fromProto(proto.place())};
}

} // namespace ringmaster
