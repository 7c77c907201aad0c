#include "engine/cli/JsonBodies.h"

#include "engine/event/States.h"
#include "engine/record/Secrets.h"

namespace ringmaster {

namespace {

Json asJson(const ExitStatus& status)
{
    return {{"code", status.code},
            {"signal", status.signal},
            {"exitCode", status.exitCode()},
            {"coreDumped", status.coreDumped}};
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
    Json operator()(const RunStarted& started) const
    {
        RunStarted e = started;
        (void)maskSecrets(e); // JSON goes into files and tickets
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
            workers.push_back(ringmaster::asJson(worker));
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
    Json operator()(const RendezvousReport& e) const { return ringmaster::asJson(e); }
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

Json bodyAsJson(const EventBody& body)
{
    return std::visit(BodyToJson(), body);
}

} // namespace ringmaster
