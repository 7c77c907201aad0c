// What NCCL's RAS says of a job, as JSON: whoever has the port may say it. What is taken from it is
// bounded.

#include "Fuzz.h"
#include "engine/diagnose/NcclRas.h"

using namespace ringmaster;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    auto report = diagnose::readNcclRasReport(fuzz::textOf(data, size));
    if (!report)
        return 0;
    const auto before = *report;
    report->compareWith(before);
    for (const auto& process : report->processes) {
        fuzz::require(process.pid > 0 && process.member.rank >= 0);
        fuzz::require(process.host.size() <= 64 && process.member.communicator.size() <= 129);
        (void)report->membersOf(process.pid);
    }
    return 0;
}
