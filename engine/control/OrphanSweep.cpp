#include "engine/control/OrphanSweep.h"

#include "engine/base/ControlGroup.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessInfo.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Survivor.h"

#include <csignal>
#include <optional>
#include <set>

#include <poll.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int MostPasses = 20;

/// Nothing, unless the agent has run here and is gone.
std::optional<RunFolder> folderToSweep(const RunCatalog& catalog, const RunSummary& run)
{
    if (run.state != RunState::Lost)
        return std::nullopt;
    const auto folder = catalog.find(run.id);
    if (!folder || folder->isImported())
        return std::nullopt;
    const auto agent = folder->agent();
    if (!agent || lifeOf(*agent) != AgentLife::Gone)
        return std::nullopt;
    return *folder;
}

struct Killed
{
    ProcessIdentity process{};
    FileDescriptor pidfd{};
};

Killed killOrphan(const ProcessIdentity& process)
{
    Killed killed{process, FileDescriptor(openProcess(process))};
    (void)signalPidfd(killed.pidfd.get(), SIGKILL);
    return killed;
}

bool hasEnded(const Killed& killed, std::chrono::milliseconds patience)
{
    pollfd ended{killed.pidfd.get(), POLLIN, 0};
    return !killed.pidfd.isOpen() || ::poll(&ended, 1, static_cast<int>(patience.count())) > 0 ||
           !isAlive(killed.process);
}

} // namespace

OrphanSweep sweepOrphans(const RunCatalog& catalog, const std::vector<RunSummary>& runs,
                         std::chrono::milliseconds patience)
{
    std::set<std::string> ids;
    std::vector<ControlGroup> groups;
    for (const RunSummary& run : runs) {
        const auto folder = folderToSweep(catalog, run);
        if (!folder)
            continue;
        ids.insert(run.id);
        const std::string place = readFile(folder->path() / "cgroup").value_or("");
        for (ControlGroup& group : ControlGroup::ofRun(place, run.id))
            groups.push_back(std::move(group));
    }
    OrphanSweep sweep;
    if (ids.empty())
        return sweep;
    std::set<ProcessIdentity> seen{*identityOf(::getpid())};
    std::vector<Killed> killed;
    for (const ControlGroup& group : groups) {
        for (const pid_t pid : group.processes()) {
            const auto process = identityOf(pid);
            if (process && seen.insert(*process).second)
                killed.push_back(killOrphan(*process));
        }
        group.kill();
    }
    // One that forks while it is being looked for is found in the next pass.
    for (int pass = 0; pass < MostPasses; ++pass) {
        bool isNew = false;
        for (const auto& [run, process] : findByEnvironment("RINGMASTER_RUN", ids)) {
            if (!seen.insert(process).second)
                continue;
            isNew = true;
            killed.push_back(killOrphan(process));
        }
        if (!isNew)
            break;
    }
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (const Killed& one : killed) {
        const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (hasEnded(one, std::max(rest, std::chrono::milliseconds(0))))
            ++sweep.ended;
        else
            sweep.left.push_back(describeSurvivor(one.process.pid));
    }
    for (ControlGroup& group : groups)
        group.remove();
    if (sweep.ended > 0)
        log::info("control", "ended " + std::to_string(sweep.ended) + " orphans of lost runs");
    for (const Message& process : sweep.left)
        log::warning("control", describe(process));
    return sweep;
}

} // namespace ringmaster
