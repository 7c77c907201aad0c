// A flight recorder dump, which somebody sent: a pickle, of which nothing may be looked up or
// called, or JSON. What comes of it has ranks, times and sizes that can be ones.

#include "Fuzz.h"
#include "engine/import/FlightRecorderRun.h"
#include "engine/import/PlainPickle.h"
#include "engine/ledger/Moments.h"

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view content = fuzz::textOf(data, size);
    (void)looksLikeFlightRecorder(content);
    (void)readPlainPickle(content);
    auto dump = readFlightRecorder(content);
    if (!dump)
        return 0;
    dump->rank = 0;
    dump->file = "trace_0";
    FlightRecorderDump other = *dump;
    other.rank = 1;
    if (!other.entries.empty())
        other.entries.pop_back();
    for (const auto& entry : dump->entries)
        fuzz::require(isMoment(entry.operation.enqueuedNs) && isMoment(entry.operation.endedNs));
    const auto run = runOf({*dump, other});
    if (run)
        fuzz::require(run->operations.size() == 2 && run->beganNs <= run->endedNs);
    return 0;
}
