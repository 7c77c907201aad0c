#include "engine/base/ProcessSignal.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster {

namespace {

std::string statIn(const std::string& folder)
{
    const int file = open((folder + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return {};
    std::array<char, 1024> text{};
    const ssize_t got = read(file, text.data(), text.size() - 1);
    close(file);
    // The name, in brackets, may itself hold brackets and spaces: fields are counted behind it.
    const char* behindName = got > 0 ? std::strrchr(text.data(), ')') : nullptr;
    return behindName != nullptr ? behindName + 1 : std::string();
}

char letterOf(const std::string& stat)
{
    return stat.size() > 1 ? stat[1] : '\0';
}

std::string threadsFolderOf(pid_t pid)
{
    return "/proc/" + std::to_string(pid) + "/task";
}

} // namespace

std::string statOf(pid_t pid)
{
    return statIn("/proc/" + std::to_string(pid));
}

bool isZombie(const std::string& stat)
{
    const char letter = letterOf(stat);
    // proc(5): field 20. A parent hears of the end when the last has ended.
    int threads = 0;
    (void)std::sscanf(stat.c_str(),
                      " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %d",
                      &threads);
    return (letter == 'Z' || letter == 'X') && threads <= 1;
}

pid_t tellingThreadOf(pid_t pid)
{
    const std::string threads = threadsFolderOf(pid);
    DIR* folder = opendir(threads.c_str());
    pid_t living = 0;
    pid_t waiting = 0;
    while (const dirent* entry = folder != nullptr && waiting == 0 ? readdir(folder) : nullptr) {
        if (entry->d_name[0] == '.')
            continue;
        const char letter = letterOf(statIn(threads + "/" + entry->d_name));
        if (letter == 'D')
            waiting = std::atoi(entry->d_name);
        else if (living == 0 && letter != '\0' && letter != 'Z' && letter != 'X')
            living = std::atoi(entry->d_name);
    }
    if (folder != nullptr)
        closedir(folder);
    if (waiting != 0)
        return waiting;
    return living != 0 ? living : pid;
}

char stateOf(pid_t pid)
{
    const std::string stat = statOf(pid);
    if (letterOf(stat) != 'Z' || isZombie(stat))
        return letterOf(stat);
    return letterOf(statIn(threadsFolderOf(pid) + "/" + std::to_string(tellingThreadOf(pid))));
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
