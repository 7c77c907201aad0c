#pragma once

#include "engine/control/LoopThread.h"
#include "engine/event/Snapshot.h"
#include "engine/record/RunCatalog.h"
#include "engine/record/RunFolder.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace ringmaster {

/// What an agent does with files beside its run file, on a thread of its own ("rm-files"): the
/// summary that lists show, and the house-keeping among old runs.
class RunKeeper
{
public:
    explicit RunKeeper(RunFolder folder) : m_folder(std::move(folder)) {}

    /// The newest of what comes quickly is written; nothing waits.
    void summarise(const RunSnapshot& snapshot);

    /// Closes what is lost, ends what it left, removes what is too old.
    void keepHouse(const RunCatalog& catalog, const RunCatalog::Retention& retention);

    /// The last summary; waits for the disk.
    void finish(const RunSnapshot& snapshot);

private:
    void writeLatest();

    RunFolder m_folder;
    std::mutex m_mutex;
    std::optional<RunSnapshot> m_latest;
    LoopThread m_thread{"rm-files"};
};

} // namespace ringmaster
