#pragma once

#include "engine/worker/KeeperProtocol.h"
#include "engine/worker/keeper/PodmanRemoval.h"
#include "engine/worker/keeper/SessionStop.h"
#include "engine/worker/keeper/WorkerChild.h"

#include <functional>
#include <map>

namespace ringmaster::keeper {

/// The keeper: parent of the workers and reaper of whatever descends from them. One thread, one
/// poll(). Ends when the agent's socket does, and never before the last descendant.
class KeeperProcess
{
public:
    using StartChild = std::function<StartingChild(
        const Launch&, const std::vector<FileDescriptor>& streams, const ControlGroup& group)>;
    enum class Ending { AgentGone, InWorker };

    /// `introduction` travels with the first frame: pidfds of this process and its guard.
    /// `containers` is memory that is shared with the guard.
    KeeperProcess(FileDescriptor socket, ControlGroup group, StartChild startChild,
                  std::vector<FileDescriptor> introduction, FileDescriptor containers = {});

    /// Returns when the agent is gone and no descendant is left. InWorker: this is a child that
    /// StartChild forked and that runs its program without exec (a warm one).
    Ending run();

private:
    struct Worker
    {
        std::int32_t localRank = 0;
        FileDescriptor pidfd{};
        FileDescriptor outcome{}; ///< Open until it's known whether its program runs.
        std::string program{};
        std::string workingFolder{};
        bool isRunning = false;
        bool wasTold = false; ///< To end, by the agent.
    };

    struct EndedWorker
    {
        pid_t pid = 0;
        Worker worker{};
        WorkerExit exit{};
    };

    void waitForSomething();
    void handle(ReceivedFrame& received);
    void endAll();
    void launch(const Launch& launch, const std::vector<FileDescriptor>& streams);
    void signal(const Signal& request);
    void signalGroup(pid_t leader, int number);
    void takeFrames();
    void stopWorkers();
    void settleLaunches();
    void settleLaunch(pid_t pid, Worker& worker);
    bool reap(); ///< False: there is no child any more.
    bool hasOrphans() const;
    void workerEnded(pid_t pid, Worker& worker, WorkerExit exit);
    void send(const Frame& frame, const std::vector<int>& descriptors = {});

    FileDescriptor m_socket;
    StartChild m_startChild;
    std::vector<FileDescriptor> m_introduction;
    FileDescriptor m_childSignals;
    FrameReader m_reader;
    std::map<pid_t, Worker> m_workers;       ///< Not reaped yet.
    std::map<std::int32_t, pid_t> m_leaders; ///< By local rank, the dead too: their groups.
    std::vector<Stop> m_toStop;              ///< What the agent has asked for by now.
    SessionStop m_stops;
    PodmanRemoval m_containers;
    ControlGroup m_group; ///< Of the attempt; not usable where none may be made.
    bool m_agentIsGone = false;
    bool m_isWorker = false;
    bool m_hasDaemon = false; ///< A worker runs as the child of an engine's daemon.
};

} // namespace ringmaster::keeper
