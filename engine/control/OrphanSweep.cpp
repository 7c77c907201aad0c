#include "engine/control/OrphanSweep.h"

#include "engine/base/ControlGroup.h"
#include "engine/base/Environment.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessInfo.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Spawn.h"
#include "engine/base/Survivor.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/JobFile.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <set>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int MostPasses = 20;
/// For podman, for all runs together.
constexpr std::chrono::seconds RemovalPatience{10};
/// A podman that took as long is left alone for this time.
constexpr std::chrono::minutes AfterSlowness{10};

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

std::chrono::milliseconds timeUntil(std::chrono::steady_clock::time_point deadline)
{
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    return std::max(rest, std::chrono::milliseconds(0));
}

/// The job that the run was started with.
std::optional<JobSpec> jobOf(const RunFolder& folder)
{
    const auto reader = folder.openReader();
    const auto events = reader ? reader->events(0, {.events = 1})
                               : Result<std::vector<Event>>(tl::unexpected(reader.error()));
    const auto* started =
        events && !events->empty() ? std::get_if<RunStarted>(&events->front().body) : nullptr;
    if (started == nullptr)
        return std::nullopt;
    const auto job = parseJobFile(started->jobFile);
    return job ? std::optional(job->spec) : std::nullopt;
}

/// Empty: podman has run nothing of it, or isn't here. Plain workers' containers have no label.
std::string podmanOf(const JobSpec& job)
{
    const bool hasImage = std::ranges::any_of(
        job.roles, [&](const Role& role) { return !imageOf(job, role).empty(); });
    if (!hasImage || job.plain)
        return {};
    const auto [engine, program] = findContainerEngine(job.container, currentEnvironment());
    return engine == "podman" ? program : std::string();
}

/// True when podman says that none of the run's containers is left.
bool removeContainers(const std::string& podman, const std::string& run,
                      std::chrono::milliseconds patience)
{
    const auto child = spawnWatched(
        {.command = {podman, "rm", "--force", "--time=0", "--filter=label=ringmaster=" + run},
         .descriptors = {-1, -1, -1}});
    if (!child)
        return false;
    pollfd ended{child->pidfd.get(), POLLIN, 0};
    if (::poll(&ended, 1, static_cast<int>(patience.count())) <= 0) {
        constexpr int ForTheKernel = 1000; // milliseconds; who waits for a disk isn't waited for
        (void)signalPidfd(child->pidfd.get(), SIGKILL);
        if (::poll(&ended, 1, ForTheKernel) <= 0)
            return false;
    }
    int status = -1;
    return ::waitpid(child->pid, &status, 0) == child->pid && status == 0;
}

/// It took too long a while ago.
bool hasJustBeenSlow(const std::filesystem::path& slow)
{
    std::error_code error;
    const auto when = std::filesystem::last_write_time(slow, error);
    return !error && std::filesystem::file_time_type::clock::now() - when < AfterSlowness;
}

/// podman still knows a container whose monitor was killed. It is asked once for each agent of a
/// run: the folder says so.
void removeContainersOf(const RunFolder& folder, std::chrono::steady_clock::time_point deadline)
{
    const auto agent = folder.agent();
    if (!agent)
        return;
    const std::filesystem::path note = folder.path() / "containers";
    const std::string asked = "none left of agent " + std::to_string(agent->process.pid) + " " +
                              std::to_string(agent->process.startTime);
    if (readFile(note).value_or("") == asked)
        return;
    const auto job = jobOf(folder);
    if (!job)
        return;
    const std::string podman = podmanOf(*job);
    const std::filesystem::path slow = folder.path() / "containers-slow";
    if (!podman.empty() && (timeUntil(deadline).count() == 0 || hasJustBeenSlow(slow)))
        return;
    if (!podman.empty() && !removeContainers(podman, folder.id(), timeUntil(deadline))) {
        if (timeUntil(deadline).count() == 0)
            (void)writeFileAtomically(slow, "", 0600, Durability::Relaxed);
        return log::warning("control", "containers of run " + folder.id() + " may be left");
    }
    (void)writeFileAtomically(note, asked, 0600, Durability::Relaxed); // Else it is asked again.
}

} // namespace

OrphanSweep sweepOrphans(const RunCatalog& catalog, const std::vector<RunSummary>& runs,
                         std::chrono::milliseconds patience)
{
    std::set<std::string> ids;
    std::vector<RunFolder> folders;
    std::vector<ControlGroup> groups;
    for (const RunSummary& run : runs) {
        const auto folder = folderToSweep(catalog, run);
        if (!folder)
            continue;
        ids.insert(run.id);
        folders.push_back(*folder);
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
        if (hasEnded(one, timeUntil(deadline)))
            ++sweep.ended;
        else
            sweep.left.push_back(describeSurvivor(one.process.pid));
    }
    for (ControlGroup& group : groups)
        group.remove();
    // Who has no patience leaves it to others, who come by.
    const auto removalEnd = std::chrono::steady_clock::now() + RemovalPatience;
    for (const RunFolder& folder : folders) {
        if (patience.count() > 0)
            removeContainersOf(folder, removalEnd);
    }
    if (sweep.ended > 0)
        log::info("control", "ended " + std::to_string(sweep.ended) + " orphans of lost runs");
    for (const Message& process : sweep.left)
        log::warning("control", describe(process));
    return sweep;
}

} // namespace ringmaster
