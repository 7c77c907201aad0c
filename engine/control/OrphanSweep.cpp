#include "engine/control/OrphanSweep.h"

#include "engine/base/ChildProcess.h"
#include "engine/base/Clock.h"
#include "engine/base/ControlGroup.h"
#include "engine/base/Environment.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessInfo.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Survivor.h"
#include "engine/control/ProcessTree.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/JobFile.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <optional>
#include <set>

#include <poll.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr int MostPasses = 20;
/// For podman, for all runs together.
constexpr std::chrono::seconds RemovalPatience{10};
/// A podman that took as long is left alone for this time.
constexpr std::chrono::minutes AfterSlowness{10};

/// Who still starts something for a run that is lost has done so by then, as docker's daemon may.
constexpr std::chrono::minutes LatestStart{1};

/// Notes in a run's folder: what none is left of.
constexpr const char* Containers = "containers";
constexpr const char* Processes = "processes";

/// One whose agent has run here and is gone.
struct LostRun
{
    RunFolder folder;
    AgentRecord agent{};
    Moment endedAt{};
    std::vector<ControlGroup> groups{};
};

std::optional<LostRun> lostRun(const RunCatalog& catalog, const RunSummary& run)
{
    if (run.state != RunState::Lost)
        return std::nullopt;
    auto folder = catalog.find(run.id);
    if (!folder || folder->isImported())
        return std::nullopt;
    auto agent = folder->agent();
    if (!agent || lifeOf(*agent) != AgentLife::Gone)
        return std::nullopt;
    return LostRun{*std::move(folder), *std::move(agent), run.endedAt};
}

/// Of its last agent: another may have taken the run over since.
std::string noteOf(const LostRun& run)
{
    const ProcessIdentity& agent = run.agent.process;
    return "none left of agent " + std::to_string(agent.pid) + " " +
           std::to_string(agent.startTime);
}

bool isNoted(const LostRun& run, const char* what)
{
    return readFile(run.folder.path() / what).value_or("") == noteOf(run);
}

void note(const LostRun& run, const char* what)
{
    // Where it can't be written, it is looked for again.
    (void)writeFileAtomically(run.folder.path() / what, noteOf(run), 0600, Durability::Relaxed);
}

bool isLongLost(const LostRun& run)
{
    const std::chrono::nanoseconds since(SystemClock().now().wallNs - run.endedAt.wallNs);
    return run.endedAt.wallNs != 0 && since > LatestStart;
}

/// Each worker leads one. With nobody in it whose environment has the run's token, its number could
/// be another's by now. Of a job on hosts the numbers are those of other machines.
std::set<pid_t> workerSessionsOf(const LostRun& run)
{
    std::set<pid_t> sessions;
    const auto reader = run.folder.openReader();
    const auto snapshot =
        reader ? reader->snapshot() : Result<RunSnapshot>(tl::unexpected(reader.error()));
    if (!snapshot || !snapshot->hosts.empty())
        return sessions;
    for (const WorkerSnapshot& worker : snapshot->workers) {
        if (worker.pid > 0)
            sessions.insert(worker.pid);
    }
    return sessions;
}

struct Killed
{
    ProcessIdentity process{};
    FileDescriptor pidfd{};
};

/// Of the runs in question.
class OrphanHunt
{
public:
    /// SIGKILL to all that is in their cgroups, has their token, or belongs to who has it.
    void kill(const std::vector<LostRun*>& runs);

    const std::vector<Killed>& killed() const { return m_killed; }
    /// The ids of those of which something was there.
    const std::set<std::string>& runsWithOrphans() const { return m_runs; }

private:
    bool killByToken(const std::map<std::string, const LostRun*>& runs);
    bool killOne(const std::string& run, const ProcessIdentity& process);

    std::set<ProcessIdentity> m_seen{*identityOf(::getpid())};
    std::map<std::string, std::set<pid_t>> m_sessions{}; ///< Of workers, by run; as needed.
    std::vector<Killed> m_killed{};
    std::set<std::string> m_runs{};
};

/// False: it has been killed already.
bool OrphanHunt::killOne(const std::string& run, const ProcessIdentity& process)
{
    if (!m_seen.insert(process).second)
        return false;
    m_runs.insert(run);
    m_killed.push_back({process, FileDescriptor(openProcess(process))});
    (void)signalPidfd(m_killed.back().pidfd.get(), SIGKILL);
    return true;
}

/// False: nobody was there who hasn't been killed already.
bool OrphanHunt::killByToken(const std::map<std::string, const LostRun*>& runs)
{
    std::set<std::string> ids;
    for (const auto& [id, run] : runs)
        ids.insert(id);
    const auto found = findByEnvironment("RINGMASTER_RUN", ids);
    if (found.empty())
        return false;
    // Who is killed is nobody's parent any more.
    const ProcessTree tree = ProcessTree::read();
    bool isAnyNew = false;
    for (const auto& [run, process] : found) {
        if (!m_sessions.contains(run))
            m_sessions[run] = workerSessionsOf(*runs.at(run));
        isAnyNew = killOne(run, process) || isAnyNew;
        // A worker may have started another run.
        const auto isOfAnother = [&run = run](pid_t pid) {
            const auto tokens = startedWith(pid, "RINGMASTER_RUN");
            return !tokens.empty() && std::ranges::find(tokens, run) == tokens.end();
        };
        for (const ProcessIdentity& one : tree.familyOf(process, m_sessions[run], isOfAnother))
            isAnyNew = killOne(run, one) || isAnyNew;
    }
    return isAnyNew;
}

void OrphanHunt::kill(const std::vector<LostRun*>& runs)
{
    std::map<std::string, const LostRun*> byId;
    for (const LostRun* run : runs) {
        byId[run->folder.id()] = run;
        for (const ControlGroup& group : run->groups) {
            m_runs.insert(run->folder.id());
            for (const pid_t pid : group.processes()) {
                if (const auto process = identityOf(pid))
                    (void)killOne(run->folder.id(), *process);
            }
            group.kill();
        }
    }
    // One that forks while it is being looked for is found in the next pass.
    bool isAnyNew = !byId.empty();
    for (int pass = 0; isAnyNew && pass < MostPasses; ++pass)
        isAnyNew = killByToken(byId);
}

bool hasEnded(const Killed& killed, std::chrono::milliseconds patience)
{
    // Where descriptors are used up there is none: poll() would wait for nothing.
    pollfd ended{killed.pidfd.get(), POLLIN, 0};
    const bool isSaid =
        killed.pidfd.isOpen() && ::poll(&ended, 1, static_cast<int>(patience.count())) > 0;
    return isSaid || !isAlive(killed.process);
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
    auto child = ChildProcess::start(
        {.command = {podman, "rm", "--force", "--time=0", "--filter=label=ringmaster=" + run},
         .descriptors = {-1, -1, -1}});
    return child && child->endsWithin(patience) && child->reap() == 0;
}

/// It took too long a while ago.
bool hasJustBeenSlow(const std::filesystem::path& slow)
{
    std::error_code error;
    const auto when = std::filesystem::last_write_time(slow, error);
    return !error && std::filesystem::file_time_type::clock::now() - when < AfterSlowness;
}

/// podman still knows a container whose monitor was killed. It is asked once for each agent of a
/// run.
void removeContainersOf(const LostRun& run, std::chrono::steady_clock::time_point deadline)
{
    if (isNoted(run, Containers))
        return;
    const auto job = jobOf(run.folder);
    if (!job)
        return;
    const std::string podman = podmanOf(*job);
    const std::filesystem::path slow = run.folder.path() / "containers-slow";
    if (!podman.empty() && (timeUntil(deadline).count() == 0 || hasJustBeenSlow(slow)))
        return;
    if (!podman.empty() && !removeContainers(podman, run.folder.id(), timeUntil(deadline))) {
        if (timeUntil(deadline).count() == 0)
            (void)writeFileAtomically(slow, "", 0600, Durability::Relaxed);
        return log::warning("control", "containers of run " + run.folder.id() + " may be left");
    }
    note(run, Containers);
}

OrphanSweep endProcessesOf(std::vector<LostRun>& lost, std::chrono::milliseconds patience)
{
    std::vector<LostRun*> runs;
    for (LostRun& run : lost) {
        if (isNoted(run, Processes))
            continue;
        const std::string place = readFile(run.folder.path() / "cgroup").value_or("");
        run.groups = ControlGroup::ofRun(place, run.folder.id());
        runs.push_back(&run);
    }
    OrphanHunt hunt;
    hunt.kill(runs);
    OrphanSweep sweep;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (const Killed& one : hunt.killed()) {
        if (hasEnded(one, timeUntil(deadline)))
            ++sweep.ended;
        else
            sweep.left.push_back(describeSurvivor(one.process.pid));
    }
    for (LostRun* run : runs) {
        for (ControlGroup& group : run->groups)
            group.remove();
        if (isLongLost(*run) && !hunt.runsWithOrphans().contains(run->folder.id()))
            note(*run, Processes);
    }
    return sweep;
}

} // namespace

OrphanSweep sweepOrphans(const RunCatalog& catalog, const std::vector<RunSummary>& runs,
                         std::chrono::milliseconds patience)
{
    std::vector<LostRun> lost;
    for (const RunSummary& run : runs) {
        if (auto one = lostRun(catalog, run))
            lost.push_back(*std::move(one));
    }
    OrphanSweep sweep = endProcessesOf(lost, patience);
    // Who has no patience leaves it to others, who come by.
    const auto removalEnd = std::chrono::steady_clock::now() + RemovalPatience;
    for (const LostRun& run : lost) {
        if (patience.count() > 0)
            removeContainersOf(run, removalEnd);
    }
    if (sweep.ended > 0)
        log::info("control", "ended " + std::to_string(sweep.ended) + " orphans of lost runs");
    for (const Message& process : sweep.left)
        log::warning("control", describe(process));
    return sweep;
}

Result<std::filesystem::path> hideRun(const RunCatalog& catalog, const std::string& run,
                                      std::chrono::milliseconds patience,
                                      const std::stop_token& stop)
{
    const RunFolder folder = RM_TRY(catalog.find(run));
    // What can't be ended is killed all the same.
    (void)sweepOrphans(catalog, {catalog.look(folder)}, patience);
    return catalog.hide(run, stop);
}

Result<void> removeRun(const RunCatalog& catalog, const std::string& run)
{
    RunCatalog::discard(RM_TRY(hideRun(catalog, run)));
    return {};
}

std::vector<std::string> pruneRuns(const RunCatalog& catalog,
                                   const RunCatalog::Retention& retention,
                                   const std::stop_token& stop)
{
    return catalog.prune(
        retention, [&](const RunSummary& run) { (void)sweepOrphans(catalog, {run}); }, stop);
}

} // namespace ringmaster
