#include "engine/cli/JsonBodies.h"

#include "engine/event/Proto.h"
#include "engine/event/States.h"
#include "engine/event/VerdictTraits.h"
#include "engine/record/Secrets.h"

#include <utility>

namespace ringmaster {

namespace {

std::string_view nameOf(RendezvousStep::Step step)
{
    switch (step) {
    case RendezvousStep::Step::Joining: return "joining";
    case RendezvousStep::Step::Waiting: return "waiting";
    case RendezvousStep::Step::Completed: return "completed";
    case RendezvousStep::Step::Closed: return "closed";
    case RendezvousStep::Step::Failed: return "failed";
    }
    return "unknown";
}

std::string_view nameOf(RendezvousReport::Step step)
{
    return step == RendezvousReport::Step::Offers ? "offers" : "finished";
}

std::string_view nameOf(Notice::Severity severity)
{
    switch (severity) {
    case Notice::Severity::Info: return "info";
    case Notice::Severity::Warning: return "warning";
    case Notice::Severity::Error: return "error";
    }
    return "unknown";
}

std::string_view nameOf(Verdict::Kind kind)
{
    return traitsOf(kind).name;
}

/// "kind" is the event's own in JSON.
template <class Struct>
std::string keyOf(std::string_view member)
{
    if (member == "globalRank")
        return "rank";
    if (member == "kind")
        return std::is_same_v<Struct, Verdict> ? "verdict" : "step";
    return std::string(member);
}

template <class Value>
Json valueAsJson(const Value& value);

/// By the list of its fields.
template <class Struct>
Json membersAsJson(const Struct& value)
{
    Json json = Json::object();
    visitFields<Struct>([&](const auto& field) {
        json[keyOf<Struct>(field.name)] = valueAsJson(value.*field.member);
    });
    return json;
}

Json asJson(const LessonValue& value)
{
    if (value.kind == LessonValue::Kind::Gone)
        return {{"name", value.name}, {"isGone", true}};
    return {{"name", value.name},   {"type", value.type},         {"shape", value.shape},
            {"bytes", value.bytes}, {"elements", value.elements}, {"isWhole", !value.isPart}};
}

Json asJson(const ExitStatus& status)
{
    Json json = membersAsJson(status);
    json["exitCode"] = status.exitCode();
    return json;
}

/// JSON goes into files and tickets.
Json asJson(const RunStarted& started)
{
    RunStarted masked = started;
    (void)maskSecrets(masked);
    return membersAsJson(masked);
}

Json asJson(const RunStateChanged& change)
{
    Json json = membersAsJson(change);
    if (!isFinal(change.state))
        json["exitCode"] = nullptr;
    return json;
}

Json asJson(const LessonStep& step)
{
    Json json = membersAsJson(step);
    if (step.call == LessonCall{})
        json.erase("call");
    if (step.chunk == LessonChunk{})
        json.erase("chunk");
    return json;
}

template <class Struct>
Json asJson(const Struct& value)
{
    return membersAsJson(value);
}

template <class Value>
constexpr bool IsVector = false;
template <class Value>
constexpr bool IsVector<std::vector<Value>> = true;

template <class Value>
constexpr bool IsOptional = false;
template <class Value>
constexpr bool IsOptional<std::optional<Value>> = true;

template <class Value>
Json valueAsJson(const Value& value)
{
    if constexpr (IsOptional<Value>) {
        return value ? valueAsJson(*value) : Json();
    } else if constexpr (IsVector<Value>) {
        Json list = Json::array();
        for (const auto& element : value)
            list.push_back(valueAsJson(element));
        return list;
    } else if constexpr (std::is_enum_v<Value>) {
        return nameOf(value);
    } else if constexpr (std::is_same_v<Value, Message>) {
        return ringmaster::asJson(value);
    } else if constexpr (HasFields<Value>) {
        return asJson(value);
    } else {
        return value;
    }
}

} // namespace

Json bodyAsJson(const EventBody& body)
{
    Json json{{"kind", kindNameOf(body)}};
    json.update(std::visit([](const auto& kind) { return valueAsJson(kind); }, body));
    return json;
}

} // namespace ringmaster
