// The keeper in a process that was forked from the warm starter: the same state machine, loaded
// into the interpreter. Its workers are forked without exec and return to Python.

#include "engine/worker/keeper/Family.h"
#include "engine/worker/keeper/KeeperProcess.h"
#include "engine/worker/keeper/WorkerChild.h"
#include "engine/worker/warm/ProcessImage.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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

void closeFrom(int first)
{
    if (syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0)
        return;
    for (int fd = first; fd < LastDescriptorTried; ++fd)
        close(fd);
}

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
                      pid_t keeper, FileDescriptor outcome, const Name& name,
                      Assignment& assignment)
{
    const LaunchFailure failure = prepareWorker(launch, streams, keeper, unblockSignals);
    if (failure.error != 0)
        giveUp(outcome.get(), failure);
    (void)setProcessImage(launch.arguments, launch.environment);
    prctl(PR_SET_NAME, name.data());
    assignment.launch = encode(launch);
    assignment.outcome = std::move(outcome);
}

StartingChild startWarmChild(const Launch& launch, const std::vector<FileDescriptor>& streams,
                             const Forking& forking, const Name& name, Assignment& assignment)
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
    becomeWarmWorker(launch, streams, keeper, std::move(writeEnd), name, assignment);
    return {0, 0, {}};
}

std::vector<FileDescriptor> introduction(pid_t guard)
{
    std::vector<FileDescriptor> pidfds;
    for (const pid_t pid : {getpid(), guard})
        pidfds.emplace_back(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)));
    // A guard that was killed at once isn't whoever has its number now.
    if (getppid() != guard || !pidfds.back().isOpen())
        pidfds.pop_back();
    return pidfds;
}

void becomeGuard(const char* program, pid_t keeper, const char* title)
{
    const std::string number = std::to_string(keeper);
    const std::string environment = std::string("RINGMASTER_RUN=") + title;
    closeFrom(OutcomeDescriptor);
    execle(program, "ringmaster-keeper", "--guard", number.c_str(), title, nullptr,
           std::array{environment.c_str(), static_cast<const char*>(nullptr)}.data());
    _exit(CouldNotExecute);
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
        [&](const Launch& launch, const std::vector<FileDescriptor>& streams) {
            return startWarmChild(launch, streams, forking, name, assignment());
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
