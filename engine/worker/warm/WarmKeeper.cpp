// The keeper in a process that was forked from the warm starter: the same state machine, loaded
// into the interpreter. Its workers are forked without exec and return to Python.

#include "engine/worker/keeper/Guard.h"
#include "engine/worker/keeper/KeeperProcess.h"
#include "engine/worker/keeper/WorkerChild.h"
#include "engine/worker/warm/ProcessImage.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr int OutcomeDescriptor = 3;
constexpr std::size_t NameBytes = 16; ///< prctl(2), PR_SET_NAME

using ForkStep = void (*)();
using Name = std::array<char, NameBytes>;

/// Python's own steps around fork(): PyOS_BeforeFork and the two after it.
struct Forking
{
    ForkStep before = nullptr;
    ForkStep afterInParent = nullptr;
    ForkStep afterInChild = nullptr;

    pid_t fork() const
    {
        before();
        const pid_t child = ::fork();
        (child == 0 ? afterInChild : afterInParent)();
        return child;
    }
};

/// What a worker has of its launch when it comes back to Python.
struct Assignment
{
    std::string launch{}; ///< As the protocol's frame.
    FileDescriptor outcome{};
};

/// Dispositions are those that Python set when it started, as in a cold worker.
void unblockSignals(bool ignoreHangup)
{
    if (ignoreHangup)
        (void)std::signal(SIGHUP, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void giveUp(int outcome, const LaunchFailure& failure)
{
    (void)!write(outcome, &failure, sizeof failure);
    _exit(CouldNotExecute);
}

/// In the child: everything that a cold worker's start does before exec, and no descriptor but the
/// three streams and the outcome.
void becomeWarmWorker(const Launch& launch, const std::vector<FileDescriptor>& streams,
                      pid_t keeper, const ControlGroup& group, FileDescriptor outcome,
                      const Name& name, Assignment& assignment)
{
    (void)group.join();
    const LaunchFailure failure = prepareWorker(launch, streams, keeper, unblockSignals);
    if (failure.error != 0)
        giveUp(outcome.get(), failure);
    (void)setProcessImage(launch.arguments, launch.environment);
    prctl(PR_SET_NAME, name.data());
    assignment.launch = encode(launch);
    assignment.outcome = std::move(outcome);
}

StartingChild startWarmChild(const Launch& launch, const std::vector<FileDescriptor>& streams,
                             const ControlGroup& group, const Forking& forking, const Name& name,
                             Assignment& assignment)
{
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return {-1, errno, {}};
    FileDescriptor readEnd(ends[0]);
    FileDescriptor writeEnd(ends[1]);
    const pid_t keeper = getpid();
    const pid_t child = forking.fork();
    if (child != 0)
        return {child, child < 0 ? errno : 0, std::move(readEnd)};
    becomeWarmWorker(launch, streams, keeper, group, std::move(writeEnd), name, assignment);
    return {0, 0, {}};
}

Assignment& assignment()
{
    static Assignment only; // What a C interface has to keep between its calls.
    return only;
}

} // namespace

} // namespace ringmaster::keeper

using namespace ringmaster;
using namespace ringmaster::keeper;

#define RM_EXPORT extern "C" __attribute__((visibility("default")))

/// In a process that the starter forked for it: becomes the guard, and, in a child, the keeper that
/// listens on `socket`. Comes back only in workers.
RM_EXPORT void ringmaster_keep(int socket, const char* guard, const char* title, ForkStep before,
                               ForkStep afterInParent, ForkStep afterInChild)
{
    const Forking forking{before, afterInParent, afterInChild};
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
    (void)std::signal(SIGCHLD, SIG_DFL);
    Name name{};
    prctl(PR_GET_NAME, name.data());
    const pid_t guardPid = getpid();
    const pid_t keeperPid = forking.fork();
    if (keeperPid < 0)
        _exit(CouldNotExecute);
    if (keeperPid > 0)
        becomeGuard(guard, keeperPid, title);

    dup2(socket, SocketDescriptor);
    closeFrom(SocketDescriptor + 1);
    prctl(PR_SET_NAME, "ringmaster-keeper");
    (void)setProcessImage({"ringmaster-keeper", title}, {std::string("RINGMASTER_RUN=") + title});
    KeeperProcess process(
        FileDescriptor(SocketDescriptor),
        ControlGroup::ofKeeper(ControlGroup::place(), title, getpid()),
        [&](const Launch& launch, const std::vector<FileDescriptor>& streams,
            const ControlGroup& group) {
            return startWarmChild(launch, streams, group, forking, name, assignment());
        },
        introduction(guardPid));
    if (process.run() == KeeperProcess::Ending::AgentGone)
        _exit(0);
}

/// In a worker, first of all: its Launch as a frame of the keeper's protocol.
RM_EXPORT const char* ringmaster_launch(std::size_t* size)
{
    FileDescriptor& outcome = assignment().outcome;
    if (outcome.get() != OutcomeDescriptor) {
        dup3(outcome.get(), OutcomeDescriptor, O_CLOEXEC);
        outcome = FileDescriptor(OutcomeDescriptor);
    }
    closeFrom(OutcomeDescriptor + 1);
    *size = assignment().launch.size();
    return assignment().launch.data();
}

/// The worker's program runs from here on.
RM_EXPORT void ringmaster_worker_runs()
{
    assignment().outcome.close();
}
