#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/base/Result.h"
#include "engine/worker/KeeperConnection.h"
#include "engine/worker/KeeperSweep.h"
#include "engine/worker/WorkerExit.h"
#include "engine/worker/WorkerLaunch.h"
#include "engine/worker/warm/WarmStart.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// The agent's side of the keeper: starts the keeper process with the first worker group, starts
/// the groups through it and says what becomes of them. Lives on the loop's thread and never blocks
/// it. The destructor closes the keeper's socket, upon which it kills whatever descends from it.
class Keeper
{
public:
    /// Called on the loop, never from within a command.
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void workerStarted(int localRank, pid_t pid, Moment at) = 0;
        /// Instead of workerStarted(): program not found, working folder missing …
        virtual void workerNotStarted(int localRank, const Error& error) = 0;
        /// Once for every workerStarted(), unless the keeper dies first.
        virtual void workerExited(int localRank, const WorkerExit& exit) = 0;
        /// After stop() and workerExited(): nothing of the worker's session is left.
        virtual void sessionEnded(int /*localRank*/) {}
        /// killAll() is done: no process that descends from the keeper is left.
        virtual void allGone() = 0;
        /// The keeper was killed or couldn't be started. Everything it left has been swept already
        /// (the agent must be a subreaper) but the survivors(), which nobody can kill; no other
        /// callback follows until the next start(). Not told between two groups, unless something
        /// survives: the next one gets another keeper.
        virtual void keeperDied(const Error& error) = 0;
        /// How a warm start that was asked for went: a warm one, or why it is cold. Before the
        /// first workerStarted(), and only when a keeper was needed.
        virtual void startExplained(const Message& how) = 0;
    };

    struct Options
    {
        std::filesystem::path executable{};     ///< Empty: keeperExecutable().
        std::string title{};                    ///< Shown by ps: the run's name or id.
        std::vector<std::string> environment{}; ///< The keeper's own: the run's token.
    };

    Keeper(EventLoop& loop, Host& host, Options options);
    ~Keeper();
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    /// Starts a worker group, in this order. The previous one must be gone: allGone() or
    /// keeperDied(). An error means that nothing was started. Where the last keeper has died since,
    /// the group waits until what that left is swept.
    /// With `warm` a keeper that is needed is asked of the warm starter; where that can't be,
    /// workers are started cold all the same.
    Result<void> start(std::vector<WorkerLaunch> workers, const WarmRequest* warm = nullptr);

    /// True if the workers still wait for a keeper: they will not be started.
    bool abandonStart();

    /// To the worker's process group, also after the worker itself has died; for a signal that
    /// ends processes SIGCONT follows, so that a stopped one hears it.
    void signal(int localRank, int number) { send(keeper::Signal{localRank, number}); }

    /// To the worker alone, so that what works for it (data loaders …) is there while it saves. The
    /// rest of its session is told when the worker has ended; sessionEnded() follows. With SIGKILL
    /// the rest hears the number of the stop before.
    void stop(int localRank, int number) { send(keeper::Stop{localRank, number}); }

    void signalAll(int number) { send(keeper::Signal{keeper::Signal::AllWorkers, number}); }

    /// SIGKILL to every descendant, in whatever session, until none is left; then allGone().
    void killAll();

    /// What killAll() couldn't end so far, and why: to be asked when it takes too long.
    std::vector<Message> survivors() const;

    /// After keeperDied(): what the keeper left may still be there, also where survivors() knows of
    /// none.
    bool isSweepGivenUp() const { return m_isSweepGivenUp; }

    /// Of the keeper, until what it left is swept; -1: none that is known.
    pid_t pid() const { return m_process.pid; }

private:
    struct Worker
    {
        WorkerLaunch start{}; ///< Its descriptors are moved away.
        pid_t pid = -1;
        FileDescriptor pidfd{};
    };

    struct Waiting
    {
        WorkerLaunch worker{};
        std::vector<FileDescriptor> streams{};
    };

    Result<void> startWaiting(const WarmRequest* warm);
    Result<void> startProcess();
    void listen();
    void watchDeath(const FileDescriptor& pidfd);
    void launchWaiting();
    void warmAnswered(Result<WarmStart::Answer> answer);
    void startCold(const Error& why);
    void tellNotStarted(const Error& error);
    void send(const keeper::Frame& frame);
    void received(keeper::ReceivedFrame frame);
    void handle(const keeper::Hello& frame, std::vector<FileDescriptor> descriptors);
    void handle(const keeper::Started& frame, std::vector<FileDescriptor> descriptors);
    void handle(const keeper::NotStarted& frame, std::vector<FileDescriptor>);
    void handle(const keeper::Exited& frame, std::vector<FileDescriptor>);
    void handle(const keeper::SessionEnded& frame, std::vector<FileDescriptor>);
    void handle(const keeper::AllGone& frame, std::vector<FileDescriptor>);
    void handle(const auto&, std::vector<FileDescriptor>) {} // An agent's own frames.
    void lost();
    void mourn();
    void forgetSurvivors();

    EventLoop& m_loop;
    Host& m_host;
    Options m_options;
    std::map<int, Worker> m_workers;
    KeeperEndpoint m_process;
    std::unique_ptr<KeeperChannel> m_channel;
    std::unique_ptr<WarmStart> m_warmStart;     ///< While it is asked.
    std::optional<WarmStart::Answer> m_warm;    ///< Of a warm keeper.
    std::vector<Waiting> m_waiting;             ///< For the keeper.
    std::optional<WarmRequest> m_nextWarm;      ///< Of those that wait for the sweep.
    bool m_isNeeded = false;                    ///< A group was started, or is being killed.
    std::string m_end;                          ///< How the keeper died.
    std::optional<WorkerContainer> m_container; ///< One of the keeper's workers', if they have any.
    bool m_isSweepGivenUp = false;
    std::vector<Message> m_survivors; ///< Of a sweep that was given up.
    std::uint32_t m_lastRequest = 0;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    EventLoop::Registration m_death;
    KeeperSweep m_sweep; ///< Once the keeper is gone.
};

} // namespace ringmaster
