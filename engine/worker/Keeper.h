#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

struct WarmRequest;

/// What one worker is started with. It inherits nothing else but the resource limits and the
/// umask: every other descriptor is closed, the signal mask is empty, dispositions are the default.
struct WorkerLaunch
{
    int localRank = 0;
    std::vector<std::string> arguments{};   ///< The first is the program: a path, or a name that is
                                            ///< looked up in the worker's own PATH.
    std::vector<std::string> environment{}; ///< NAME=value, exactly these.
    std::string workingFolder{};            ///< Empty: the agent's.
    int standardInput = 0; ///< Borrowed until start() returns; -1: /dev/null. 0 is torchrun's way.
    FileDescriptor standardOutput{}; ///< Not open: /dev/null.
    FileDescriptor standardError{};  ///< Not open: /dev/null.
    bool ignoreHangup = false;       ///< The agent was started by nohup: see isHangupIgnored().
};

/// How a worker ended, as its parent saw it.
struct WorkerExit
{
    int code = 0;
    int signal = 0; ///< 0: it exited with `code`.
    bool coreDumped = false;
    Moment at{};
    std::int64_t userNs = 0;
    std::int64_t systemNs = 0;
    std::int64_t maxResidentBytes = 0;
    int descendantsLeft = 0; ///< Processes of its session that still ran; killAll() ends them.

    bool succeeded() const { return code == 0 && signal == 0; }
    bool operator==(const WorkerExit&) const = default;
};

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
        /// callback follows until the next start().
        virtual void keeperDied(const Error& error) = 0;
        /// How a warm start that was asked for went: a warm one, or why it is cold. Before the
        /// first workerStarted(), and only when a keeper was needed.
        virtual void startExplained(const Message& how) = 0;
        /// The agent's children that aren't this keeper's (ssh …): a sweep leaves them alone.
        virtual std::vector<pid_t> otherChildren() { return {}; }
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
    /// keeperDied(). An error means that nothing was started.
    /// With `warm` a keeper that is needed is asked of the warm starter; where that can't be,
    /// workers are started cold all the same.
    Result<void> start(std::vector<WorkerLaunch> workers, const WarmRequest* warm = nullptr);

    /// True if the workers still wait for a warm keeper: they will not be started.
    bool abandonStart();

    /// To the worker's process group, also after the worker itself has died; for a signal that
    /// ends processes SIGCONT follows, so that a stopped one hears it.
    void signal(int localRank, int number);

    /// To the worker alone, so that what works for it (data loaders …) is there while it saves. The
    /// rest of its session is told when the worker has ended; sessionEnded() follows.
    void stop(int localRank, int number);

    void signalAll(int number);

    /// SIGKILL to every descendant, in whatever session, until none is left; then allGone().
    void killAll();

    /// What killAll() couldn't end so far, and why: to be asked when it takes too long.
    std::vector<Message> survivors() const;

    pid_t pid() const; ///< Of the keeper, until what it left is swept; -1: none that is known.
    pid_t workerPid(int localRank) const; ///< -1: not started, or its end is known.
    int workerPidfd(int localRank) const; ///< Stays open until the group is gone; -1: not started.

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// ringmaster-keeper beside this executable, or in ../libexec/ringmaster.
std::filesystem::path keeperExecutable();

/// True if SIGHUP is ignored now: ask before anything watches signals.
bool isHangupIgnored();

} // namespace ringmaster
