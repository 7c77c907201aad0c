#include "engine/worker/keeper/Family.h"

#include "engine/base/ProcessSignal.h"
#include "engine/worker/Descendants.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr int FirstPauseMs = 1;
constexpr int LongestPauseMs = 1000;
constexpr std::size_t LongestEnvironment = 4U << 20U;

std::string environmentOf(const std::string& pid)
{
    const FileDescriptor file(open(("/proc/" + pid + "/environ").c_str(), O_RDONLY | O_CLOEXEC));
    std::string text(1, '\0'); // before the first entry, as before the others
    std::array<char, 16384> buffer{};
    while (file.isOpen() && text.size() < LongestEnvironment) {
        const ssize_t got = read(file.get(), buffer.data(), buffer.size());
        if (got <= 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text + '\0';
}

} // namespace

FileDescriptor watchChildren()
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    return FileDescriptor(signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
}

void forgetSignals(int childSignals)
{
    signalfd_siginfo info{};
    while (read(childSignals, &info, sizeof info) > 0)
        continue;
}

void endDescendants(int childSignals, const std::function<bool()>& reap)
{
    // A subreaper has a child as long as anything descends from it.
    int pauseMs = FirstPauseMs;
    while (reap()) {
        for (const ProcessRow& process : descendantsOf(getpid())) {
            if (!process.isZombie)
                (void)signalProcess(process, SIGKILL);
        }
        pollfd children{childSignals, POLLIN, 0};
        if (poll(&children, 1, pauseMs) == 0)
            pauseMs = std::min(pauseMs * 2, LongestPauseMs);
        forgetSignals(childSignals);
    }
}

void endThoseOfThisRun()
{
    const char* run = getenv("RINGMASTER_RUN"); // NOLINT(concurrency-mt-unsafe): one thread
    DIR* folder = run != nullptr ? opendir("/proc") : nullptr;
    if (folder == nullptr)
        return;
    const std::string wanted = std::string(1, '\0') + "RINGMASTER_RUN=" + run + '\0';
    while (const dirent* entry = readdir(folder)) {
        const std::string pid(entry->d_name);
        const bool isNumber = pid.find_first_not_of("0123456789") == std::string::npos;
        const pid_t number = isNumber ? std::atoi(pid.c_str()) : 0;
        const auto startTime = isNumber ? startTimeOf(number) : std::nullopt;
        if (startTime && number != getpid() && number != getppid() &&
            environmentOf(pid).find(wanted) != std::string::npos)
            (void)signalProcess(ProcessIdentity{number, *startTime}, SIGKILL);
    }
    closedir(folder);
}

} // namespace ringmaster::keeper
