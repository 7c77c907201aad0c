#pragma once

#include "engine/agent/WorkerProcesses.h"
#include "engine/worker/Keeper.h"
#include "engine/worker/OutputHub.h"

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace ringmaster {

/// Worker processes as they really are: children of the keeper whose output the hub catches.
class KeeperWorkerProcesses final : public WorkerProcesses, Keeper::Host
{
public:
    /// `output` outlives this.
    KeeperWorkerProcesses(EventLoop& loop, Keeper::Options keeper, OutputHub& output,
                          WorkerProcesses::Host& host, OutOfMemoryWatch::Files memory = {});
    ~KeeperWorkerProcesses() override;

    void open(AttemptOutputRequest request) override;
    Result<void> start(std::vector<WorkerLaunch> launches,
                       std::optional<WarmRequest> warm) override;
    bool abandonStart() override { return m_keeper.abandonStart(); }
    void signal(int localRank, int number) override;
    void stop(int localRank, int number) override;
    void close() override;
    std::vector<Message> survivors() const override { return m_keeper.survivors(); }
    bool mayHaveSurvivors() const override { return m_keeper.isSweepGivenUp(); }
    bool areGone() const override { return m_areGone; }
    void finish(std::function<void()> done) override;

private:
    void startExplained(const Message& how) override { m_host.startExplained(how); }
    void workerStarted(int localRank, pid_t pid, Moment at) override;
    void workerNotStarted(int localRank, const Error& error) override;
    void workerExited(int localRank, const WorkerExit& exit) override;
    void sessionEnded(int localRank) override { m_host.sessionEnded(localRank); }
    void allGone() override;
    void keeperDied(const Error& error) override;

    void collect(int localRank, OutOfMemoryWatch::Finding outOfMemory);
    void closeOutput();
    void tellIfClosed();

    OutputHub& m_output;
    WorkerProcesses::Host& m_host;
    OutOfMemoryWatch m_memory;
    Keeper m_keeper;
    std::shared_ptr<bool> m_alive; ///< What the hub calls later asks whether this still exists.
    Result<AttemptOutput> m_attempt{AttemptOutput{}};
    std::map<int, pid_t> m_pids;
    std::set<int> m_killed; ///< Local ranks that were sent SIGKILL for the user.
    bool m_isOpen = false;
    bool m_isClosing = false;
    bool m_areGone = false; ///< All processes of the attempt.
    bool m_isOutputClosed = false;
    int m_unread = 0; ///< Workers whose last output is being read.
};

} // namespace ringmaster
