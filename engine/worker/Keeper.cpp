#include "engine/worker/Keeper.h"

#include "engine/base/ChildProcess.h"
#include "engine/base/Codes.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Survivor.h"
#include "engine/worker/Codes.h"
#include "engine/worker/LaunchError.h"
#include "engine/worker/Survivors.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LongestGoodbye = 2000ms;

} // namespace

Keeper::Keeper(EventLoop& loop, Host& host, Options options)
    : m_loop(loop)
    , m_host(host)
    , m_options(std::move(options))
    , m_sweep(loop, m_options.title, [this](KeeperSweep::End end) {
        m_isSweepGivenUp = end == KeeperSweep::End::GivenUp;
        if (m_isSweepGivenUp)
            m_survivors = survivors();
        mourn();
    })
{
}

Keeper::~Keeper()
{
    m_death.cancel();
    m_channel.reset();
    if (hasEnded(m_process.pidfd) && hasEnded(m_process.guard))
        return;
    // The guard ends when nothing is left of the keeper, nor of what it kept.
    wakeIfStopped(m_process.guard);
    wakeIfStopped(m_process.pidfd);
    for (const FileDescriptor* process : {&m_process.pidfd, &m_process.guard}) {
        pollfd ended{process->get(), POLLIN, 0};
        if (process->isOpen() && poll(&ended, 1, static_cast<int>(LongestGoodbye.count())) <= 0) {
            log::warning("worker", "the keeper still has processes that can't be killed");
            break;
        }
    }
    if (m_process.guard.isOpen())
        (void)endOf(m_process.guard);
}

Result<void> Keeper::startProcess()
{
    m_process =
        RM_TRY(spawnKeeper(m_options.executable.empty() ? keeperExecutable() : m_options.executable,
                           m_options.title, m_options.environment));
    forgetSurvivors();
    listen();
    watchDeath(m_process.guard);
    return {};
}

void Keeper::listen()
{
    m_channel = std::make_unique<KeeperChannel>(
        m_loop, std::move(m_process.socket),
        [this](keeper::ReceivedFrame frame) { received(std::move(frame)); }, [this] { lost(); });
}

Result<void> Keeper::start(std::vector<WorkerLaunch> workers, const WarmRequest* warm)
{
    m_waiting.clear();
    std::vector<Waiting> waiting;
    for (WorkerLaunch& worker : workers) {
        auto streams = RM_TRY(takeStreams(worker));
        waiting.push_back({std::move(worker), std::move(streams)});
    }
    m_waiting = std::move(waiting);
    m_workers.clear();
    m_isNeeded = true;
    if (!m_sweep.isUnderWay())
        return startWaiting(warm);
    m_nextWarm = warm != nullptr ? std::optional(*warm) : std::nullopt;
    return {};
}

Result<void> Keeper::startWaiting(const WarmRequest* warm)
{
    if (!m_channel && warm != nullptr) {
        m_warmStart =
            std::make_unique<WarmStart>(m_loop, *warm, [this](Result<WarmStart::Answer> answer) {
                warmAnswered(std::move(answer));
            });
        return {};
    }
    if (!m_channel)
        RM_TRY(startProcess());
    launchWaiting();
    return {};
}

void Keeper::launchWaiting()
{
    for (Waiting& waiting : std::exchange(m_waiting, {})) {
        WorkerLaunch& worker = waiting.worker;
        if (!m_container)
            m_container = containerIn(worker.arguments, worker.environment);
        m_channel->send(keeper::Launch{worker.localRank, worker.ignoreHangup, worker.arguments,
                                       worker.environment, worker.workingFolder},
                        std::move(waiting.streams));
        const int localRank = worker.localRank;
        m_workers[localRank].start = std::move(worker);
    }
}

void Keeper::warmAnswered(Result<WarmStart::Answer> answer)
{
    const auto asked = std::move(m_warmStart); // It is calling: it goes when this returns.
    if (!answer)
        return startCold(answer.error());
    m_warm = std::move(*answer);
    m_process.socket = std::move(m_warm->socket);
    listen(); // The rest follows its first frame.
}

void Keeper::startCold(const Error& why)
{
    const std::weak_ptr<bool> alive = m_isAlive;
    m_warm.reset();
    m_host.startExplained(why);
    if (alive.expired())
        return;
    if (const auto started = startWaiting(nullptr); !started)
        tellNotStarted(started.error());
}

void Keeper::tellNotStarted(const Error& error)
{
    const std::weak_ptr<bool> alive = m_isAlive;
    for (const Waiting& waiting : std::exchange(m_waiting, {})) {
        if (!alive.expired())
            m_host.workerNotStarted(waiting.worker.localRank, error);
    }
}

bool Keeper::abandonStart()
{
    if (m_waiting.empty())
        return false;
    m_waiting.clear();
    m_isNeeded = false;
    if (m_sweep.isUnderWay())
        return true; // What is known of the dead keeper belongs to the sweep.
    m_warmStart.reset();
    m_channel.reset(); // A warm keeper that hasn't said anything yet ends with it.
    m_warm.reset();
    return true;
}

void Keeper::send(const keeper::Frame& frame)
{
    if (m_channel)
        m_channel->send(frame);
}

void Keeper::killAll()
{
    ++m_lastRequest;
    m_isNeeded = true;
    if (m_channel) {
        // One that was stopped would never hear it.
        wakeIfStopped(m_process.guard);
        wakeIfStopped(m_process.pidfd);
        m_channel->send(keeper::KillAll{m_lastRequest});
    } else if (!m_sweep.isUnderWay()) {
        const std::weak_ptr<bool> alive = m_isAlive;
        m_loop.post([this, alive, request = m_lastRequest] {
            if (!alive.expired())
                handle(keeper::AllGone{request}, {});
        });
    } else {
        m_waiting.clear(); // keeperDied() answers.
    }
}

void Keeper::received(keeper::ReceivedFrame frame)
{
    std::visit([&](const auto& some) { handle(some, std::move(frame.descriptors)); }, frame.frame);
}

/// It says who it is, and a warm one who guards it.
void Keeper::handle(const keeper::Hello& frame, std::vector<FileDescriptor> descriptors)
{
    if (descriptors.empty() || m_process.pidfd.isOpen())
        return;
    m_process.pid = frame.pid;
    m_process.pidfd = std::move(descriptors[0]);
    if (descriptors.size() > 1 && !m_process.guard.isOpen())
        m_process.guard = std::move(descriptors[1]);
    watchDeath(m_process.pidfd);
    if (!m_warm)
        return;
    forgetSurvivors();
    const std::weak_ptr<bool> alive = m_isAlive;
    const auto said = *std::move(m_warm);
    m_warm.emplace();
    m_host.startExplained(said.how);
    for (const Message& remark : said.remarks) {
        if (!alive.expired())
            m_host.startExplained(remark);
    }
    if (!alive.expired())
        launchWaiting();
}

void Keeper::handle(const keeper::Started& frame, std::vector<FileDescriptor> descriptors)
{
    Worker& worker = m_workers[frame.localRank];
    worker.pid = frame.pid;
    if (!descriptors.empty())
        worker.pidfd = std::move(descriptors.front());
    m_host.workerStarted(frame.localRank, frame.pid, frame.at);
}

void Keeper::handle(const keeper::NotStarted& frame, std::vector<FileDescriptor>)
{
    const Error error = launchError(frame, m_workers[frame.localRank].start);
    m_host.workerNotStarted(frame.localRank, error);
}

void Keeper::handle(const keeper::Exited& frame, std::vector<FileDescriptor>)
{
    m_workers[frame.localRank].pid = -1;
    m_host.workerExited(frame.localRank, frame.exit);
}

void Keeper::handle(const keeper::SessionEnded& frame, std::vector<FileDescriptor>)
{
    m_host.sessionEnded(frame.localRank);
}

void Keeper::handle(const keeper::AllGone& frame, std::vector<FileDescriptor>)
{
    if (frame.request != m_lastRequest)
        return;
    m_workers.clear();
    m_isNeeded = false;
    m_host.allGone();
}

void Keeper::watchDeath(const FileDescriptor& pidfd)
{
    m_death = m_loop.watchReadable(pidfd.get(), [this] {
        // The end of its socket leads to lost(); whoever else has that socket delays it.
        if (!m_channel || m_channel->receive())
            lost();
    });
}

void Keeper::lost()
{
    if (m_channel) {
        m_channel.reset();
        if (!m_process.pidfd.isOpen() && m_warm)
            return startCold({{code::ColdStarterGone, {}, {}}, {}});
        if (m_process.pidfd.isOpen())
            (void)signalPidfd(m_process.pidfd.get(), SIGKILL);
    }
    if (!m_sweep.isUnderWay())
        m_sweep.begin();
    if (!hasEnded(m_process.pidfd))
        return; // m_death comes when it has really ended, and its descendants are the guard's.
    m_process.pidfd.close();
    if (!hasEnded(m_process.guard)) {
        wakeIfStopped(m_process.guard);
        watchDeath(m_process.guard);
        return;
    }
    m_death.cancel();
    if (m_process.guard.isOpen())
        m_end = endOf(m_process.guard);
    m_process.guard.close();
    m_sweep.sweep({.keeper = m_process.pid,
                   .isWarm = m_warm.has_value(),
                   .container = std::exchange(m_container, std::nullopt)});
}

void Keeper::mourn()
{
    m_death.cancel();
    m_sweep.end();
    m_process = {};
    m_warm.reset();
    m_workers.clear();
    // Whoever waits has lost nothing. But nothing is started beside what survives.
    const bool isMissed = m_isNeeded && m_waiting.empty();
    if (isMissed || m_isSweepGivenUp) {
        m_waiting.clear();
        m_isNeeded = false;
        return m_host.keeperDied(Error{{code::KeeperDied, {}, m_end}, {}});
    }
    log::warning("worker", "a keeper without workers was killed: " + m_end);
    if (m_waiting.empty())
        return;
    const auto warm = std::exchange(m_nextWarm, std::nullopt);
    if (const auto started = startWaiting(warm ? &*warm : nullptr); !started)
        tellNotStarted(started.error());
}

void Keeper::forgetSurvivors()
{
    m_isSweepGivenUp = false;
    m_survivors.clear();
}

std::vector<Message> Keeper::survivors() const
{
    if (!m_channel && !m_sweep.isUnderWay())
        return m_survivors;
    // What descends from a warm keeper isn't the agent's as long as that one or its guard lives.
    pid_t root = getpid();
    if (m_process.pidfd.isOpen() && m_process.pid > 0)
        root = m_process.pid;
    std::vector<Message> found = describeSurvivors(root, ChildProcess::all());
    if (found.empty() && root != getpid() && !hasEnded(m_process.pidfd))
        found.push_back(describeSurvivor(root));
    // What a warm keeper left may have become another's.
    for (const ProcessIdentity& process : m_sweep.found()) {
        const std::string pid = std::to_string(process.pid);
        const bool isNamed = std::ranges::any_of(
            found, [&](const Message& one) { return one.parameters.at("pid") == pid; });
        if (!isNamed && isAlive(process))
            found.push_back(describeSurvivor(process.pid));
    }
    return found;
}

} // namespace ringmaster
