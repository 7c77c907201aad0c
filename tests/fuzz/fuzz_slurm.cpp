// What squeue, sacct, scontrol and the file of a run's script say; lines that other clusters'
// prologs print among it included. The first byte says which of them it is.

#include "Fuzz.h"
#include "engine/slurm/SlurmJob.h"

using namespace ringmaster;

namespace {

void checkHosts(const std::vector<Host>& hosts)
{
    for (const Host& host : hosts)
        fuzz::require(!host.name.empty() && !host.address.empty());
}

void checkJob(const SlurmJob& job)
{
    fuzz::require(!job.number.empty());
    (void)endedBySlurm(job);
    fuzz::require(!describe(whyItWaits(job)).empty() && !describe(whyItEnded(job, "")).empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz::Input input(data, size);
    const auto kind = input.number<std::uint8_t>() % 4;
    const std::string said(input.text(size));
    if (kind == 0) {
        if (const auto job = slurmJobIn(said))
            checkJob(*job);
    } else if (kind == 1) {
        checkHosts(slurmNodesIn(said));
    } else if (kind == 2) {
        if (const auto arrival = slurmArrivalIn(said)) {
            checkJob(arrival->job);
            fuzz::require(!arrival->hosts.empty());
            checkHosts(arrival->hosts);
        }
    } else {
        for (const int exitCode : {1, 127}) {
            fuzz::require(!describe(slurmFailure(squeueCommand("job"), exitCode, said)).empty());
            fuzz::require(!describe(stepFailure({.name = "n1"}, exitCode, said)).empty());
        }
    }
    return 0;
}
