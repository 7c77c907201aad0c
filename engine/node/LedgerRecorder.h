#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/LoopThread.h"
#include "engine/event/Event.h"
#include "engine/ledger/LedgerReader.h"
#include "engine/ledger/PollPace.h"
#include "engine/node/AttemptTimes.h"
#include "engine/node/LiveDiagnosis.h"
#include "engine/node/RankRecording.h"
#include "engine/node/RankStanding.h"
#include "engine/node/SweepReports.h"
#include "engine/node/TorchObjectBuild.h"
#include "engine/record/RunFileWriter.h"
#include "engine/worker/hook/StartHook.h"

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>

namespace ringmaster {

/// Makes a ledger for each worker of an attempt and reads them, on a thread of its own
/// ("rm-ledger"): operations go into the run file, what a person should know is told. Destroyed, it
/// has read and written what was left.
class LedgerRecorder
{
public:
    /// Called on the reading thread.
    using Tell = std::function<void(const EventBody&)>;

    struct Setting
    {
        std::string run{};
        JobSpec spec{};
        bool isLed = false;                 ///< By a lead, which judges what the ranks do.
        std::filesystem::path reportFile{}; ///< Made; what the workers' hooks report goes there.
        Tell tell{};
        /// On the reading thread, once an attempt: all ranks have been through a first collective.
        std::function<void(const FirstCollectiveTimes&)> firstCollectiveDone{};
    };

    /// `rankActivities` gets what the ranks are in, while it is asked for.
    LedgerRecorder(Setting setting, RunFileWriter& writer, RankActivityCache& rankActivities);
    ~LedgerRecorder();
    LedgerRecorder(const LedgerRecorder&) = delete;
    LedgerRecorder& operator=(const LedgerRecorder&) = delete;

    // All from the agent's thread.

    /// Before the attempt's workers start.
    void attemptStarted(const AttemptStarted& attempt);
    /// What a worker of the attempt needs for the hook's part `stacks`; empty: leave that out.
    std::string stacksOf(int localRank) const;
    /// What a worker of the attempt needs to find its ledger; empty: it has none.
    std::string ledgerOf(int localRank) const;
    /// It has started, or ended; what it ended of comes with workerExited(), a moment later.
    void workerStateChanged(const WorkerStateChanged& worker);
    /// The workers are about to be ended: what they are in now is told, and stays. Waits for that,
    /// a moment.
    void stopping();
    /// What each rank of the attempt is in; `answer` is called on the reading thread.
    void describeRanks(std::function<void(std::vector<RankStanding>)> answer);
    /// After a failure the others are ended, too.
    void workerExited(const WorkerExited& exit);

    /// Waits until all that has been told here is read, and what it says is told; not for a disk
    /// that doesn't answer.
    void settle();

    const std::filesystem::path& reportFile() const { return m_setting.reportFile; }

private:
    void begin(int attempt, int worldSize, std::shared_ptr<Recordings> recordings,
               std::shared_ptr<diagnose::OperationAggregator> folder);
    void readAll();
    void schedule(std::chrono::milliseconds delay);
    void drainBell();
    void readReports();
    void tellImporting(const HookReport& report);
    void tellOwnRanks(const HookReport& report);
    void tellNotCompiled(const HookReport& report);
    void tellThreadLeft(const HookReport& report);
    void keepThreadFailed(const HookReport& report);
    void tellFirstCollective();
    void freezePlaces();
    void tellPlaces();
    void tellPlace(const RankRecording& recording);
    std::vector<RankStanding> standings();
    RankRecording* find(int globalRank);

    const Setting m_setting;
    RunFileWriter& m_writer;
    Pipe m_bell;
    std::map<int, std::string> m_ledgers; ///< By local rank; the agent's thread.
    std::map<int, std::string> m_stackSockets;

    // The reading thread's.
    std::shared_ptr<diagnose::OperationAggregator> m_folder; ///< Of the attempt that runs.
    Recordings m_recordings;
    std::set<int> m_placesTold; ///< Ranks of the attempt.
    std::set<int> m_ownRanksTold;
    HookReportReader m_reports;
    FirstCollectives m_firsts;
    PollPace m_pace;
    std::unique_ptr<LiveDiagnosis> m_diagnosis;
    SweepReports m_sweep;
    EventLoop::Registration m_bellWatch;
    EventLoop::Registration m_timer;
    /// Ranks are looked at and signalled now: what is seen of them is no longer their own doing.
    std::atomic<bool> m_isStopping = false;

    std::promise<void> m_isOver;
    LoopThread m_thread{"rm-ledger"};
    std::unique_ptr<TorchObjectBuild> m_objects;    ///< On the reading thread.
    std::unique_ptr<diagnose::NcclRasReader> m_ras; ///< On the reading thread.
    std::unique_ptr<StackReader> m_stacks; ///< On the reading thread, but for its socketOf().
};

} // namespace ringmaster
