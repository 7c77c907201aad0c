#pragma once

#include "engine/base/Result.h"
#include "engine/record/RunFolder.h"

#include <cstdint>
#include <filesystem>

namespace ringmaster {

struct TraceReport
{
    std::uint64_t operations = 0;
    /// What was folded: it is counted, and no longer there one by one.
    bool isBeginningFolded = false;
    std::uint64_t fileBytes = 0;
};

/// Writes a run for Perfetto (https://ui.perfetto.dev): the job's states, restarts and verdicts,
/// each rank's attempts, and every operation from the call to its return. Secrets are masked as in
/// an export. Replaces `file` in one step. May block; any thread.
Result<TraceReport> writeTrace(const RunFolder& folder, const std::filesystem::path& file);

} // namespace ringmaster
