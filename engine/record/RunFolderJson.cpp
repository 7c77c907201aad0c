#include "engine/record/RunFolderJson.h"

#include "engine/base/Codes.h"
#include "engine/event/States.h"

#include <nlohmann/json.hpp>

namespace ringmaster {

using nlohmann::json;

namespace {

/// Names and reasons may hold any bytes; a list shows U+FFFD for what isn't UTF-8.
std::string text(const json& value)
{
    return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

json parsed(const std::string& content)
{
    json value = json::parse(content, nullptr, false);
    return value.is_object() ? value : json::object();
}

std::string stringAt(const json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

template <class Integer>
Integer integerAt(const json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<Integer>() : Integer{};
}

bool isTrueAt(const json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

json momentJson(const Moment& moment)
{
    return {{"monotonicNs", moment.monotonicNs}, {"wallNs", moment.wallNs}};
}

Moment momentAt(const json& object, const char* name)
{
    const auto found = object.find(name);
    if (found == object.end() || !found->is_object())
        return {};
    return {integerAt<std::int64_t>(*found, "monotonicNs"),
            integerAt<std::int64_t>(*found, "wallNs")};
}

json messageJson(const Message& message)
{
    return {{"code", codeName(message.code)},
            {"parameters", message.parameters},
            {"detail", message.detail}};
}

Message messageAt(const json& object, const char* name)
{
    const auto found = object.find(name);
    Message message;
    if (found == object.end() || !found->is_object())
        return message;
    message.code = codeFromName(stringAt(*found, "code")).value_or(code::None);
    message.detail = stringAt(*found, "detail");
    const auto parameters = found->find("parameters");
    if (parameters != found->end() && parameters->is_object()) {
        for (const auto& [key, value] : parameters->items()) {
            if (value.is_string())
                message.parameters.emplace(key, value.get<std::string>());
        }
    }
    return message;
}

/// Older runs don't say it.
RunPurpose purposeAt(const json& object)
{
    const std::string purpose = stringAt(object, "purpose");
    for (const RunPurpose each : {RunPurpose::Job, RunPurpose::Lesson, RunPurpose::Sweep}) {
        if (purpose == nameOf(each))
            return each;
    }
    return purposeOf(stringAt(object, "name"), {});
}

} // namespace

std::string toJson(const AgentRecord& agent)
{
    return text({{"pid", agent.process.pid},
                 {"startTime", agent.process.startTime},
                 {"host", agent.host},
                 {"boot", agent.boot},
                 {"socket", agent.socket.string()},
                 {"generation", agent.generation}});
}

Result<AgentRecord> agentFromJson(const std::string& text)
{
    const json object = parsed(text);
    AgentRecord agent{
        {integerAt<pid_t>(object, "pid"), integerAt<std::uint64_t>(object, "startTime")},
        stringAt(object, "host"),
        stringAt(object, "boot"),
        stringAt(object, "socket"),
        integerAt<std::uint64_t>(object, "generation")};
    if (agent.process.pid <= 0)
        return fail(code::MalformedMessage, {{"what", "agent.json"}});
    return agent;
}

std::string toJson(const RunSummary& summary)
{
    return text({{"name", summary.name},
                 {"purpose", nameOf(summary.purpose)},
                 {"state", nameOf(summary.state)},
                 {"health", nameOf(summary.health.health)},
                 {"healthSince", momentJson(summary.health.since)},
                 {"statement", messageJson(summary.health.statement)},
                 {"isOnHosts", summary.isOnHosts},
                 {"worldSize", summary.worldSize},
                 {"restartsUsed", summary.restartsUsed},
                 {"restartBudget", summary.restartBudget},
                 {"startedAt", momentJson(summary.startedAt)},
                 {"endedAt", momentJson(summary.endedAt)},
                 {"reason", messageJson(summary.reason)},
                 {"cause", messageJson(summary.cause)},
                 {"sizeBytes", summary.sizeBytes},
                 {"unrecordedEvents", summary.unrecorded.events},
                 {"unrecordedLogBytes", summary.unrecorded.logBytes}});
}

std::optional<RunSummary> summaryFromJson(const std::string& text)
{
    const json object = parsed(text);
    const auto state = runStateFromName(stringAt(object, "state"));
    if (!state)
        return std::nullopt;
    RunSummary summary;
    summary.name = stringAt(object, "name");
    summary.purpose = purposeAt(object);
    summary.state = *state;
    summary.health = {.health =
                          healthFromName(stringAt(object, "health")).value_or(healthOf(*state)),
                      .since = momentAt(object, "healthSince"),
                      .statement = messageAt(object, "statement")};
    summary.isOnHosts = isTrueAt(object, "isOnHosts");
    summary.worldSize = integerAt<int>(object, "worldSize");
    summary.restartsUsed = integerAt<int>(object, "restartsUsed");
    summary.restartBudget = integerAt<int>(object, "restartBudget");
    summary.startedAt = momentAt(object, "startedAt");
    summary.endedAt = momentAt(object, "endedAt");
    summary.reason = messageAt(object, "reason");
    summary.cause = messageAt(object, "cause");
    summary.sizeBytes = integerAt<std::uint64_t>(object, "sizeBytes");
    summary.unrecorded.events = integerAt<std::uint64_t>(object, "unrecordedEvents");
    summary.unrecorded.logBytes = integerAt<std::uint64_t>(object, "unrecordedLogBytes");
    return summary;
}

std::string toJson(const RunLabels& labels)
{
    return text({{"name", labels.name}, {"note", labels.note}, {"tags", labels.tags}});
}

RunLabels labelsFromJson(const std::string& text)
{
    const json object = parsed(text);
    RunLabels labels{.name = stringAt(object, "name"), .note = stringAt(object, "note")};
    const auto tags = object.find("tags");
    if (tags != object.end() && tags->is_array()) {
        for (const json& tag : *tags) {
            if (tag.is_string())
                labels.tags.push_back(tag.get<std::string>());
        }
    }
    return tidied(std::move(labels));
}

} // namespace ringmaster
