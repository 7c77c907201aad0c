#include "engine/base/Log.h"
#include "engine/base/ProcessInfo.h"
#include "engine/worker/Codes.h"
#include "engine/worker/KeeperImpl.h"
#include "engine/worker/Subreaper.h"

#include <algorithm>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LongestSweepPause = std::chrono::milliseconds(100);
constexpr auto LongestGoodbye = 2000ms;

std::string endOf(int pidfd)
{
    siginfo_t info{};
    if (waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG) != 0 ||
        info.si_pid == 0)
        return {};
    return info.si_code == CLD_EXITED ? "exit code " + std::to_string(info.si_status)
                                      : std::string("SIG") + sigabbrev_np(info.si_status);
}

bool hasEnded(const FileDescriptor& pidfd)
{
    pollfd ended{pidfd.get(), POLLIN, 0};
    return !pidfd.isOpen() || poll(&ended, 1, 0) > 0;
}

/// What a warm keeper left that nobody waits for: it descended from others.
int sweepByToken(const std::string& run)
{
    const std::vector<pid_t> left = processesWithEnvironment("RINGMASTER_RUN", run);
    for (const pid_t pid : left)
        kill(pid, SIGKILL);
    return static_cast<int>(left.size());
}

} // namespace

Keeper::Impl::~Impl()
{
    m_death.cancel();
    m_channel.reset();
    if (!m_process.pidfd.isOpen())
        return;
    pollfd ended{m_process.pidfd.get(), POLLIN, 0};
    if (poll(&ended, 1, static_cast<int>(LongestGoodbye.count())) <= 0)
        log::warning("worker", "the keeper still has processes that can't be killed");
    (void)endOf(m_process.pidfd.get());
}

void Keeper::Impl::watchDeath(const FileDescriptor& pidfd)
{
    m_death = m_loop.watchReadable(pidfd.get(), [this] {
        const std::weak_ptr<bool> alive = m_isAlive;
        if (m_channel)
            m_channel->receive();
        if (!alive.expired())
            lost();
    });
}

void Keeper::Impl::lost()
{
    if (m_channel) {
        m_channel.reset();
        if (!m_process.pidfd.isOpen())
            return startCold({{code::ColdStarterGone, {}, {}}, {}});
        syscall(SYS_pidfd_send_signal, m_process.pidfd.get(), SIGKILL, nullptr, 0U);
    }
    if (!hasEnded(m_process.pidfd))
        return; // m_death comes when it has really ended, and its descendants are ours.
    m_death.cancel();
    if (m_process.pidfd.isOpen())
        m_end = endOf(m_process.pidfd.get());
    m_process.pidfd.close();
    if (!hasEnded(m_guard)) {
        watchDeath(m_guard); // Of a warm keeper they are the guard's.
        return;
    }
    m_guard.close();
    m_isSweeping = true;
    sweep(1ms);
}

void Keeper::Impl::sweep(std::chrono::milliseconds pause)
{
    const int left =
        sweepDescendants(m_host.otherChildren()) + (m_warm ? sweepByToken(m_options.title) : 0);
    if (left > 0) {
        m_sweepTimer = m_loop.callAfter(
            pause, [this, pause] { sweep(std::min(2 * pause, LongestSweepPause)); });
        return;
    }
    m_isSweeping = false;
    m_process = {};
    m_warm.reset();
    m_workers.clear();
    m_host.keeperDied(Error{{code::KeeperDied, {}, m_end}, {}});
}

} // namespace ringmaster
