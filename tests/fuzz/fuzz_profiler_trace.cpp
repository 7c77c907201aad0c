// A trace of torch.profiler, which somebody sent. What comes of it has times and groups that can be
// ones.

#include "Fuzz.h"
#include "engine/import/ProfilerRun.h"
#include "engine/import/ProfilerTrace.h"
#include "engine/ledger/Moments.h"

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view content = fuzz::textOf(data, size);
    (void)looksLikeProfilerTrace(content);
    auto trace = parseProfilerTrace(content);
    if (!trace)
        return 0;
    for (const Operation& operation : trace->operations) {
        fuzz::require(isMoment(operation.enqueuedNs) && isMoment(operation.endedNs));
        fuzz::require(operation.group < trace->groups.size());
    }
    trace->rank = 0;
    ProfilerTrace other = *trace;
    other.rank = 1;
    (void)runOf({*trace, other});
    return 0;
}
