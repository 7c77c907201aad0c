// What others recorded of a job, which somebody sent: nccl-tests' output and JSON, logs of NCCL
// Inspector and of torchcomms. What comes of it has times, groups and numbers that can be ones.

#include "Fuzz.h"
#include "engine/import/ClogLog.h"
#include "engine/import/FlightRecorderRun.h"
#include "engine/import/NcclInspectorRun.h"
#include "engine/import/NcclTests.h"
#include "engine/ledger/Moments.h"

#include <sstream>

using namespace ringmaster;

namespace {

void lookAtNcclTests(const std::string& content)
{
    (void)looksLikeNcclTests(content);
    auto tables = readNcclTests(content);
    if (!tables)
        return;
    for (NcclTestsTable& table : *tables) {
        table.file = "all_reduce";
        const auto run = runOf(table);
        fuzz::require(run.has_value());
        for (const ImportedRun::Fact& fact : run->facts) {
            const auto* row = std::get_if<SweepRow>(&fact.body);
            fuzz::require(row == nullptr || (row->timeNs > 0 && row->bytes >= 0));
        }
    }
}

void lookAtClog(const std::string& content)
{
    (void)looksLikeClog(content);
    std::istringstream lines(content);
    auto log = readClog(lines);
    if (!log)
        return;
    for (const FlightRecorderDump::Entry& entry : log->entries)
        fuzz::require(isMoment(entry.operation.enqueuedNs) && isMoment(entry.operation.endedNs));
    log->rank = 0;
    FlightRecorderDump other = *log;
    other.rank = 1;
    (void)runOf({*log, other});
}

void lookAtInspector(const std::string& content)
{
    (void)looksLikeNcclInspector(content);
    std::istringstream lines(content);
    const auto log = readNcclInspector(lines);
    if (!log)
        return;
    for (const NcclInspectorLog::Entry& entry : log->entries) {
        fuzz::require(isMoment(entry.operation.startedNs) && isMoment(entry.operation.endedNs));
        fuzz::require(entry.operation.group < log->communicators.size());
    }
    (void)runOf(std::vector{*log});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string content(fuzz::textOf(data, size));
    lookAtNcclTests(content);
    lookAtClog(content);
    lookAtInspector(content);
    return 0;
}
