#include "engine/base/ControlGroup.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessInfo.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Survivor.h"
#include "engine/worker/Codes.h"
#include "engine/worker/KeeperImpl.h"
#include "engine/worker/Subreaper.h"
#include "engine/worker/Survivors.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LongestSweepPause = std::chrono::milliseconds(100);
constexpr auto LongestSweep = 8s;
constexpr auto LongestGoodbye = 2000ms;

/// The guard ends as the keeper did, with a shell's exit codes.
std::string endOf(int guard)
{
    constexpr int EndedBySignal = 128;
    siginfo_t info{};
    if (waitid(P_PIDFD, static_cast<id_t>(guard), &info, WEXITED | WNOHANG) != 0 ||
        info.si_pid == 0)
        return {};
    if (info.si_code == CLD_EXITED && info.si_status <= EndedBySignal)
        return "exit code " + std::to_string(info.si_status);
    const int number = info.si_code == CLD_EXITED ? info.si_status - EndedBySignal : info.si_status;
    const char* name = sigabbrev_np(number);
    return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

/// By SIGSTOP or its like, not by a tracer.
bool isStopped(int pidfd)
{
    constexpr const char* Field = "\nPid:\t";
    const std::string info = readFile("/proc/self/fdinfo/" + std::to_string(pidfd)).value_or("");
    const std::size_t at = info.find(Field);
    if (at == std::string::npos)
        return false;
    return statOf(std::atoi(info.c_str() + at + std::strlen(Field))).starts_with(" T");
}

bool hasEnded(const FileDescriptor& pidfd)
{
    pollfd ended{pidfd.get(), POLLIN, 0};
    return !pidfd.isOpen() || poll(&ended, 1, 0) > 0;
}

/// What a warm keeper left that nobody waits for: it descended from others.
int sweepByToken(const std::string& run)
{
    const auto left = findByEnvironment("RINGMASTER_RUN", {run});
    for (const auto& [ignored, process] : left)
        (void)signalProcess(process, SIGKILL);
    return static_cast<int>(left.size());
}

} // namespace

Keeper::Impl::~Impl()
{
    m_death.cancel();
    m_channel.reset();
    if (hasEnded(m_process.pidfd) && hasEnded(m_process.guard))
        return;
    // The guard ends when nothing is left of the keeper, nor of what it kept.
    wake(m_process.guard);
    wake(m_process.pidfd);
    for (const FileDescriptor* process : {&m_process.pidfd, &m_process.guard}) {
        pollfd ended{process->get(), POLLIN, 0};
        if (process->isOpen() && poll(&ended, 1, static_cast<int>(LongestGoodbye.count())) <= 0) {
            log::warning("worker", "the keeper still has processes that can't be killed");
            break;
        }
    }
    if (m_process.guard.isOpen())
        (void)endOf(m_process.guard.get());
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

/// Only what was stopped: a signal that isn't needed disturbs a debugger, or the leak sanitizer,
/// that is attaching itself.
void Keeper::Impl::wake(const FileDescriptor& pidfd)
{
    if (pidfd.isOpen() && isStopped(pidfd.get()))
        (void)signalPidfd(pidfd.get(), SIGCONT);
}

void Keeper::Impl::lost()
{
    if (m_channel) {
        m_channel.reset();
        if (!m_process.pidfd.isOpen() && m_warm)
            return startCold({{code::ColdStarterGone, {}, {}}, {}});
        if (m_process.pidfd.isOpen())
            (void)signalPidfd(m_process.pidfd.get(), SIGKILL);
    }
    if (!m_isSweeping)
        beginSweep();
    if (!hasEnded(m_process.pidfd))
        return; // m_death comes when it has really ended, and its descendants are the guard's.
    m_process.pidfd.close();
    if (!hasEnded(m_process.guard)) {
        wake(m_process.guard);
        watchDeath(m_process.guard);
        return;
    }
    m_death.cancel();
    if (m_process.guard.isOpen())
        m_end = endOf(m_process.guard.get());
    m_process.guard.close();
    sweep(1ms);
}

void Keeper::Impl::beginSweep()
{
    m_isSweeping = true;
    m_sweepLimit = m_loop.callAfter(LongestSweep, [this] {
        m_survivors = survivors();
        mourn();
    });
}

void Keeper::Impl::sweep(std::chrono::milliseconds pause)
{
    ControlGroup group =
        ControlGroup::ofKeeper(ControlGroup::place(), m_options.title, m_process.pid);
    group.kill();
    const int left =
        sweepDescendants(m_host.otherChildren()) + (m_warm ? sweepByToken(m_options.title) : 0);
    if (left == 0) {
        group.remove();
        return mourn();
    }
    m_sweepTimer =
        m_loop.callAfter(pause, [this, pause] { sweep(std::min(2 * pause, LongestSweepPause)); });
}

void Keeper::Impl::mourn()
{
    m_death.cancel();
    m_sweepTimer.cancel();
    m_sweepLimit.cancel();
    m_isSweeping = false;
    m_process = {};
    m_warm.reset();
    m_workers.clear();
    m_host.keeperDied(Error{{code::KeeperDied, {}, m_end}, {}});
}

std::vector<Message> Keeper::Impl::survivors() const
{
    if (!m_channel && !m_isSweeping)
        return m_survivors;
    // What descends from a warm keeper isn't the agent's as long as that one or its guard lives.
    pid_t root = getpid();
    if (m_process.pidfd.isOpen() && m_process.pid > 0)
        root = m_process.pid;
    std::vector<Message> found = describeSurvivors(root, m_host.otherChildren());
    if (found.empty() && root != getpid() && !hasEnded(m_process.pidfd))
        found.push_back(describeSurvivor(root));
    return found;
}

} // namespace ringmaster
