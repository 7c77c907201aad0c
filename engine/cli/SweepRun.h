#pragma once

#include "engine/job/Sweep.h"

namespace ringmaster {

/// What a sweep leaves beside its run.
struct SweepOutput
{
    std::string csv{};   ///< A file; empty: none.
    bool isJson = false; ///< On standard output at the end, instead of the table while it runs.
};

/// Checks it, runs it in the foreground; the exit code.
int runSweep(const SweepRequest& request, const SweepOutput& output);

} // namespace ringmaster
