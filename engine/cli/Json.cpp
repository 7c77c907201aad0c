#include "engine/cli/Json.h"

#include "engine/base/Codes.h"
#include "engine/cli/JsonBodies.h"
#include "engine/cli/Text.h"
#include "engine/event/States.h"

namespace ringmaster {

namespace {

Json timeOf(const Moment& moment)
{
    if (moment.wallNs == 0)
        return nullptr;
    return {{"ns", moment.wallNs}, {"text", timeText(moment.wallNs)}};
}

std::string_view verdictText(Verdict::Kind kind)
{
    switch (kind) {
    case Verdict::Kind::Waiting: return "waiting";
    case Verdict::Kind::SlowWire: return "slowWire";
    case Verdict::Kind::Straggler: return "straggler";
    case Verdict::Kind::Hang: return "hang";
    case Verdict::Kind::Mismatch: return "mismatch";
    }
    return "unknown";
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

Json asJson(const WorkerAssignment& worker)
{
    return {{"rank", worker.globalRank},
            {"localRank", worker.localRank},
            {"role", worker.role},
            {"roleRank", worker.roleRank},
            {"roleWorldSize", worker.roleWorldSize},
            {"logFolder", worker.logFolder}};
}

Json asJson(const Verdict& verdict)
{
    Json evidence = Json::array();
    for (const Message& message : verdict.evidence)
        evidence.push_back(asJson(message));
    return {{"kind", "verdict"},
            {"id", verdict.id},
            {"attempt", verdict.attempt},
            {"verdict", verdictText(verdict.kind)},
            {"isStanding", verdict.isStanding},
            {"isSure", verdict.isSure},
            {"guilty", verdict.guilty},
            {"sinceNs", verdict.sinceNs},
            {"statement", asJson(verdict.statement)},
            {"evidence", evidence},
            {"remedy", asJson(verdict.remedy)}};
}

Json asJson(const RunSummary& run)
{
    return {{"id", run.id},
            {"name", run.name},
            {"state", nameOf(run.state)},
            {"isLive", run.isLive},
            {"isPinned", run.isPinned},
            {"worldSize", run.worldSize},
            {"restartsUsed", run.restartsUsed},
            {"restartBudget", run.restartBudget},
            {"startedAt", timeOf(run.startedAt)},
            {"endedAt", timeOf(run.endedAt)},
            {"reason", asJson(run.reason)},
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
    Json workers = Json::array();
    for (const WorkerSnapshot& worker : snapshot.workers) {
        Json json = asJson(worker.assignment);
        json.update({{"agent", worker.agent},
                     {"node", worker.node},
                     {"attempt", worker.attempt},
                     {"pid", worker.pid},
                     {"state", nameOf(worker.state)},
                     {"since", timeOf(worker.since)}});
        json["lastExit"] = worker.lastExit ? bodyAsJson(*worker.lastExit) : Json();
        json["lastOperation"] = asJson(worker.lastOperation);
        workers.push_back(std::move(json));
    }
    Json verdicts = Json::array();
    for (const StandingVerdict& standing : snapshot.verdicts) {
        verdicts.push_back(asJson(standing.verdict));
        verdicts.back()["at"] = timeOf(standing.at);
    }
    Json json{{"id", snapshot.run},
              {"started", bodyAsJson(snapshot.started)},
              {"state", nameOf(snapshot.state)},
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
              {"hosts", asJson(snapshot.hosts)}};
    json["firstCause"] = snapshot.firstCause ? bodyAsJson(*snapshot.firstCause) : Json();
    return json;
}

std::string dump(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ringmaster
