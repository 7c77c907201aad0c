#include "engine/slurm/SlurmRunScript.h"

#include "engine/base/Paths.h"
#include "engine/export/SbatchScript.h"
#include "engine/job/SlurmSpec.h"
#include "engine/text/ShellWords.h"

#include <algorithm>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> requestOf(const JobSpec& spec, const SlurmSubmission& submission)
{
    std::vector<std::string> words = slurmRequest(spec);
    // A job that can go on with fewer nodes does; another one begins anew when it has all again.
    if (spec.nodes.min < spec.nodes.max)
        words.push_back("--no-kill");
    words.insert(words.end(),
                 {"--requeue", "--job-name=" + slurmJobName(spec.displayName(), submission.run),
                  "--chdir=" + submission.workingFolder, "--open-mode=append",
                  "--output=" + slurmLog(submission.runFolder).string()});
    return words;
}

/// The lead looks for this file many times a second: squeue is asked seldom.
constexpr const char* Arrival =
    R"({ echo "$SLURM_JOB_ID ${SLURM_RESTART_COUNT:-0} $SLURM_JOB_NODELIST"
  scontrol --oneliner show node "$SLURM_JOB_NODELIST"
} >"$arrival.new" && mv "$arrival.new" "$arrival" &
)";

constexpr const char* Step =
    "exec srun --kill-on-bad-exit=0 --no-kill --nodes=\"$SLURM_JOB_NUM_NODES\" \\\n"
    "    --ntasks=\"$SLURM_JOB_NUM_NODES\" --ntasks-per-node=1 "
    "${SLURM_CPUS_PER_TASK:+--cpus-per-task=\"$SLURM_CPUS_PER_TASK\"} \\\n    /bin/sh -c ";

} // namespace

std::string slurmJobName(const std::string& displayName, const std::string& run)
{
    std::string name = displayName.substr(0, 40) + "@" + run;
    // squeue takes a comma for the end of a name.
    std::ranges::replace_if(
        name,
        [](unsigned char c) {
            return std::isalnum(c) == 0 &&
                   std::string_view("._-@").find(static_cast<char>(c)) == std::string_view::npos;
        },
        '-');
    return name;
}

std::string slurmRunScript(const JobSpec& spec, const SlurmSubmission& submission)
{
    std::string text = "#!/bin/sh\n";
    for (const std::string& word : requestOf(spec, submission))
        text += "#SBATCH " + shellQuoted(word) + "\n";
    text += "\n# Tells the run where it is, sooner than squeue would.\narrival=" +
            shellQuoted(slurmArrivalFile(submission.runFolder).string()) + "\n" + Arrival;
    // The shell stays as long as the agent, whose processes Slurm finds through it.
    const std::string agent = "trap : TERM; while " + shellQuoted(submission.executable) +
                              " agent wait " + shellQuoted(submission.run) +
                              "; [ $? -gt 128 ]; do :; done";
    return text +
           "\n# One agent a node. Its lead replaces one that was killed: another one waits "
           "there.\n" +
           Step + shellQuoted(agent) + "\n";
}

/// The words are in the script, too, but there they would yield to SBATCH_… variables.
std::vector<std::string> sbatchCommand(const JobSpec& spec, const SlurmSubmission& submission)
{
    std::vector<std::string> words{"/usr/bin/env", "sbatch", "--parsable"};
    for (std::string& word : requestOf(spec, submission))
        words.push_back(std::move(word));
    return words;
}

fs::path slurmLog(const fs::path& runFolder)
{
    return runFolder / "slurm.log";
}

fs::path slurmArrivalFile(const fs::path& runFolder)
{
    return runFolder / "slurm.nodes";
}

Result<std::string> slurmPreview(const JobSpec& spec, const std::string& executable,
                                 const std::string& workingFolder)
{
    if (const auto errors = errorsOf(spec.slurm); !errors.empty())
        return tl::unexpected(Error{errors.front().message});
    return slurmRunScript(spec, {.executable = executable,
                                 .run = "RUN",
                                 .runFolder = runsFolder() / "RUN",
                                 .workingFolder = workingFolder});
}

} // namespace ringmaster
