#include "engine/worker/keeper/Family.h"

#include "engine/worker/Descendants.h"

#include <algorithm>
#include <csignal>

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr int FirstPauseMs = 1;
constexpr int LongestPauseMs = 200;

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
                killProcess(process);
        }
        pollfd children{childSignals, POLLIN, 0};
        if (poll(&children, 1, pauseMs) == 0)
            pauseMs = std::min(pauseMs * 2, LongestPauseMs);
        forgetSignals(childSignals);
    }
}

} // namespace ringmaster::keeper
