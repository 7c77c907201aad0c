#pragma once

#include "engine/base/Result.h"
#include "engine/record/RunFolder.h"
#include "engine/record/RunSummary.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace ringmaster {

/// The runs of this machine: the folders below one folder. Keeps nothing, so that any number of
/// Ringmasters may look at the same time. Reads and writes files: not for the GUI thread.
class RunCatalog
{
public:
    /// For the agent of a run that has just ended: it is about to let it go.
    static constexpr std::chrono::milliseconds LockPatience{10'000};

    struct Retention
    {
        size_t runs = 50;
        std::uint64_t bytes = 10ULL << 30U;
        /// How long a run is waited for that somebody still writes.
        std::chrono::milliseconds patience = LockPatience;
    };

    explicit RunCatalog(std::filesystem::path runs);

    /// Newest first. A run whose agent is gone without having said how it ended is closed as Lost.
    std::vector<RunSummary> list() const;

    /// One of them, in the same way.
    RunSummary look(const RunFolder& folder) const;

    Result<RunFolder> find(std::string_view id) const;

    /// Appends the Lost event under the folder's lock. True: closed now; false: it is running, is
    /// another machine's, has ended, or somebody else closes it.
    Result<bool> closeIfLost(const RunFolder& folder) const;

    /// Refused for a running one: hide() and discard().
    Result<void> remove(std::string_view id) const;

    /// The run is gone for everybody, in one step; yields what is left of it, for discard(). Where
    /// nobody does that, whoever prunes does, some time later. `stop` ends the wait for who still
    /// writes it.
    Result<std::filesystem::path> hide(std::string_view id, const std::stop_token& stop = {}) const;
    /// Takes as long as there are files, or until `stop`.
    static void discard(const std::filesystem::path& hidden, const std::stop_token& stop = {});

    /// Removes the oldest that are neither running nor pinned until the rest is within bounds, or
    /// until `stop`; yields the ids of those removed. `before` is told of each that is about to go.
    std::vector<std::string> prune(const Retention& retention,
                                   const std::function<void(const RunSummary& run)>& before = {},
                                   const std::stop_token& stop = {}) const;

    /// Copies a run file that came from elsewhere and makes it a finished run; yields its id. The
    /// same file again is the same run.
    Result<std::string> import(const std::filesystem::path& file) const;

    /// A run that something else recorded: `fill` writes its run file, and what that names, into a
    /// folder. One that is there already stays as it is. Yields the id.
    Result<std::string>
    add(const std::string& id, const std::filesystem::path& source,
        const std::function<Result<void>(const std::filesystem::path& folder)>& fill) const;

private:
    Result<std::filesystem::path> hideWithin(std::chrono::milliseconds patience,
                                             std::string_view id,
                                             const std::stop_token& stop) const;
    Result<void> recordTheEnd(const RunFolder& folder, const RunSummary& summary) const;
    std::vector<RunFolder> folders() const;

    std::filesystem::path m_runs;
};

} // namespace ringmaster
