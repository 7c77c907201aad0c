#include "engine/cli/Json.h"

#include "engine/base/Codes.h"
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

Json asJson(const ExitStatus& status)
{
    return {{"code", status.code},
            {"signal", status.signal},
            {"exitCode", status.exitCode()},
            {"coreDumped", status.coreDumped}};
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

std::string_view stepText(RendezvousStep::Step step)
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

std::string_view severityText(Notice::Severity severity)
{
    switch (severity) {
    case Notice::Severity::Info: return "info";
    case Notice::Severity::Warning: return "warning";
    case Notice::Severity::Error: return "error";
    }
    return "unknown";
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

/// A body as JSON; "kind" is its name.
Json asJson(const std::vector<LessonValue>& values)
{
    Json json = Json::array();
    for (const LessonValue& value : values) {
        if (value.kind == LessonValue::Kind::Gone)
            json.push_back({{"name", value.name}, {"isGone", true}});
        else
            json.push_back({{"name", value.name},
                            {"type", value.type},
                            {"shape", value.shape},
                            {"bytes", value.bytes},
                            {"elements", value.elements},
                            {"isWhole", value.isWhole}});
    }
    return json;
}

Json asJson(const LessonCall& call)
{
    return {{"id", call.id},
            {"operation", call.operation},
            {"waitsFor", call.waitsFor},
            {"group", call.group},
            {"members", call.members},
            {"peer", call.peer},
            {"tag", call.tag},
            {"reduction", call.reduction},
            {"isAsync", call.isAsync},
            {"inputs", asJson(call.inputs)},
            {"outputs", asJson(call.outputs)},
            {"durationNs", call.durationNs}};
}

Json asJson(const LessonChunk& chunk)
{
    return {{"operation", chunk.operation},
            {"algorithm", chunk.algorithm},
            {"sequence", chunk.sequence},
            {"step", chunk.step},
            {"chunk", chunk.chunk},
            {"from", chunk.from},
            {"to", chunk.to},
            {"bytes", chunk.bytes},
            {"before", chunk.before},
            {"after", chunk.after}};
}

Json asJson(const LessonStep& step)
{
    Json json{{"kind", "lessonStep"},    {"step", nameOf(step.kind)},
              {"attempt", step.attempt}, {"rank", step.globalRank},
              {"atNs", step.atNs},       {"file", step.file},
              {"line", step.line},       {"function", step.function},
              {"depth", step.depth},     {"values", asJson(step.values)},
              {"text", step.text}};
    if (step.call != LessonCall{})
        json["call"] = asJson(step.call);
    if (step.chunk != LessonChunk{})
        json["chunk"] = asJson(step.chunk);
    return json;
}

Json asJson(const Traffic& traffic)
{
    return {{"received", traffic.received}, {"sent", traffic.sent}};
}

Json asJson(const GpuSample& gpu)
{
    return {{"index", gpu.index},
            {"name", gpu.name},
            {"utilisation", gpu.utilisation ? Json(*gpu.utilisation) : Json()},
            {"usedBytes", gpu.usedBytes},
            {"totalBytes", gpu.totalBytes},
            {"nvlink", gpu.nvlink ? asJson(*gpu.nvlink) : Json()},
            {"pcie", gpu.pcie ? asJson(*gpu.pcie) : Json()}};
}

struct BodyToJson
{
    Json operator()(const RunStarted& e) const
    {
        return {{"kind", "runStarted"},
                {"name", e.name},
                {"torchrunLine", e.torchrunLine},
                {"runFolder", e.runFolder},
                {"workingFolder", e.workingFolder},
                {"ringmasterVersion", e.ringmasterVersion},
                {"agentPid", e.agentPid},
                {"detached", e.detached},
                {"jobFile", e.jobFile}};
    }
    Json operator()(const RunStateChanged& e) const
    {
        return {{"kind", "runStateChanged"},
                {"state", nameOf(e.state)},
                {"reason", ringmaster::asJson(e.reason)},
                {"exitCode", isFinal(e.state) ? Json(e.exitCode) : Json()}};
    }
    Json operator()(const RendezvousStep& e) const
    {
        return {{"kind", "rendezvousStep"},
                {"step", stepText(e.step)},
                {"round", e.round},
                {"groupRank", e.groupRank},
                {"groupWorldSize", e.groupWorldSize},
                {"masterAddress", e.masterAddress},
                {"masterPort", e.masterPort},
                {"detail", ringmaster::asJson(e.detail)}};
    }
    Json operator()(const AttemptStarted& e) const
    {
        Json workers = Json::array();
        for (const WorkerAssignment& worker : e.workers)
            workers.push_back(asJson(worker));
        return {{"kind", "attemptStarted"},
                {"attempt", e.attempt},
                {"restartCount", e.restartCount},
                {"round", e.round},
                {"worldSize", e.worldSize},
                {"logFolder", e.logFolder},
                {"workers", workers}};
    }
    Json operator()(const WorkerStateChanged& e) const
    {
        return {{"kind", "workerStateChanged"}, {"attempt", e.attempt}, {"rank", e.globalRank},
                {"localRank", e.localRank},     {"pid", e.pid},         {"state", nameOf(e.state)}};
    }
    Json operator()(const WorkerExited& e) const
    {
        return {{"kind", "workerExited"},
                {"attempt", e.attempt},
                {"rank", e.globalRank},
                {"localRank", e.localRank},
                {"pid", e.pid},
                {"status", asJson(e.status)},
                {"endedByAgent", e.endedByAgent},
                {"explanation", ringmaster::asJson(e.explanation)},
                {"errorType", e.errorType},
                {"errorText", e.errorText},
                {"traceback", e.traceback},
                {"errorFile", e.errorFile}};
    }
    Json operator()(const GroupRestarting& e) const
    {
        return {{"kind", "groupRestarting"},
                {"attempt", e.attempt},
                {"cause", ringmaster::asJson(e.cause)},
                {"budgetBefore", e.budgetBefore},
                {"budgetAfter", e.budgetAfter},
                {"delayNs", e.delayNs}};
    }
    Json operator()(const FirstCause& e) const
    {
        return {{"kind", "firstCause"},
                {"attempt", e.attempt},
                {"sure", e.sure},
                {"rank", e.globalRank},
                {"candidates", e.candidates},
                {"consequences", e.consequences},
                {"cause", ringmaster::asJson(e.cause)},
                {"remedy", ringmaster::asJson(e.remedy)},
                {"traceback", e.traceback}};
    }
    Json operator()(const ProcessSample& e) const
    {
        return {{"kind", "processSample"},
                {"attempt", e.attempt},
                {"rank", e.globalRank},
                {"cpuFraction", e.cpuFraction},
                {"residentBytes", e.residentBytes}};
    }
    Json operator()(const DeviceSample& e) const
    {
        Json gpus = Json::array();
        for (const GpuSample& gpu : e.gpus)
            gpus.push_back(asJson(gpu));
        return {{"kind", "deviceSample"},
                {"processors", e.processors},
                {"cpuFraction", e.cpuFraction},
                {"network", asJson(e.network)},
                {"loopback", e.loopback},
                {"gpus", gpus},
                {"absence", ringmaster::asJson(e.absence)}};
    }
    Json operator()(const Notice& e) const
    {
        return {{"kind", "notice"},
                {"severity", severityText(e.severity)},
                {"rank", e.globalRank},
                {"message", ringmaster::asJson(e.message)}};
    }
    Json operator()(const Verdict& e) const { return ringmaster::asJson(e); }
    Json operator()(const LastOperation& e) const
    {
        return {{"kind", "lastOperation"},
                {"attempt", e.attempt},
                {"rank", e.globalRank},
                {"place", ringmaster::asJson(e.place)}};
    }
    Json operator()(const HostChanged& e) const { return ringmaster::asJson(e); }
    Json operator()(const ClockMeasured& e) const { return ringmaster::asJson(e); }
    Json operator()(const MeetingStep& e) const { return ringmaster::asJson(e); }
    Json operator()(const SweepPlan& e) const
    {
        return {{"kind", "sweepPlan"},
                {"attempt", e.attempt},
                {"isCalibration", e.isCalibration},
                {"collectives", e.collectives},
                {"backends", e.backends},
                {"sizes", e.sizes},
                {"type", e.type},
                {"reduction", e.reduction},
                {"algorithm", e.algorithm},
                {"ranks", e.ranks},
                {"hosts", e.hosts},
                {"iterations", e.iterations},
                {"warmup", e.warmup},
                {"isChecked", e.isChecked}};
    }
    Json operator()(const SweepRow& e) const
    {
        return {{"kind", "sweepRow"},
                {"attempt", e.attempt},
                {"index", e.index},
                {"collective", e.collective},
                {"backend", e.backend},
                {"algorithm", e.algorithm},
                {"device", e.device},
                {"type", e.type},
                {"reduction", e.reduction},
                {"root", e.root},
                {"ranks", e.ranks},
                {"hosts", e.hosts},
                {"wantedBytes", e.wantedBytes},
                {"bytes", e.bytes},
                {"count", e.count},
                {"iterations", e.iterations},
                {"timeNs", e.timeNs},
                {"minNs", e.minNs},
                {"p50Ns", e.p50Ns},
                {"p99Ns", e.p99Ns},
                {"algorithmBandwidth", e.algorithmBandwidth},
                {"busBandwidth", e.busBandwidth},
                {"wrong", e.wrong},
                {"problem", ringmaster::asJson(e.problem)}};
    }
    Json operator()(const LessonStarted& e) const
    {
        return {{"kind", "lessonStarted"}, {"program", e.program}, {"source", e.source},
                {"pack", e.pack},          {"backend", e.backend}, {"ranks", e.ranks},
                {"isHeld", e.isHeld}};
    }
    Json operator()(const LessonStep& e) const { return asJson(e); }
};

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
    json.update(std::visit(BodyToJson(), event.body));
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
        json["lastExit"] = worker.lastExit ? BodyToJson()(*worker.lastExit) : Json();
        json["lastOperation"] = asJson(worker.lastOperation);
        workers.push_back(std::move(json));
    }
    Json verdicts = Json::array();
    for (const StandingVerdict& standing : snapshot.verdicts) {
        verdicts.push_back(asJson(standing.verdict));
        verdicts.back()["at"] = timeOf(standing.at);
    }
    Json json{{"id", snapshot.run},
              {"started", BodyToJson()(snapshot.started)},
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
    json["firstCause"] = snapshot.firstCause ? BodyToJson()(*snapshot.firstCause) : Json();
    return json;
}

std::string dump(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace ringmaster
