#pragma once

#include "engine/base/LoopThread.h"
#include "engine/event/Snapshot.h"
#include "engine/record/RunCatalog.h"
#include "engine/record/RunFolder.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace ringmaster {

/// What an agent does with files beside its run file, on a thread of its own ("rm-files"): the
/// summary that lists show, what warm starters are to learn, the house-keeping among old runs.
class RunHousekeeper
{
public:
    /// `learntModules` is the file that a warm starter reads; empty: nothing is learnt.
    RunHousekeeper(RunFolder folder, std::filesystem::path learntModules);

    /// Where a worker says what it has imported; empty: nobody wants to know.
    std::filesystem::path moduleReport() const;
    /// What it has said by now.
    void learn();

    /// The newest of what comes quickly is written; nothing waits.
    void summarise(const RunSnapshot& snapshot);

    /// Closes what is lost, ends what it left, removes what is too old, and cgroups that are left.
    void keepHouse(const RunCatalog& catalog, const RunCatalog::Retention& retention);

    /// The last summary, what is left to learn, and the house-keeping if the run was too short for
    /// it; waits for the disk.
    void finish(const RunSnapshot& snapshot, const Unrecorded& unrecorded,
                const RunCatalog& catalog, const RunCatalog::Retention& retention);

private:
    void writeLatest();
    void learnNow();

    RunFolder m_folder;
    std::filesystem::path m_learntModules;
    std::mutex m_mutex;
    std::optional<RunSnapshot> m_latest;
    std::atomic<bool> m_hasKeptHouse{false};
    LoopThread m_thread{"rm-files"};
};

} // namespace ringmaster
