#pragma once

#include "engine/job/ContainerSpec.h"
#include "engine/job/SlurmSpec.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// Who gives a job its machines: the user, who names hosts or means this one, or Slurm.
enum class RunOn { Hosts, Slurm };
constexpr std::array<std::string_view, 2> namesOf(RunOn)
{
    return {"hosts", "slurm"};
}

/// How many workers a role has on each node. Auto, Gpu and Cpu are counted where the job runs.
struct WorkerCount
{
    enum class Kind { Number, Auto, Gpu, Cpu, Xpu };

    Kind kind = Kind::Number;
    int number = 1; ///< Kind::Number only.

    bool operator==(const WorkerCount&) const = default;
};

struct NodeRange
{
    int min = 1;
    int max = 1;

    bool operator==(const NodeRange&) const = default;
};

// g++ takes the enumerator Command for a shadow of event/'s Command, though the enumeration is
// scoped.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// What `Role::program` is: `python -u FILE`, `python -u -m NAME`, an executable, or a file run by
/// runpy.
enum class ProgramKind { Script, Module, Command, RunPath };
#pragma GCC diagnostic pop
constexpr std::array<std::string_view, 4> namesOf(ProgramKind)
{
    return {"program", "module", "command", "run_path"};
}

/// One kind of worker. Ranks follow the order of the roles in the job.
struct Role
{
    std::string name = "default"; ///< ROLE_NAME, and the prefix of tee'd lines.
    ProgramKind kind = ProgramKind::Script;
    std::string program{};
    std::vector<std::string> arguments{};
    std::string interpreter{};   ///< Empty: PYTHON_EXEC, else the active one (VIRTUAL_ENV,
                                 ///< CONDA_PREFIX, PATH).
    std::string workingFolder{}; ///< Empty: the folder that the job is launched from.
    std::map<std::string, std::string> environment{};
    WorkerCount workers{};
    std::string image{}; ///< Container image; empty: that of the first role, none if it has none.
    int devicesPerWorker = 0; ///< 0: not assigned by Ringmaster.
    int nice = 0;             ///< Its niceness, as nice(1) has it: 0: as the agent's.
    std::vector<int>
        devices{}; ///< GPUs chosen in the editor: CUDA_VISIBLE_DEVICES; empty: untouched.

    bool operator==(const Role&) const = default;
};

enum class RendezvousMethod { Static, C10d };
constexpr std::array<std::string_view, 2> namesOf(RendezvousMethod)
{
    return {"static", "c10d"};
}

struct RendezvousSpec
{
    RendezvousMethod method = RendezvousMethod::Static;
    bool standalone = false; ///< c10d at localhost:0 with a fresh id; endpoint and id are ignored.
    std::string endpoint{};  ///< host[:port]
    std::string id = "none";
    std::map<std::string, std::string> configuration{}; ///< --rdzv-conf
    int nodeRank = 0;                                   ///< static only
    std::string masterAddress = "127.0.0.1";            ///< static only
    std::optional<int> masterPort{}; ///< static only; none: usualMasterPort, or a free one.
    std::string localAddress{};

    static constexpr int usualMasterPort = 29500;
    int port() const { return masterPort.value_or(usualMasterPort); }

    bool operator==(const RendezvousSpec&) const = default;
};

struct RestartSpec
{
    int maxRestarts = 0; ///< The budget of the whole job.
    std::chrono::milliseconds firstDelay{
        0}; ///< Back-off before a restart; doubles each time. 0: off.
    std::chrono::milliseconds longestDelay{60'000};
    std::chrono::milliseconds minimumHealthyTime{
        0}; ///< A shorter attempt that failed isn't tried again. 0: off.
    std::chrono::milliseconds grace{30'000}; ///< Between SIGTERM and SIGKILL.
    std::chrono::milliseconds exitBarrier{300'000};
    /// Expressions (RE2) for the last that the failed rank printed. Empty: whatever it printed.
    std::string onlyIf{};      ///< It isn't tried again without.
    std::string unless{};      ///< It isn't tried again with.
    int leaveHostOutAfter = 0; ///< So many failures on one host; then without it. 0: never.

    bool operator==(const RestartSpec&) const = default;
};

/// torchrun's `-r` and `-t`: 1 stdout, 2 stderr, 3 both; one mask for all local ranks or one each.
struct StreamSelection
{
    std::uint8_t all = 0;
    std::map<int, std::uint8_t> byLocalRank{}; ///< Ranks that aren't named have `all`.

    std::uint8_t of(int localRank) const;
    bool operator==(const StreamSelection&) const = default;
};

struct LogSpec
{
    std::string folder{}; ///< Empty: the run folder. "/dev/null": no files.
    StreamSelection redirects{};
    StreamSelection tee{};
    std::vector<int> localRanksFilter{}; ///< Empty: all.
    std::vector<std::string> duplicateStdoutFilters{};
    std::vector<std::string> duplicateStderrFilters{};
    std::string linePrefix{}; ///< Of tee'd lines, with ${rank} and the like; empty: "[default0]:".

    bool operator==(const LogSpec&) const = default;
};

/// Whether workers are forked from a process that has imported torch already. Auto: where that is
/// safe, and a person is there.
enum class WarmMode { Auto, On, Off };
constexpr std::array<std::string_view, 3> namesOf(WarmMode)
{
    return {"auto", "on", "off"};
}

/// An enumeration whose values have names in job files.
template <class T>
concept NamedChoice = requires(T value)
{
    namesOf(value);
};

template <NamedChoice T>
constexpr std::string_view textOf(T value)
{
    return namesOf(value).at(static_cast<size_t>(value));
}

template <NamedChoice T>
constexpr std::optional<T> choiceOf(std::string_view text)
{
    constexpr auto Names = namesOf(T{});
    for (size_t i = 0; i < Names.size(); ++i)
        if (Names.at(i) == text)
            return static_cast<T>(i);
    return std::nullopt;
}

/// What the user asked to run. A `.ringjob` file, torchrun's command line and this are three faces
/// of one thing.
struct JobSpec
{
    std::string name{}; ///< Shown; empty: derived from the first role's program.
    std::vector<Role> roles{Role{}};
    NodeRange nodes{};
    RunOn runOn = RunOn::Hosts;
    /// Where it runs, in the order of the ranks: NAME, NAME:WORKERS or @GROUP of the host book;
    /// empty: on this machine.
    std::vector<std::string> hosts{};
    RendezvousSpec rendezvous{};
    RestartSpec restart{};
    LogSpec logs{};
    SlurmSpec slurm{};         ///< Of a job that runs there, or is written as a script for it.
    ContainerSpec container{}; ///< Of roles that have an image.
    std::chrono::milliseconds monitorInterval{100};
    std::string startMethod = "spawn"; ///< RunPath only
    std::string eventLogHandler = "null";
    std::string logsSpecs{};
    std::string numaBinding{}; ///< node, socket, exclusive, core-complex, or empty
    std::vector<std::string> signalsToHandle{"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"};
    bool virtualLocalRank = false;
    std::string backendHint{}; ///< gloo, nccl, ring, or empty; the editor's checks use it
    std::string ringAlgorithm =
        "auto"; ///< auto, ring, tree or direct: how the ring's collectives go.
    std::string
        ringInterface{}; ///< Of the ring between hosts: a name or an address; empty: chosen.
    bool plain = false;  ///< Add nothing to the workers' environment that torchrun doesn't.
    bool recordOperations = true; ///< Of process groups, through the ledger; not where plain.

    std::chrono::milliseconds longestRun{0}; ///< All attempts together; then it is ended. 0: off.
    /// By the kind of a verdict (verdictKinds()): how long one may stand until the run is ended.
    std::map<std::string, std::string> stopOn{};

    WarmMode warm = WarmMode::Auto;
    std::vector<std::string> preload{}; ///< Modules that a warm start imports ahead; empty: learnt.

    /// On loopback, where the run's metrics are served to Prometheus; 0: a free one; nothing: they
    /// aren't.
    std::optional<int> metricsPort{};

    /// Expressions for numbers in the output that aren't found without one, by their names; see
    /// NumberRules.
    std::map<std::string, std::string> numbers{};

    std::string displayName() const;
    /// Its agents are on named hosts or on Slurm's, and meet through a lead on this machine.
    bool isLed() const { return !hosts.empty() || runOn == RunOn::Slurm; }
    /// One node that nobody has to find: it meets itself at a free port, under a fresh id. Asked
    /// for, or no place is named.
    bool isStandalone() const;
    bool operator==(const JobSpec&) const = default;
};

/// Of which verdicts a rule may speak, by the names that they have in JSON.
std::vector<std::string> verdictKinds();

/// "role.workers", or "role.1.workers" in a job of several roles.
std::string roleField(size_t index, size_t roleCount, std::string_view key);

} // namespace ringmaster
