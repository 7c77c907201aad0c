#pragma once

#include "engine/base/Result.h"
#include "engine/record/RunFolder.h"
#include "engine/record/RunSummary.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ringmaster {

/// The runs of this machine: the folders below one folder. Keeps nothing, so that any number of
/// Ringmasters may look at the same time. Reads and writes files: not for the GUI thread.
class RunCatalog
{
public:
    struct Retention
    {
        size_t runs = 50;
        std::uint64_t bytes = 10ULL << 30U;
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

    /// Refused for a running one.
    Result<void> remove(std::string_view id) const;

    /// Removes the oldest that are neither running nor pinned until the rest is within bounds;
    /// yields the ids of those removed. `before` is told of each that is about to go.
    std::vector<std::string>
    prune(const Retention& retention,
          const std::function<void(const RunSummary& run)>& before = {}) const;

    /// Copies a run file that came from elsewhere and makes it a finished run; yields its id. The
    /// same file again is the same run.
    Result<std::string> import(const std::filesystem::path& file) const;

    /// A run that something else recorded: `fill` writes its run file, and what that names, into a
    /// folder. One that is there already stays as it is. Yields the id.
    Result<std::string>
    add(const std::string& id, const std::filesystem::path& source,
        const std::function<Result<void>(const std::filesystem::path& folder)>& fill) const;

private:
    Result<std::filesystem::path> hide(const RunFolder& folder) const;
    Result<void> recordTheEnd(const RunFolder& folder, const RunSummary& summary) const;
    std::vector<RunFolder> folders() const;

    std::filesystem::path m_runs;
};

} // namespace ringmaster
