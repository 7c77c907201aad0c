#include "engine/job/WorkerCounts.h"

#include "engine/base/Codes.h"
#include "engine/job/Codes.h"
#include "engine/text/PythonText.h"

namespace ringmaster {

Result<int> resolveWorkers(const WorkerCount& count, const MachineCounts& machine)
{
    switch (count.kind) {
    case WorkerCount::Kind::Number: return count.number;
    case WorkerCount::Kind::Cpu: return machine.cpus;
    case WorkerCount::Kind::Gpu:
        if (machine.gpus == 0)
            return fail(code::CudaNotAvailable);
        return machine.gpus;
    case WorkerCount::Kind::Xpu:
        if (machine.xpus == 0)
            return fail(code::XpuNotAvailable);
        return machine.xpus;
    case WorkerCount::Kind::Auto:
        if (machine.gpus > 0)
            return machine.gpus;
        return machine.xpus > 0 ? machine.xpus : machine.cpus;
    }
    return fail(code::InternalError, {{"what", "worker count"}});
}

std::string workerCountText(const WorkerCount& count)
{
    switch (count.kind) {
    case WorkerCount::Kind::Number: return std::to_string(count.number);
    case WorkerCount::Kind::Auto: return "auto";
    case WorkerCount::Kind::Gpu: return "gpu";
    case WorkerCount::Kind::Cpu: return "cpu";
    case WorkerCount::Kind::Xpu: return "xpu";
    }
    return {};
}

Result<WorkerCount> parseWorkerCount(std::string_view text)
{
    using Kind = WorkerCount::Kind;
    if (const auto number = pythonInt(text))
        return WorkerCount{Kind::Number, *number};
    for (const Kind kind : {Kind::Auto, Kind::Gpu, Kind::Cpu, Kind::Xpu}) {
        if (text == workerCountText({kind, 1}))
            return WorkerCount{kind, 1};
    }
    return fail(code::WorkerCountUnsupported, {{"value", std::string(text)}});
}

} // namespace ringmaster
