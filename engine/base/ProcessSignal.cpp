#include "engine/base/ProcessSignal.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster {

std::string statOf(pid_t pid)
{
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/stat", pid);
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    std::array<char, 1024> text{};
    const ssize_t got = read(file, text.data(), text.size() - 1);
    close(file);
    // The name, in brackets, may itself hold brackets and spaces: fields are counted behind it.
    const char* behindName = got > 0 ? std::strrchr(text.data(), ')') : nullptr;
    return behindName != nullptr ? behindName + 1 : std::string();
}

char stateOf(pid_t pid)
{
    const std::string stat = statOf(pid);
    return stat.size() > 1 ? stat[1] : '\0';
}

std::optional<std::uint64_t> startTimeOf(pid_t pid)
{
    unsigned long long startTime = 0;
    if (std::sscanf(statOf(pid).c_str(),
                    " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
                    "%llu",
                    &startTime) != 1)
        return std::nullopt;
    return startTime;
}

FileDescriptor pidfdOf(pid_t pid)
{
    return FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)));
}

int openProcess(const ProcessIdentity& process)
{
    FileDescriptor pidfd = pidfdOf(process.pid);
    // The descriptor is of whoever has the number now, and stays so.
    if (!pidfd.isOpen() || startTimeOf(process.pid) == process.startTime)
        return pidfd.release();
    pidfd.close();
    errno = ESRCH;
    return -1;
}

bool signalPidfd(int pidfd, int number)
{
    return syscall(SYS_pidfd_send_signal, pidfd, number, nullptr, 0U) == 0;
}

bool signalProcess(const ProcessIdentity& process, int number)
{
    const int pidfd = openProcess(process);
    if (pidfd < 0)
        return false;
    const bool isSent = signalPidfd(pidfd, number);
    const int error = errno;
    close(pidfd);
    errno = error;
    return isSent;
}

} // namespace ringmaster
