#include "engine/worker/keeper/WorkerChild.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr int FirstPrivateDescriptor = 3;

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str())); // exec's old signature; it only reads.
    pointers.push_back(nullptr);
    return pointers;
}

/// Where execvpe() would look, but by the worker's PATH instead of ours.
std::vector<std::string> candidates(const Launch& launch)
{
    const std::string& program = launch.arguments.front();
    if (program.find('/') != std::string::npos)
        return {program};
    std::string path = "/usr/local/bin:/usr/bin:/bin";
    for (const std::string& variable : launch.environment) {
        if (variable.rfind("PATH=", 0) == 0)
            path = variable.substr(5);
    }
    std::vector<std::string> found;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const std::string folder = path.substr(at, end - at);
        found.push_back(folder.empty() ? program : folder + "/" + program);
        at = end + 1;
    }
    return found;
}

void resetSignals(bool ignoreHangup)
{
    for (int number = 1; number < NSIG; ++number)
        std::signal(number, SIG_DFL);
    if (ignoreHangup)
        std::signal(SIGHUP, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

void closeEverythingElseAtExec()
{
    if (syscall(SYS_close_range, FirstPrivateDescriptor, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
        return;
    for (int fd = FirstPrivateDescriptor; fd < LastDescriptorTried; ++fd)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/// The best of the errors, as a shell reports it: one that is there but may not be run counts more
/// than one that isn't there.
int execute(const std::vector<std::string>& paths, char* const* arguments, char* const* environment)
{
    int error = ENOENT;
    for (const std::string& path : paths) {
        execve(path.c_str(), arguments, environment);
        if (errno != ENOENT && errno != ENOTDIR && (errno != EACCES || error == ENOENT))
            error = errno;
        if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
            break;
    }
    return error;
}

/// Into the group at once: whoever moves there later may have left something behind.
pid_t forkInto(const ControlGroup& group)
{
    if (group.descriptor() >= 0) {
        clone_args arguments{};
        arguments.flags = CLONE_INTO_CGROUP;
        arguments.exit_signal = SIGCHLD;
        arguments.cgroup = static_cast<std::uint64_t>(group.descriptor());
        const auto child = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
        if (child >= 0)
            return child;
    }
    const pid_t child = fork();
    if (child == 0)
        (void)group.join();
    return child;
}

LaunchFailure becomeWorker(const Launch& launch, const std::vector<FileDescriptor>& streams,
                           pid_t keeper)
{
    const LaunchFailure failure = prepareWorker(launch, streams, keeper, resetSignals);
    if (failure.error != 0)
        return failure;
    closeEverythingElseAtExec();
    return {SpawnStep::Program, execute(candidates(launch), pointersTo(launch.arguments).data(),
                                        pointersTo(launch.environment).data())};
}

} // namespace

void closeFrom(int first)
{
    if (syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0)
        return;
    for (int fd = first; fd < LastDescriptorTried; ++fd)
        close(fd);
}

LaunchFailure prepareWorker(const Launch& launch, const std::vector<FileDescriptor>& streams,
                            pid_t keeper, void (*resetSignals)(bool ignoreHangup))
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The keeper may have died before that took effect.
    if (getppid() != keeper)
        kill(getpid(), SIGKILL); // raise() asks glibc for the thread, which clone3() passes by.
    resetSignals(launch.ignoreHangup != 0);
    for (std::size_t i = 0; i < streams.size(); ++i) {
        if (dup2(streams[i].get(), static_cast<int>(i)) < 0)
            return {SpawnStep::StandardStreams, errno};
    }
    if (!launch.workingFolder.empty() && chdir(launch.workingFolder.c_str()) != 0)
        return {SpawnStep::WorkingFolder, errno};
    return {SpawnStep::Program, 0};
}

StartingChild startChild(const Launch& launch, const std::vector<FileDescriptor>& streams,
                         const ControlGroup& group)
{
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return {-1, errno, {}};
    FileDescriptor readEnd(ends[0]);
    FileDescriptor writeEnd(ends[1]);
    const pid_t keeper = getpid();
    const pid_t child = forkInto(group);
    if (child != 0)
        return {child, child < 0 ? errno : 0, std::move(readEnd)};
    const LaunchFailure failure = becomeWorker(launch, streams, keeper);
    (void)!write(writeEnd.get(), &failure, sizeof failure); // The exit code says it too.
    _exit(CouldNotExecute);
}

} // namespace ringmaster::keeper
