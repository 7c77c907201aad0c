#include "engine/control/OrphanSweep.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessInfo.h"

#include <csignal>

#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int MostPasses = 20;

} // namespace

int sweepOrphans(const std::string& run)
{
    int found = 0;
    // One that forks while it is being looked for is found in the next pass.
    for (int pass = 0; pass < MostPasses; ++pass) {
        const auto orphans = processesWithEnvironment("RINGMASTER_RUN", run);
        for (const pid_t pid : orphans) {
            if (pid != ::getpid() && ::kill(pid, SIGKILL) == 0)
                ++found;
        }
        if (orphans.empty())
            break;
    }
    if (found > 0)
        log::info("control", "run " + run + ": ended " + std::to_string(found) + " orphans");
    return found;
}

} // namespace ringmaster
