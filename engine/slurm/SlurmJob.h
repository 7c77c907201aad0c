#pragma once

#include "engine/base/Result.h"
#include "engine/hosts/Ssh.h"
#include "engine/job/JobSpec.h"

#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

// What is said to Slurm and what it answers. Pure: somebody else runs the commands. A run's job is
// known by its name, which has the run in it; a number is given out again after a crash of the
// controller.

/// Our job, as squeue or sacct tells it.
struct SlurmJob
{
    enum class Phase {
        Pending,
        Running,
        Completing, ///< How it ends is decided, but something may still run.
        Ended,
    };

    std::string number{};
    std::string state{};  ///< Slurm's word: TIMEOUT
    std::string reason{}; ///< Why it waits, in Slurm's word: Resources
    std::string nodes{};  ///< As Slurm writes them: n[1-3]
    std::string limit{};  ///< Of its time: 01:30:00
    int start = 0;        ///< Grows by one with each requeue.

    Phase phase() const;
    bool operator==(const SlurmJob&) const = default;
};

std::vector<std::string> squeueCommand(const std::string& name);
std::vector<std::string> sacctCommand(const std::string& name);
std::vector<std::string> scancelCommand(const std::string& name);
std::vector<std::string> nodesCommand(const std::string& nodes);
/// A step beside the agent of a node: the way to it.
std::vector<std::string> stepCommand(const SlurmJob& job, const std::string& node,
                                     const std::vector<std::string>& words);

/// The newest in the output of one of the two; one that hasn't ended goes before one that has.
std::optional<SlurmJob> slurmJobIn(const std::string& output);
/// Of `scontrol --oneliner show node`: names and the addresses that Slurm itself uses.
std::vector<Host> slurmNodesIn(const std::string& output);

/// Of the file that a run's script writes when it begins (`slurmArrivalFile()`): what runs, and
/// where.
struct SlurmArrival
{
    SlurmJob job{};
    std::vector<Host> hosts{};
};
std::optional<SlurmArrival> slurmArrivalIn(const std::string& text);

/// Why it hasn't started.
Message whyItWaits(const SlurmJob& job);
/// Why it has ended before its run. `log`: the end of what its script printed.
Message whyItEnded(const SlurmJob& job, const std::string& log);
/// Slurm took the nodes away for reasons of its own: worth another try.
bool endedBySlurm(const SlurmJob& job);
/// Slurm wasn't asked anything, since it couldn't be reached.
bool isUnreachable(const std::string& standardError);
/// What a command of Slurm's that failed means.
Error slurmFailure(const std::vector<std::string>& command, int exitCode,
                   const std::string& standardError);
/// Why a step that reaches an agent has ended.
Error stepFailure(const Host& host, int exitCode, const std::string& standardError);

} // namespace ringmaster
