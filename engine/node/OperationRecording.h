#pragma once

#include "engine/base/LoopInbox.h"
#include "engine/node/LedgerRecorder.h"
#include "engine/node/LedgerSocket.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

/// What the workers' process groups do is recorded: a ledger for each worker, the way to it, and
/// what the agent's events mean for those who read it. Lives on the agent's thread, where it tells,
/// too.
class OperationRecording
{
public:
    struct Setting
    {
        std::string run{};
        std::filesystem::path folder{}; ///< The run's.
        JobSpec spec{};
        bool isLed = false; ///< By a lead, which judges what the ranks do.
        std::function<void(const EventBody&)> tell{};
        /// Once an attempt: all ranks have been through a first collective.
        std::function<void(const FirstCollectiveTimes&)> firstCollectiveDone{};
    };

    /// `inbox` is the loop's: what is read meanwhile comes by it.
    OperationRecording(EventLoop& loop, LoopInbox& inbox, Setting setting, RunFileWriter& writer,
                       RankActivityCache& rankActivities);

    /// Of this agent's events, before each is recorded.
    void happened(const EventBody& body);
    /// Waits until all that has happened is read; what it says is told.
    void settle();

    /// What the hook of a worker of the attempt needs to record and to be asked for its stack.
    std::vector<HookPart> hookParts(int localRank) const;

    LedgerRecorder& ledgers() { return m_ledgers; }
    const std::filesystem::path& reportFile() const { return m_ledgers.reportFile(); }

private:
    LoopInbox& m_inbox;
    const std::filesystem::path m_folder;
    const bool m_isInContainers;
    LedgerRecorder m_ledgers;
    std::unique_ptr<LedgerSocket> m_socket; ///< Null: no worker is in a container.
};

} // namespace ringmaster
