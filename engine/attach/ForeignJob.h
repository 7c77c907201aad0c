#pragma once

#include "engine/attach/ForeignProcess.h"
#include "engine/base/Error.h"
#include "engine/event/Fields.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// One rank of a job that Ringmaster didn't start.
struct ForeignRank
{
    int rank = 0;
    ProcessIdentity process{};
    std::string command{};  ///< Without secrets.
    std::string output{};   ///< The file that its standard output goes to; empty: none.
    bool isLoading = false; ///< It hasn't loaded torch yet.
    bool operator==(const ForeignRank&) const = default;
};

/// A job that Ringmaster didn't start, as far as this machine's processes show it.
struct ForeignJob
{
    enum class Launcher { Unknown, Torchrun, Accelerate, DeepSpeed, Slurm, Mpi, Ray };

    Launcher launcher = Launcher::Unknown;
    std::string name{};        ///< The script, or the module.
    std::string user{};        ///< Whose it is.
    std::string store{};       ///< Where its ranks meet: "127.0.0.1:29500"; empty: not known.
    int worldSize = 0;         ///< 0: not known.
    int restarts = 0;          ///< As torchelastic counts them.
    bool areRanksKnown = true; ///< False: they are numbered in the order of their starts.
    /// What started the ranks here; pid 0: nothing that could be told.
    ProcessIdentity started{.pid = 0};
    std::int64_t startedNs = 0; ///< The first of its ranks; wall clock.
    std::vector<ForeignRank> ranks{};

    /// The rank, the launcher, or what started it is this process.
    bool has(pid_t pid) const;
    /// What tells it from other jobs, as long as it runs.
    ProcessIdentity identity() const;
    bool operator==(const ForeignJob&) const = default;
};

/// A job that somebody has been told of: which one it is, and what it is called in a sentence.
struct NamedJob
{
    ProcessIdentity identity{};
    std::string name{};
};

/// "torchrun", "srun"; what people call it.
std::string_view nameOf(ForeignJob::Launcher launcher);

/// What isn't known of it, in sentences.
std::vector<Message> remarksOn(const ForeignJob& job);

} // namespace ringmaster
