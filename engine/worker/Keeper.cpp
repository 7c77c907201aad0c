#include "engine/worker/Keeper.h"

#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/worker/KeeperConnection.h"
#include "engine/worker/LaunchError.h"
#include "engine/worker/Subreaper.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LongestSweepPause = std::chrono::milliseconds(100);
constexpr auto LongestGoodbye = 2000ms;

Result<FileDescriptor> duplicateOf(int descriptor)
{
    FileDescriptor copy(descriptor < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC)
                                       : fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    // Whoever was started with a closed standard input gets an empty one.
    if (!copy.isOpen() && errno == EBADF)
        copy = FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!copy.isOpen())
        return fail(Code::SystemCallFailed, {{"call", "dup"}}, errnoText(errno));
    return copy;
}

Result<void> openIfMissing(FileDescriptor& descriptor)
{
    if (!descriptor.isOpen())
        descriptor = FileDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (!descriptor.isOpen())
        return fail(Code::FileNotWritable, {{"path", "/dev/null"}}, errnoText(errno));
    return {};
}

std::string endOf(int pidfd)
{
    siginfo_t info{};
    if (waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED | WNOHANG) != 0 ||
        info.si_pid == 0)
        return {};
    return info.si_code == CLD_EXITED ? "exit code " + std::to_string(info.si_status)
                                      : std::string("SIG") + sigabbrev_np(info.si_status);
}

WorkerExit exitOf(const keeper::Exited& frame)
{
    return {.code = frame.code,
            .signal = frame.signal,
            .coreDumped = frame.coreDumped != 0,
            .at = frame.at,
            .userNs = frame.userNs,
            .systemNs = frame.systemNs,
            .maxResidentBytes = frame.maxResidentBytes,
            .descendantsLeft = frame.descendantsLeft};
}

} // namespace

class Keeper::Impl
{
public:
    Impl(EventLoop& loop, Host& host, Options options)
        : m_loop(loop), m_host(host), m_options(std::move(options))
    {
    }
    ~Impl();

    Result<void> start(std::vector<WorkerLaunch> workers);
    void send(const keeper::Frame& frame);
    void killAll();

    struct Worker
    {
        WorkerLaunch start{}; ///< Its descriptors are moved away.
        pid_t pid = -1;
        FileDescriptor pidfd{};
    };

    std::map<int, Worker> m_workers;
    KeeperEndpoint m_process;

private:
    Result<void> startProcess();
    void received(keeper::ReceivedFrame frame);
    void handle(const keeper::Hello&, std::vector<FileDescriptor>) {}
    void handle(const keeper::Started& frame, std::vector<FileDescriptor> descriptors);
    void handle(const keeper::NotStarted& frame, std::vector<FileDescriptor>);
    void handle(const keeper::Exited& frame, std::vector<FileDescriptor>);
    void handle(const keeper::AllGone& frame, std::vector<FileDescriptor>);
    void handle(const auto&, std::vector<FileDescriptor>) {} // An agent's own frames.
    void lost();
    void sweep(std::chrono::milliseconds pause);

    EventLoop& m_loop;
    Host& m_host;
    Options m_options;
    std::unique_ptr<KeeperChannel> m_channel;
    std::string m_end; ///< How the keeper died.
    std::uint32_t m_lastRequest = 0;
    bool m_isSweeping = false;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    EventLoop::Registration m_death;
    EventLoop::Registration m_sweepTimer;
};

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

Result<void> Keeper::Impl::startProcess()
{
    const auto executable =
        m_options.executable.empty() ? keeperExecutable() : m_options.executable;
    m_process = RM_TRY(spawnKeeper(executable, m_options.title, m_options.environment));
    m_channel = std::make_unique<KeeperChannel>(
        m_loop, std::move(m_process.socket),
        [this](keeper::ReceivedFrame frame) { received(std::move(frame)); }, [this] { lost(); });
    m_death = m_loop.watchReadable(m_process.pidfd.get(), [this] {
        const std::weak_ptr<bool> alive = m_isAlive;
        if (m_channel)
            m_channel->receive();
        if (!alive.expired())
            lost();
    });
    return {};
}

Result<void> Keeper::Impl::start(std::vector<WorkerLaunch> workers)
{
    std::vector<std::vector<FileDescriptor>> streams;
    for (WorkerLaunch& worker : workers) {
        RM_TRY(openIfMissing(worker.standardOutput));
        RM_TRY(openIfMissing(worker.standardError));
        std::vector<FileDescriptor>& three = streams.emplace_back();
        three.push_back(RM_TRY(duplicateOf(worker.standardInput)));
        three.push_back(std::move(worker.standardOutput));
        three.push_back(std::move(worker.standardError));
    }
    if (!m_channel)
        RM_TRY(startProcess());
    m_workers.clear();
    for (std::size_t i = 0; i < workers.size(); ++i) {
        WorkerLaunch& worker = workers[i];
        m_channel->send(keeper::Launch{worker.localRank, worker.ignoreHangup, worker.arguments,
                                       worker.environment, worker.workingFolder},
                        std::move(streams[i]));
        const int localRank = worker.localRank;
        m_workers[localRank].start = std::move(worker);
    }
    return {};
}

void Keeper::Impl::send(const keeper::Frame& frame)
{
    if (m_channel)
        m_channel->send(frame);
}

void Keeper::Impl::killAll()
{
    ++m_lastRequest;
    if (m_channel) {
        m_channel->send(keeper::KillAll{m_lastRequest});
    } else if (!m_isSweeping) {
        const std::weak_ptr<bool> alive = m_isAlive;
        m_loop.post([this, alive, request = m_lastRequest] {
            if (!alive.expired())
                handle(keeper::AllGone{request}, {});
        });
    }
}

void Keeper::Impl::received(keeper::ReceivedFrame frame)
{
    std::visit([&](const auto& some) { handle(some, std::move(frame.descriptors)); }, frame.frame);
}

void Keeper::Impl::handle(const keeper::Started& frame, std::vector<FileDescriptor> descriptors)
{
    Worker& worker = m_workers[frame.localRank];
    worker.pid = frame.pid;
    if (!descriptors.empty())
        worker.pidfd = std::move(descriptors.front());
    m_host.workerStarted(frame.localRank, frame.pid, frame.at);
}

void Keeper::Impl::handle(const keeper::NotStarted& frame, std::vector<FileDescriptor>)
{
    const Error error = launchError(frame, m_workers[frame.localRank].start);
    m_host.workerNotStarted(frame.localRank, error);
}

void Keeper::Impl::handle(const keeper::Exited& frame, std::vector<FileDescriptor>)
{
    m_workers[frame.localRank].pid = -1;
    m_host.workerExited(frame.localRank, exitOf(frame));
}

void Keeper::Impl::handle(const keeper::AllGone& frame, std::vector<FileDescriptor>)
{
    if (frame.request != m_lastRequest)
        return;
    m_workers.clear();
    m_host.allGone();
}

void Keeper::Impl::lost()
{
    if (m_channel) {
        m_channel.reset();
        syscall(SYS_pidfd_send_signal, m_process.pidfd.get(), SIGKILL, nullptr, 0U);
    }
    pollfd ended{m_process.pidfd.get(), POLLIN, 0};
    if (poll(&ended, 1, 0) <= 0)
        return; // m_death comes when it has really ended, and its descendants are ours.
    m_death.cancel();
    m_end = endOf(m_process.pidfd.get());
    m_process.pidfd.close();
    m_isSweeping = true;
    sweep(1ms);
}

void Keeper::Impl::sweep(std::chrono::milliseconds pause)
{
    if (sweepDescendants(m_host.otherChildren()) > 0) {
        m_sweepTimer = m_loop.callAfter(
            pause, [this, pause] { sweep(std::min(2 * pause, LongestSweepPause)); });
        return;
    }
    m_isSweeping = false;
    m_process = {};
    m_workers.clear();
    m_host.keeperDied(Error{{Code::KeeperDied, {}, m_end}, {}});
}

Keeper::Keeper(EventLoop& loop, Host& host, Options options)
    : m_impl(std::make_unique<Impl>(loop, host, std::move(options)))
{
}

Keeper::~Keeper() = default;

Result<void> Keeper::start(std::vector<WorkerLaunch> workers)
{
    return m_impl->start(std::move(workers));
}

void Keeper::signal(int localRank, int number)
{
    m_impl->send(keeper::Signal{localRank, number});
}

void Keeper::signalAll(int number)
{
    m_impl->send(keeper::Signal{keeper::Signal::AllWorkers, number});
}

void Keeper::killAll()
{
    m_impl->killAll();
}

pid_t Keeper::pid() const
{
    return m_impl->m_process.pid;
}

pid_t Keeper::workerPid(int localRank) const
{
    const auto found = m_impl->m_workers.find(localRank);
    return found == m_impl->m_workers.end() ? -1 : found->second.pid;
}

int Keeper::workerPidfd(int localRank) const
{
    const auto found = m_impl->m_workers.find(localRank);
    return found == m_impl->m_workers.end() ? -1 : found->second.pidfd.get();
}

std::filesystem::path keeperExecutable()
{
    const std::filesystem::path here = executableFolder();
    const std::filesystem::path beside = here / "ringmaster-keeper";
    std::error_code ignored;
    return std::filesystem::exists(beside, ignored)
               ? beside
               : here.parent_path() / "libexec/ringmaster/ringmaster-keeper";
}

bool isHangupIgnored()
{
    struct sigaction now
    {
    };
    return sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace ringmaster
