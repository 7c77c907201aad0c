#include "engine/cli/Json.h"

#include "engine/base/Codes.h"
#include "engine/cli/JsonBodies.h"
#include "engine/cli/Text.h"
#include "engine/event/EndCause.h"
#include "engine/event/States.h"

#include <utility>

namespace ringmaster {

namespace {

Json timeOf(const Moment& moment)
{
    if (moment.wallNs == 0)
        return nullptr;
    return {{"ns", moment.wallNs}, {"text", timeText(moment.wallNs)}};
}

Json asJson(const HostSnapshot& host)
{
    return {{"agent", host.agent},
            {"host", host.host},
            {"node", host.node},
            {"state", nameOf(host.state)},
            {"reason", asJson(host.reason)},
            {"clock", host.clock ? bodyAsJson(*host.clock) : Json()}};
}

constexpr int Format = 1;

/// A list has it in each of its objects.
Json withFormat(Json json)
{
    if (json.is_array()) {
        for (Json& element : json)
            element = withFormat(std::move(element));
    }
    if (!json.is_object())
        return json;
    Json marked{{"format", Format}};
    marked.update(json);
    return marked;
}

} // namespace

Json asJson(const Message& message)
{
    if (message.code == code::None)
        return nullptr;
    Json parameters = Json::object();
    for (const auto& [name, value] : message.parameters)
        parameters[name] = value;
    return {{"code", codeName(message.code)},
            {"text", describe(message)},
            {"parameters", parameters},
            {"detail", message.detail}};
}

Json asJson(const JobHealth& health)
{
    return {{"word", nameOf(health.health)},
            {"since", timeOf(health.since)},
            {"statement", asJson(health.statement)}};
}

Json asJson(const RunSummary& run)
{
    return {{"id", run.id},
            {"name", run.name},
            {"label", run.labels.name},
            {"note", run.labels.note},
            {"tags", run.labels.tags},
            {"purpose", nameOf(run.purpose)},
            {"state", nameOf(run.state)},
            {"health", asJson(run.health)},
            {"isLive", run.isLive},
            {"isPinned", run.isPinned},
            {"worldSize", run.worldSize},
            {"restartsUsed", run.restartsUsed},
            {"restartBudget", run.restartBudget},
            {"startedAt", timeOf(run.startedAt)},
            {"endedAt", timeOf(run.endedAt)},
            {"reason", asJson(run.reason)},
            {"cause", asJson(run.cause)},
            {"sizeBytes", run.sizeBytes},
            {"folder", run.folder.string()}};
}

Json asJson(const Event& event)
{
    Json json{{"sequence", event.runSequence},       {"agent", event.id.agent},
              {"agentSequence", event.id.sequence},  {"at", timeOf(event.at)},
              {"monotonicNs", event.at.monotonicNs}, {"node", event.node}};
    json.update(bodyAsJson(event.body));
    return json;
}

Json asJson(const RunSnapshot& snapshot)
{
    const RankHealth health(snapshot);
    Json workers = Json::array();
    for (const WorkerSnapshot& worker : snapshot.workers) {
        Json json{{"rank", worker.assignment.globalRank},
                  {"localRank", worker.assignment.localRank},
                  {"role", worker.assignment.role},
                  {"roleRank", worker.assignment.roleRank},
                  {"roleWorldSize", worker.assignment.roleWorldSize},
                  {"logFolder", worker.assignment.logFolder}};
        json.update({{"agent", worker.agent},
                     {"node", worker.node},
                     {"attempt", worker.attempt},
                     {"pid", worker.pid},
                     {"state", nameOf(worker.state)},
                     {"health", nameOf(health.of(worker))},
                     {"since", timeOf(worker.since)}});
        json["lastExit"] = worker.lastExit ? bodyAsJson(*worker.lastExit) : Json();
        json["lastOperation"] = asJson(worker.lastOperation);
        workers.push_back(std::move(json));
    }
    Json verdicts = Json::array();
    for (const StandingVerdict& standing : snapshot.verdicts) {
        verdicts.push_back(bodyAsJson(standing.verdict));
        verdicts.back()["at"] = timeOf(standing.at);
    }
    Json hosts = Json::array();
    for (const HostSnapshot& host : snapshot.hosts)
        hosts.push_back(asJson(host));
    Json json{{"id", snapshot.run},
              {"started", bodyAsJson(snapshot.started)},
              {"state", nameOf(snapshot.state)},
              {"health", asJson(healthOf(snapshot))},
              {"reason", asJson(snapshot.reason)},
              {"exitCode", isFinal(snapshot.state) ? Json(snapshot.exitCode) : Json()},
              {"startedAt", timeOf(snapshot.startedAt)},
              {"endedAt", timeOf(snapshot.endedAt)},
              {"attempt", snapshot.attempt},
              {"restartsUsed", snapshot.restartsUsed},
              {"restartBudget", snapshot.restartBudget},
              {"worldSize", snapshot.worldSize},
              {"lastSequence", snapshot.lastSequence},
              {"workers", std::move(workers)},
              {"verdicts", std::move(verdicts)},
              {"hosts", std::move(hosts)}};
    const auto cause = endCauseOf(snapshot);
    json["cause"] =
        cause ? Json{{"statement", asJson(cause->cause)},
                     {"place", asJson(cause->place)},
                     {"remedy", asJson(cause->remedy)},
                     {"isSure", cause->isSure},
                     {"verdict", cause->verdict ? Json(cause->verdict->verdict.id) : Json()}}
              : Json();
    json["firstCause"] = snapshot.firstCause ? bodyAsJson(*snapshot.firstCause) : Json();
    return json;
}

std::string dump(Json json)
{
    return withFormat(std::move(json)).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string dumpLine(Json json)
{
    return withFormat(std::move(json)).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ringmaster
