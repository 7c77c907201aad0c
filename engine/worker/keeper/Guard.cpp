#include "engine/worker/keeper/Guard.h"

#include "engine/base/ProcessSignal.h"
#include "engine/worker/keeper/Family.h"
#include "engine/worker/keeper/KeeperProcess.h"
#include "engine/worker/keeper/PodmanRemoval.h"
#include "engine/worker/keeper/WorkerChild.h"

#include <array>
#include <cerrno>
#include <optional>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr int ContainersDescriptor = 3;
constexpr int EndedBySignal = 128; ///< And its number, as in a shell.

/// False: there is no child any more. `end` is set when the keeper was among those that ended.
bool reap(pid_t keeper, std::optional<int>& end)
{
    for (;;) {
        int status = 0;
        const pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended < 0)
            return errno != ECHILD;
        if (ended == 0)
            return true;
        if (ended == keeper)
            end = WIFSIGNALED(status) ? EndedBySignal + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

} // namespace

int guard(pid_t keeper, const char* run, FileDescriptor containers)
{
    prctl(PR_SET_NAME, "ringmaster-keeper"); // it is /proc/self/exe
    const FileDescriptor signals = watchChildren();
    std::optional<int> end;
    while (reap(keeper, end) && !end) {
        pollfd children{signals.get(), POLLIN, 0};
        (void)poll(&children, 1, -1);
        forgetSignals(signals.get());
    }
    const bool isSomethingLeft = reap(keeper, end);
    ControlGroup group = ControlGroup::ofKeeper(ControlGroup::place(), run, keeper);
    group.kill();
    endDescendants(signals.get(), [&] { return reap(keeper, end); });
    // A keeper that was killed has told podman nothing, nor ended what docker's daemon runs.
    if (isSomethingLeft || end.value_or(0) != 0) {
        const PodmanRemoval removal(std::move(containers));
        if (removal.hasContainers())
            endThoseOfThisRun();
        removal.run();
        endDescendants(signals.get(), [&] { return reap(keeper, end); });
    }
    group.remove();
    return end.value_or(0);
}

FileDescriptor inheritedContainers()
{
    return FileDescriptor(fcntl(ContainersDescriptor, F_GETFD) < 0 ? -1 : ContainersDescriptor);
}

void becomeGuard(const char* program, pid_t keeper, const char* title, FileDescriptor containers)
{
    const std::string number = std::to_string(keeper);
    const std::string environment = std::string("RINGMASTER_RUN=") + title;
    if (containers.get() != ContainersDescriptor)
        close(ContainersDescriptor);
    if (containers.isOpen() && containers.get() != ContainersDescriptor)
        dup2(containers.get(), ContainersDescriptor);
    closeFrom(ContainersDescriptor + 1);
    execle(program, "ringmaster-keeper", "--guard", number.c_str(), title, nullptr,
           std::array{environment.c_str(), static_cast<const char*>(nullptr)}.data());
    _exit(guard(keeper, title, inheritedContainers()));
}

std::vector<FileDescriptor> introduction(pid_t guard)
{
    std::vector<FileDescriptor> pidfds;
    for (const pid_t pid : {getpid(), guard})
        pidfds.push_back(pidfdOf(pid));
    // A guard that was killed at once isn't whoever has its number now.
    if (getppid() != guard || !pidfds.back().isOpen())
        pidfds.pop_back();
    return pidfds;
}

int keepGuarded(const char* title)
{
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
    const pid_t self = getpid();
    FileDescriptor containers = PodmanRemoval::makeMemory();
    const pid_t keeper = fork();
    if (keeper < 0)
        return CouldNotExecute;
    if (keeper > 0)
        becomeGuard("/proc/self/exe", keeper, title, std::move(containers));
    (void)setCloseOnExec(containers.get());
    KeeperProcess(FileDescriptor(SocketDescriptor),
                  ControlGroup::ofKeeper(ControlGroup::place(), title, getpid()), startChild,
                  introduction(self), std::move(containers))
        .run();
    return 0;
}

int runDetached(char* const* arguments)
{
    setsid();
    const pid_t child = fork();
    if (child != 0)
        return child < 0 ? CouldNotExecute : 0;
    setsid();
    execvp(arguments[0], arguments);
    return CouldNotExecute;
}

} // namespace ringmaster::keeper
