#include "engine/base/ChildProcess.h"

#include "engine/base/Log.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Survivor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

#include <poll.h>
#include <sys/wait.h>

namespace ringmaster {

namespace {

/// Where another already waits in the kernel: whoever ends many would wait for each.
constexpr std::chrono::milliseconds NextKillPatience{50};

/// The kernel has one list of children for the whole process, and whoever sweeps goes through all
/// of it: so there is one of those that are somebody's.
struct ChildList
{
    struct Left
    {
        pid_t pid = -1;
        FileDescriptor pidfd{};
    };

    std::mutex mutex;
    std::set<pid_t> pids;
    std::vector<Left> left; ///< Killed, not ended yet.

    void reapLeft();
};

ChildList& childList()
{
    static ChildList list;
    return list;
}

/// As ChildProcess::reap().
std::optional<int> reapPidfd(int pidfd)
{
    siginfo_t info{};
    if (::waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG) != 0)
        return errno == ECHILD ? std::optional(-SIGKILL) : std::nullopt;
    if (info.si_pid == 0)
        return std::nullopt;
    return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

void ChildList::reapLeft()
{
    std::erase_if(left, [this](const Left& child) {
        const bool isReaped = reapPidfd(child.pidfd.get()).has_value();
        if (isReaped)
            pids.erase(child.pid);
        return isReaped;
    });
}

} // namespace

Result<ChildProcess> ChildProcess::start(const SpawnRequest& request)
{
    ChildList& list = childList();
    ChildProcess child;
    // No sweep may see it before it is in the list. That is before its program runs, which may
    // take its time.
    std::unique_lock lock(list.mutex);
    list.reapLeft();
    auto spawned = spawnWatched(request, [&](pid_t pid) {
        list.pids.insert(pid);
        child.m_pid = pid;
        lock.unlock();
    });
    if (!spawned) {
        if (!lock.owns_lock())
            lock.lock();
        list.pids.erase(std::exchange(child.m_pid, -1));
        return tl::unexpected(std::move(spawned).error());
    }
    child.m_pidfd = std::move(spawned->pidfd);
    return child;
}

std::vector<pid_t> ChildProcess::all()
{
    ChildList& list = childList();
    const std::lock_guard lock(list.mutex);
    list.reapLeft();
    return {list.pids.begin(), list.pids.end()};
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_pidfd(std::move(other.m_pidfd))
{
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept
{
    if (this != &other) {
        (void)end();
        m_pid = std::exchange(other.m_pid, -1);
        m_pidfd = std::move(other.m_pidfd);
    }
    return *this;
}

bool ChildProcess::signal(int number) const
{
    return !isReaped() && signalPidfd(m_pidfd.get(), number);
}

/// By number, which is its own as long as it isn't reaped.
bool ChildProcess::signalSession(int number) const
{
    return !isReaped() && ::kill(-m_pid, number) == 0;
}

bool ChildProcess::endsWithin(std::chrono::milliseconds patience) const
{
    using std::chrono::steady_clock;
    const auto deadline = steady_clock::now() + patience;
    pollfd ended{m_pidfd.get(), POLLIN, 0};
    int ready = 0;
    while (!isReaped() && ready <= 0) {
        const auto rest =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
        ready = ::poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(rest.count(), 0)));
        if (ready == 0 || (ready < 0 && errno != EINTR))
            return false;
    }
    return true;
}

std::optional<int> ChildProcess::reap()
{
    if (isReaped())
        return std::nullopt;
    ChildList& list = childList();
    const std::lock_guard lock(list.mutex);
    const std::optional<int> exitCode = reapPidfd(m_pidfd.get());
    if (exitCode)
        list.pids.erase(std::exchange(m_pid, -1));
    return exitCode;
}

std::optional<Message> ChildProcess::end()
{
    if (isReaped())
        return std::nullopt;
    (void)signal(SIGKILL);
    const auto patience = [] {
        ChildList& list = childList();
        const std::lock_guard lock(list.mutex);
        list.reapLeft();
        return list.left.empty() ? KillPatience : NextKillPatience;
    }();
    if (endsWithin(patience) && reap())
        return std::nullopt;
    return leave();
}

Message ChildProcess::leave()
{
    const Message why = describeSurvivor(m_pid);
    log::warning("base", describe(why));
    ChildList& list = childList();
    const std::lock_guard lock(list.mutex);
    list.left.push_back({std::exchange(m_pid, -1), std::move(m_pidfd)});
    return why;
}

} // namespace ringmaster
