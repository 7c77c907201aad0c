#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ringmaster {

// A run on nodes that Slurm gives submits a script that starts one waiting agent a node. Pure:
// somebody else runs sbatch.

struct SlurmSubmission
{
    std::string executable{}; ///< Of Ringmaster: at the same path there as here.
    std::string run{};
    std::filesystem::path runFolder{};
    std::string workingFolder{};
};

/// The job's name there: readable, and no other job has it.
std::string slurmJobName(const std::string& displayName, const std::string& run);

/// The script, whole.
std::string slurmRunScript(const JobSpec& spec, const SlurmSubmission& submission);

/// The words that submit it; it is given on standard input.
std::vector<std::string> sbatchCommand(const JobSpec& spec, const SlurmSubmission& submission);

/// What the script and all in it print.
std::filesystem::path slurmLog(const std::filesystem::path& runFolder);
/// Appears when the script begins, whole: the job's number, restarts and nodes, and what
/// `scontrol show node` says of each.
std::filesystem::path slurmArrivalFile(const std::filesystem::path& runFolder);

/// The script that a run would submit, with RUN where the run's id will be. Refuses what sbatch
/// would take for something else than one option.
Result<std::string> slurmPreview(const JobSpec& spec, const std::string& executable,
                                 const std::string& workingFolder);

} // namespace ringmaster
