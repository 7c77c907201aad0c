#pragma once

#include "engine/attach/JobFindings.h"
#include "engine/attach/JobWatch.h"
#include "engine/base/Error.h"
#include "engine/control/Cluster.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// A run of a watched machine. Here it is known as MACHINE:RUN.
struct MachineRun
{
    std::string machine{};
    std::string run{}; ///< Its id there.

    /// Nothing: it is a run of this machine.
    static std::optional<MachineRun> parse(std::string_view id);
    std::string id() const { return machine + ":" + run; }
};

/// How it stands with the way to a machine that is watched.
struct WatchedMachineState
{
    enum class Connection {
        Connecting,
        Connected,
        Lost, ///< It is tried again and again.
    };

    std::string name{};
    Connection connection = Connection::Connecting;
    Message why{}; ///< Lost: why. Connecting: what takes so long; code::None: nothing does.
    bool operator==(const WatchedMachineState&) const = default;
};

/// A job that another machine is to run by itself: its agent lives there, apart from who sits here.
struct MachineLaunch
{
    enum class Program {
        Here,  ///< It is brought there, as a host's is; paths are those of this machine.
        There, ///< Nothing is brought; paths are those of that machine.
    };

    std::string machine{};
    JobSpec spec{};
    std::filesystem::path folder{}; ///< From which it is launched, where the program is.
    Program program = Program::Here;
    std::vector<std::string> options{}; ///< Further words of `ringmaster run`.
};

enum class LaunchStep {
    Reaching, ///< The agent is packed, too, where it isn't yet.
    Bringing, ///< The program.
    Starting, ///< The agent. From now on the job may have been started.
};

/// Other machines whose runs a Cluster has, too: reached by the user's own ssh, by the names of the
/// host book or of ~/.ssh/config. Every method returns at once; callbacks come on a thread of its
/// own, never inside the call.
class MachineWatch
{
public:
    virtual ~MachineWatch() = default;

    /// Those that are watched from now on, and no others.
    virtual void watch(const std::vector<std::string>& machines) = 0;
    /// By name.
    virtual std::vector<WatchedMachineState> machines() const = 0;
    [[nodiscard]] virtual Subscription onMachinesChanged(std::function<void()> changed) = 0;

    /// Starts a job on a machine, watched or not. Tells of each step, and in one of how far it is
    /// (code::None: of nothing yet); answers with MACHINE:RUN. Once the subscription is cancelled,
    /// nothing comes, and what is under way is ended.
    [[nodiscard]] virtual Subscription launchThere(MachineLaunch launch,
                                                   std::function<void(LaunchStep, Message)> told,
                                                   Cluster::Answer<std::string> answer) = 0;

    // Jobs of a watched machine that something else started. An error, too: it isn't reached now.
    virtual void findJobs(const std::string& machine,
                          Cluster::Answer<std::vector<WatchedJob>> answer) = 0;
    virtual void lookAtJob(const std::string& machine, const NamedJob& job,
                           Cluster::Answer<JobFindings> answer) = 0;
    virtual void endJob(const std::string& machine, const NamedJob& job,
                        Cluster::Answer<void> answer) = 0;
};

} // namespace ringmaster
