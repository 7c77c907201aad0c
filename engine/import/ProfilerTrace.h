#pragma once

#include "engine/base/Result.h"
#include "engine/ledger/Operation.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// The operations of one rank in a trace of torch.profiler (Kineto's Chrome JSON).
struct ProfilerTrace
{
    std::filesystem::path file{};
    std::string host{};
    int rank = -1; ///< -1: not in it.
    int worldSize = 0;
    std::vector<LedgerGroup> groups{};
    std::vector<Operation> operations{}; ///< In the order of their calls.
    /// They say their groups and are numbered there, as NCCL's do.
    bool areNumbered = false;
    /// The numbers aren't torch's (2.11's kernels have none): they count from where the trace
    /// begins.
    bool areCounted = false;
};

/// Whether this, the beginning of a file, may be such a trace.
bool looksLikeProfilerTrace(std::string_view beginning);

/// Only what is wanted of it is kept in memory. Bounded, whatever the bytes are.
Result<ProfilerTrace> readProfilerTrace(const std::filesystem::path& file);
Result<ProfilerTrace> parseProfilerTrace(std::string_view content);

} // namespace ringmaster
