#include "engine/attach/JobFinder.h"

#include "engine/text/PythonText.h"
#include "engine/text/SecretWords.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace ringmaster {

namespace {

using Processes = std::vector<ForeignProcess>;
using Launcher = ForeignJob::Launcher;

constexpr int LargestWorld = 1'000'000;
constexpr int MostSteps = 64; ///< From a process to those above it.

std::string_view valueOf(const ForeignProcess& process, std::string_view name)
{
    const auto found = process.variables.find(name);
    return found == process.variables.end() ? std::string_view() : found->second;
}

std::optional<int> numberOf(const ForeignProcess& process, std::string_view name)
{
    const std::string_view text = valueOf(process, name);
    int number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() ||
        number < 0 || number > LargestWorld)
        return std::nullopt;
    return number;
}

/// Who a process is by its environment.
struct DeclaredRank
{
    Launcher launcher = Launcher::Unknown;
    std::string job{}; ///< The same for all ranks of one job, and for no other's.
    int rank = 0;
    int worldSize = 0;
};

Launcher torchLauncherOf(const ForeignProcess& process)
{
    if (process.variables.contains("ACCELERATE_MIXED_PRECISION"))
        return Launcher::Accelerate;
    if (process.variables.contains("TORCHELASTIC_RUN_ID"))
        return Launcher::Torchrun;
    return process.variables.contains("CROSS_SIZE") ? Launcher::DeepSpeed : Launcher::Unknown;
}

std::string storeOf(const ForeignProcess& process)
{
    const std::string_view address = valueOf(process, "MASTER_ADDR");
    const std::string_view port = valueOf(process, "MASTER_PORT");
    if (address.empty() || port.empty())
        return {};
    return std::string(address) + ":" + std::string(port);
}

std::optional<DeclaredRank> declaredRankOf(const ForeignProcess& process)
{
    struct Way
    {
        Launcher launcher;
        std::string_view rank;
        std::string_view worldSize;
        std::string job;
    };
    const auto value = [&](std::string_view name) { return std::string(valueOf(process, name)); };
    const std::array<Way, 4> ways{
        Way{torchLauncherOf(process), "RANK", "WORLD_SIZE",
            value("TORCHELASTIC_RUN_ID") + "/" + storeOf(process)},
        Way{Launcher::Mpi, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", value("PMIX_NAMESPACE")},
        Way{Launcher::Slurm, "SLURM_PROCID", "SLURM_NTASKS",
            value("SLURM_JOB_ID") + "." + value("SLURM_STEP_ID")},
        Way{Launcher::Mpi, "PMI_RANK", "PMI_SIZE", storeOf(process)}};
    for (const Way& way : ways) {
        const auto rank = numberOf(process, way.rank);
        const auto worldSize = numberOf(process, way.worldSize);
        if (!rank || !worldSize || *rank >= *worldSize)
            continue;
        DeclaredRank declared{way.launcher, process.about.user + "/" + way.job, *rank, *worldSize};
        // srun and mpirun start programs that set torch's variables themselves.
        if (declared.launcher == Launcher::Unknown && process.variables.contains("PMIX_NAMESPACE"))
            declared.launcher = Launcher::Mpi;
        else if (declared.launcher == Launcher::Unknown &&
                 process.variables.contains("SLURM_STEP_ID"))
            declared.launcher = Launcher::Slurm;
        return declared;
    }
    return std::nullopt;
}

/// The file that it runs, without its folder, as it was called; empty: it shows nothing.
std::string executableOf(const ForeignProcess& process)
{
    const auto& arguments = process.about.arguments;
    return arguments.empty() ? std::string()
                             : std::filesystem::path(arguments.front()).filename().string();
}

bool isPython(const ForeignProcess& process)
{
    const std::string program = executableOf(process);
    return program.starts_with("python") || program.starts_with("pypy");
}

/// It starts the processes of all that run in Ray on its machine.
bool isRaylet(const ForeignProcess& process)
{
    return executableOf(process) == "raylet";
}

/// The script, or the module that `-m` names.
std::string programOf(const ForeignProcess& process)
{
    const auto& arguments = process.about.arguments;
    for (size_t i = 1; i < arguments.size(); ++i) {
        if (arguments[i] == "-m" && i + 1 < arguments.size())
            return arguments[i + 1];
        if (arguments[i] == "-c")
            return "python -c";
        // A program that names itself, as Ray's do, leaves the rest of its words empty.
        if (!arguments[i].empty() && !arguments[i].starts_with('-'))
            return std::filesystem::path(arguments[i]).filename().string();
    }
    return executableOf(process);
}

std::string commandOf(const ForeignProcess& process)
{
    std::vector<std::string> words = process.about.arguments;
    maskSecrets(words, secretsIn(words));
    return join(words, " ");
}

class Finder
{
public:
    explicit Finder(const Processes& processes)
    {
        for (const ForeignProcess& process : processes)
            m_processes.emplace(process.identity.pid, &process);
    }

    std::vector<ForeignJob> find()
    {
        findByEnvironment();
        findByStore();
        std::ranges::stable_sort(m_jobs, std::ranges::greater{}, &ForeignJob::startedNs);
        return std::move(m_jobs);
    }

private:
    using Members = std::vector<const ForeignProcess*>;

    const ForeignProcess* find(pid_t pid) const
    {
        const auto found = m_processes.find(pid);
        return found == m_processes.end() ? nullptr : found->second;
    }

    const ForeignProcess* parentOf(const ForeignProcess& process) const
    {
        return find(process.parent);
    }

    /// What descends from a run of Ringmaster's is shown there.
    bool isForeign(const ForeignProcess& process) const
    {
        const ForeignProcess* above = &process;
        for (int steps = 0; above != nullptr && steps < MostSteps; ++steps) {
            if (above->variables.contains("RINGMASTER_RUN"))
                return false;
            above = parentOf(*above);
        }
        return true;
    }

    void findByEnvironment()
    {
        std::map<std::string, std::map<int, Members>> jobs;
        std::map<std::string, DeclaredRank> declarations;
        for (const auto& [pid, process] : m_processes) {
            const auto declared = declaredRankOf(*process);
            if (!declared || !isForeign(*process) || !(process->hasTorch || isPython(*process)))
                continue;
            jobs[declared->job][declared->rank].push_back(process);
            declarations.emplace(declared->job, *declared);
        }
        for (const auto& [key, ranks] : jobs) {
            const DeclaredRank& declared = declarations.at(key);
            ForeignJob job{.launcher = declared.launcher, .worldSize = declared.worldSize};
            Members members;
            for (const auto& [rank, processes] : ranks) {
                members.push_back(rankAmong(processes));
                addRank(job, rank, *members.back());
            }
            // Anything that Slurm or MPI starts has a rank; a job of torch's has torch.
            if (std::ranges::all_of(job.ranks, &ForeignRank::isLoading) &&
                storeOf(*members.front()).empty())
                continue;
            job.store = storeOf(*members.front());
            add(std::move(job), members);
        }
    }

    /// Children have their parent's environment: the rank is the uppermost that has torch, else
    /// the uppermost.
    const ForeignProcess* rankAmong(const Members& processes) const
    {
        const auto isBelow = [&](const ForeignProcess& process, bool onlyTorch) {
            int steps = 0;
            for (const ForeignProcess* above = parentOf(process);
                 above != nullptr && steps < MostSteps; above = parentOf(*above), ++steps) {
                if (std::ranges::count(processes, above) != 0 && (!onlyTorch || above->hasTorch))
                    return true;
            }
            return false;
        };
        const ForeignProcess* found = nullptr;
        for (const ForeignProcess* process : processes) {
            if (process->hasTorch && !isBelow(*process, true))
                return process;
            if (found == nullptr && !isBelow(*process, false))
                found = process;
        }
        return found != nullptr ? found : processes.front();
    }

    void findByStore()
    {
        Members left;
        for (const auto& [pid, process] : m_processes)
            if (process->hasTorch && isForeign(*process) && !m_taken.contains(pid) &&
                !declaredRankOf(*process))
                left.push_back(process);
        while (true) {
            std::map<std::string, Members> byStore;
            for (const ForeignProcess* process : left)
                for (const std::string& peer : peersOf(*process))
                    if (isStoreHere(peer))
                        byStore[peer].push_back(process);
            // Ranks of gloo are connected to each other, too, but all of them to the store alone.
            const auto largest = std::ranges::max_element(
                byStore, {}, [](const auto& of) { return of.second.size(); });
            if (largest == byStore.end() || largest->second.size() < 2)
                return;
            addUnnumbered(largest->first, largest->second);
            std::erase_if(left, [this](const ForeignProcess* process) {
                return m_taken.contains(process->identity.pid);
            });
        }
    }

    /// Its own connections: a forked child holds its parent's sockets.
    std::set<std::string> peersOf(const ForeignProcess& process) const
    {
        std::set<std::string> peers;
        const ForeignProcess* parent = parentOf(process);
        for (const auto& connection : process.connections) {
            const bool isInherited =
                parent != nullptr && std::ranges::count(parent->connections, connection.socket,
                                                        &ForeignProcess::Connection::socket) != 0;
            if (!isInherited)
                peers.insert(connection.peer);
        }
        return peers;
    }

    /// A process with torch listens there: programs that only use the same server elsewhere are no
    /// job.
    bool isStoreHere(const std::string& endpoint) const
    {
        const std::string port = endpoint.substr(endpoint.rfind(':'));
        return std::ranges::any_of(m_processes, [&](const auto& known) {
            return known.second->hasTorch &&
                   std::ranges::any_of(known.second->listensAt, [&](const std::string& local) {
                       return local.ends_with(port);
                   });
        });
    }

    void addUnnumbered(const std::string& store, Members members)
    {
        std::ranges::sort(members, {}, [](const ForeignProcess* process) {
            return std::pair(process->identity.startTime, process->identity.pid);
        });
        ForeignJob job{.store = store, .areRanksKnown = false};
        for (const ForeignProcess* process : members)
            addRank(job, static_cast<int>(job.ranks.size()), *process);
        add(std::move(job), members);
    }

    void addRank(ForeignJob& job, int rank, const ForeignProcess& process)
    {
        job.ranks.push_back({.rank = rank,
                             .process = process.identity,
                             .command = commandOf(process),
                             .output = process.output,
                             .isLoading = !process.hasTorch});
        m_taken.insert(process.identity.pid);
    }

    void add(ForeignJob job, const Members& members)
    {
        const ForeignProcess& first = *members.front();
        job.user = first.about.user;
        job.restarts = numberOf(first, "TORCHELASTIC_RESTART_COUNT").value_or(0);
        job.startedNs = first.about.startedNs;
        for (const ForeignProcess* member : members)
            job.startedNs = std::min(job.startedNs, member->about.startedNs);
        const ForeignProcess* parent = parentOf(first);
        const bool isShared = std::ranges::all_of(
            members, [&](const ForeignProcess* member) { return member->parent == first.parent; });
        if (parent != nullptr && isShared && parent->identity.pid > 1)
            job.started = parent->identity;
        if (parent != nullptr && isRaylet(*parent)) {
            job.launcher = Launcher::Ray;
            parent = parentOf(*parent); // the program, where it didn't join a cluster
        }
        // What multiprocessing and Ray start has a command of its own.
        job.name = programOf(!job.areRanksKnown && parent != nullptr && parent->hasTorch ? *parent
                                                                                         : first);
        m_jobs.push_back(std::move(job));
    }

    std::map<pid_t, const ForeignProcess*> m_processes;
    std::set<pid_t> m_taken;
    std::vector<ForeignJob> m_jobs;
};

} // namespace

std::vector<ForeignJob> findJobs(const std::vector<ForeignProcess>& processes)
{
    return Finder(processes).find();
}

} // namespace ringmaster
