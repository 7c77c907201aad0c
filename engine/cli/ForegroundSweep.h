#pragma once

#include "engine/base/Result.h"
#include "engine/job/Sweep.h"

namespace ringmaster {

/// What a sweep leaves beside its run.
struct SweepOutput
{
    enum class Form { Table, JsonText, Nothing };

    std::string csv{}; ///< A file; empty: none.
    /// On standard output: the table while it runs, or at the end.
    Form form = Form::Table;
};

/// Checks it, runs it in the foreground; the exit code.
int runSweep(const SweepRequest& request, const SweepOutput& output);

/// The names of the hosts that `--hosts` means, groups resolved.
Result<std::vector<std::string>> sweepHosts(const std::vector<std::string>& words);

} // namespace ringmaster
