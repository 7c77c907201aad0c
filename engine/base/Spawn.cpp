#include "engine/base/Spawn.h"

#include "engine/base/Codes.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/base/ProcessSignal.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// Until the program runs, in milliseconds. Who starts it isn't to wait for its file server.
constexpr int ExecPatience = 1000;
constexpr int NotStarted = 127; ///< A shell's exit code.

/// All that a child needs, made before it is there.
struct Preparation
{
    char** arguments = nullptr;
    char** variables = nullptr;
    const char* folder = nullptr; ///< Null: this process's.
    const int* descriptors = nullptr;
    int count = 0;   ///< Of them.
    int report = -1; ///< Not below `count`; where it says why it couldn't. -1: nowhere.
};

/// The descriptor that the child has as `number`; false: errno says why not.
bool placeDescriptor(int ours, int number)
{
    if (ours < 0) {
        syscall(SYS_close, number); // no other may be free
        ours = static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0));
    }
    if (ours == number)
        return syscall(SYS_fcntl, ours, F_SETFD, 0L) == 0;
    return syscall(SYS_dup3, ours, number, 0) >= 0;
}

void closeFrom(int first)
{
    if (syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) != 0)
        closefrom(first); // Linux before 5.9
}

void setSignalsToDefault()
{
    constexpr int Highest = 64;
    constexpr std::size_t SetSize = 8;
    const std::array<unsigned long, 8> none{}; // the kernel's struct sigaction, or its set
    for (int number = 1; number <= Highest; ++number)
        syscall(SYS_rt_sigaction, number, none.data(), nullptr, SetSize);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, none.data(), nullptr, SetSize);
}

/// Returns where it fails; errno says why, and `report` where to tell.
void becomeProgram(const Preparation& child, int& report)
{
    syscall(SYS_setsid);
    for (int number = 0; number < child.count; ++number) {
        if (!placeDescriptor(child.descriptors[number], number))
            return;
    }
    const int end = child.count;
    if (report > end)
        report = static_cast<int>(syscall(SYS_dup3, report, end, O_CLOEXEC));
    // Before what may take its time: others wait for the ends of what it has a copy of.
    closeFrom(report < 0 ? end : end + 1);
    setSignalsToDefault();
    if (child.folder != nullptr && syscall(SYS_chdir, child.folder) != 0)
        return;
    syscall(SYS_execve, child.arguments[0], child.arguments, child.variables);
}

/// In the child, which has a copy of all memory and one thread: whoever held a lock holds it for
/// ever. So there is nothing here but system calls, which no sanitizer wraps.
[[noreturn]] void beChild(const Preparation& child)
{
    int report = child.report;
    becomeProgram(child, report);
    const int error = errno;
    if (report >= 0)
        syscall(SYS_write, report, &error, sizeof error);
    for (;;)
        syscall(SYS_exit_group, NotStarted);
}

/// The child's descriptors are put in place one after the other: one that has a low number itself
/// would be overwritten before its turn, so a copy with a high one takes its place.
Result<std::vector<FileDescriptor>> moveLowOnes(std::vector<int>& descriptors)
{
    std::vector<FileDescriptor> copies;
    const int count = static_cast<int>(descriptors.size());
    for (int number = 0; number < count; ++number) {
        int& ours = descriptors[static_cast<std::size_t>(number)];
        if (ours < 0 || ours >= count || ours == number)
            continue;
        copies.emplace_back(fcntl(ours, F_DUPFD_CLOEXEC, count));
        ours = copies.back().get();
        if (ours < 0)
            return fail(code::SystemCallFailed, {{"call", "dup"}}, errnoText(errno));
    }
    return copies;
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str())); // An old signature; it only reads.
    pointers.push_back(nullptr);
    return pointers;
}

/// Where descriptors are used up there is none, and nobody is told what fails.
Pipe makeReport(int count)
{
    auto pipe = makePipe();
    if (!pipe)
        return {};
    FileDescriptor high(fcntl(pipe->writeEnd.get(), F_DUPFD_CLOEXEC, count));
    if (!high.isOpen())
        return {};
    return {std::move(pipe->readEnd), std::move(high)};
}

/// Without fork()'s handlers, which belong to libraries. Not vfork(), nor posix_spawn(): they hold
/// their caller up as long as a file server doesn't answer, and nothing wakes that one.
pid_t forkInto(const Preparation& child)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    // In the child this process's handlers would hear what comes for that one.
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::_Fork();
    if (pid == 0)
        beChild(child);
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return pid;
}

/// An errno; 0: the program runs, or will.
int failureIn(const FileDescriptor& report)
{
    pollfd told{report.get(), POLLIN, 0};
    int ready = 0;
    while (report.isOpen() && (ready = ::poll(&told, 1, ExecPatience)) < 0 && errno == EINTR) {
    }
    int error = 0;
    const bool isTold = ready > 0 && ::read(report.get(), &error, sizeof error) ==
                                         static_cast<ssize_t>(sizeof error);
    return isTold ? error : 0;
}

} // namespace

Result<pid_t> spawn(const SpawnRequest& request, const ChildBorn& born)
{
    static const std::vector<std::string> None;
    std::vector<int> descriptors = request.descriptors;
    const std::vector<FileDescriptor> copies = RM_TRY(moveLowOnes(descriptors));
    const int count = static_cast<int>(descriptors.size());
    Pipe report = makeReport(count);
    std::vector<char*> arguments = pointersTo(request.command);
    std::vector<char*> variables = pointersTo(request.environment ? *request.environment : None);
    const pid_t child =
        forkInto({.arguments = arguments.data(),
                  .variables = request.environment ? variables.data() : environ,
                  .folder = request.workingFolder.empty() ? nullptr : request.workingFolder.c_str(),
                  .descriptors = descriptors.data(),
                  .count = count,
                  .report = report.writeEnd.get()});
    if (child < 0)
        return fail(code::SystemCallFailed, {{"call", "fork"}}, errnoText(errno));
    if (born)
        born(child);
    report.writeEnd.close();
    if (const int error = failureIn(report.readEnd); error != 0) {
        // It has nothing more to do.
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
        return fail(code::SystemCallFailed, {{"call", request.command.front()}}, errnoText(error));
    }
    restoreDescriptorLimit(child); // not earlier: at first it has copies of all of ours
    return child;
}

Result<WatchedChild> spawnWatched(const SpawnRequest& request, const ChildBorn& born)
{
    const pid_t pid = RM_TRY(spawn(request, born));
    FileDescriptor pidfd = pidfdOf(pid);
    if (pidfd.isOpen())
        return WatchedChild{pid, std::move(pidfd)};
    const int error = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return fail(code::SystemCallFailed, {{"call", "pidfd_open"}}, errnoText(error));
}

} // namespace ringmaster
