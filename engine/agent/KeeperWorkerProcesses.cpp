#include "engine/agent/KeeperWorkerProcesses.h"

#include <csignal>

namespace ringmaster {

KeeperWorkerProcesses::KeeperWorkerProcesses(EventLoop& loop, Keeper::Options keeper,
                                             OutputHub& output, WorkerProcesses::Host& host,
                                             OutOfMemoryWatch::Files memory)
    : m_output(output)
    , m_host(host)
    , m_memory(std::move(memory))
    , m_keeper(loop, *this, std::move(keeper))
    , m_alive(std::make_shared<bool>(true))
{
}

KeeperWorkerProcesses::~KeeperWorkerProcesses()
{
    *m_alive = false;
}

void KeeperWorkerProcesses::open(AttemptOutputRequest request)
{
    m_isOpen = false;
    m_areGone = false;
    m_isOutputClosed = false;
    m_pids.clear();
    m_killed.clear();
    m_memory.reset();
    m_output.openAttempt(std::move(request), [this, alive = m_alive](Result<AttemptOutput> opened) {
        if (!*alive)
            return;
        m_isOpen = opened.has_value();
        m_attempt = std::move(opened);
        m_host.attemptOpened(m_attempt);
    });
}

Result<void> KeeperWorkerProcesses::start(std::vector<WorkerLaunch> launches,
                                          std::optional<WarmRequest> warm)
{
    for (WorkerLaunch& launch : launches)
        for (AttemptOutput::Worker& place : m_attempt->workers)
            if (place.localRank == launch.localRank) {
                launch.standardOutput = std::move(place.standardOutput);
                launch.standardError = std::move(place.standardError);
            }
    return m_keeper.start(std::move(launches), warm ? &*warm : nullptr);
}

void KeeperWorkerProcesses::signal(int localRank, int number)
{
    if (number == SIGKILL)
        m_killed.insert(localRank);
    m_keeper.signal(localRank, number);
}

void KeeperWorkerProcesses::stop(int localRank, int number)
{
    m_keeper.stop(localRank, number);
}

void KeeperWorkerProcesses::close()
{
    m_isClosing = true;
    // Whoever was not started holds no output open.
    if (m_attempt)
        m_attempt->workers.clear();
    m_keeper.killAll();
}

void KeeperWorkerProcesses::finish(std::function<void()> done)
{
    m_output.finish(std::move(done));
}

void KeeperWorkerProcesses::workerStarted(int localRank, pid_t pid, Moment at)
{
    m_pids[localRank] = pid;
    m_host.workerStarted(localRank, pid, at);
}

void KeeperWorkerProcesses::workerNotStarted(int localRank, const Error& error)
{
    m_host.workerNotStarted(localRank, error);
}

void KeeperWorkerProcesses::workerExited(int localRank, const WorkerExit& exit)
{
    // A shell or a container ends with 128 and the signal of what it ran.
    const bool isKilled =
        exit.signal == SIGKILL || (exit.signal == 0 && exit.code == 128 + SIGKILL);
    const bool isUnexplained = isKilled && !exit.wasTold && !m_killed.contains(localRank);
    const auto outOfMemory =
        isUnexplained ? m_memory.judge(m_pids[localRank]) : OutOfMemoryWatch::Finding::No;
    ++m_unread;
    collect(localRank, outOfMemory);
    m_host.workerExited(localRank, exit);
}

void KeeperWorkerProcesses::collect(int localRank, OutOfMemoryWatch::Finding outOfMemory)
{
    m_output.collect(localRank,
                     [this, alive = m_alive, outOfMemory](const WorkerExitReport& report) {
                         if (!*alive)
                             return;
                         --m_unread;
                         m_host.workerExplained(report, outOfMemory);
                         tellIfClosed();
                     });
}

void KeeperWorkerProcesses::allGone()
{
    closeOutput();
}

void KeeperWorkerProcesses::closeOutput()
{
    // The keeper may die after it has ended them all.
    if (std::exchange(m_areGone, true))
        return;
    if (!std::exchange(m_isOpen, false)) {
        m_isOutputClosed = true;
        return tellIfClosed();
    }
    m_output.closeAttempt([this, alive = m_alive] {
        if (!*alive)
            return;
        m_isOutputClosed = true;
        tellIfClosed();
    });
}

void KeeperWorkerProcesses::tellIfClosed()
{
    if (m_isOutputClosed && m_unread == 0 && std::exchange(m_isClosing, false))
        m_host.attemptClosed();
}

void KeeperWorkerProcesses::keeperDied(const Error& error)
{
    if (!m_isClosing)
        return m_host.keeperDied(error);
    // Where something may be left it isn't closed: the agent asks when it has waited for long
    // enough.
    if (!mayHaveSurvivors())
        closeOutput();
}

} // namespace ringmaster
