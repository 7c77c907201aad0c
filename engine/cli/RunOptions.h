#pragma once

#include "engine/base/Result.h"
#include "engine/job/ArgumentParser.h"
#include "engine/job/JobSpec.h"
#include "engine/node/DrillPlan.h"
#include "engine/text/Finding.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringmaster {

/// What `ringmaster run` was asked to do.
struct RunOptions
{
    JobSpec spec{};
    std::map<std::string, Place> places{}; ///< Of a job file's fields.
    std::string jobFile{};                 ///< As it was named; empty: a command line.
    bool isHelp = false;
    std::string completion{}; ///< The shell whose completion is to be printed; empty: none.
    bool isDetached = false;
    bool isQuiet = false;
    bool isPinned = false;
    bool isPreview = false;   ///< Show what would be submitted to Slurm.
    std::string lesson{};     ///< "held" or "free": traced line by line; empty: no lesson.
    std::string lessonPack{}; ///< Path of its `.ringlesson`; may be empty.
    std::optional<DrillPlan> drill{};
    std::string machine{};        ///< Of --on; empty: this one.
    bool isFromDashboard = false; ///< The job, on standard input.
    bool isChannel = false;       ///< The control service is offered on standard input and output.
};

/// Everything that is wrong with the words, as lines to show.
using RunOptionsResult = tl::expected<RunOptions, std::vector<std::string>>;

/// The words behind `ringmaster run`: torchrun's line, or options of Ringmaster and one .ringjob
/// file. Reads that file; `standardInput` is read for --job-from-stdin.
RunOptionsResult parseRunOptions(std::vector<std::string> words, const EnvironmentMap& environment,
                                 int standardInput);

/// The rows of `ringmaster run` that aren't part of a job.
std::span<const OptionRow> runOptionRows();

} // namespace ringmaster
