#include "engine/worker/Keeper.h"

#include "engine/base/Codes.h"
#include "engine/base/Paths.h"
#include "engine/worker/KeeperImpl.h"
#include "engine/worker/LaunchError.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>

namespace ringmaster {

namespace {

Result<FileDescriptor> duplicateOf(int descriptor)
{
    FileDescriptor copy(descriptor < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC)
                                       : fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    // Whoever was started with a closed standard input gets an empty one.
    if (!copy.isOpen() && errno == EBADF)
        copy = FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!copy.isOpen())
        return fail(code::SystemCallFailed, {{"call", "dup"}}, errnoText(errno));
    return copy;
}

Result<void> openIfMissing(FileDescriptor& descriptor)
{
    if (!descriptor.isOpen())
        descriptor = FileDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (!descriptor.isOpen())
        return fail(code::FileNotWritable, {{"path", "/dev/null"}}, errnoText(errno));
    return {};
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

Result<void> Keeper::Impl::startProcess()
{
    const auto executable =
        m_options.executable.empty() ? keeperExecutable() : m_options.executable;
    m_process = RM_TRY(spawnKeeper(executable, m_options.title, m_options.environment));
    m_survivors.clear();
    listen();
    watchDeath(m_process.guard);
    return {};
}

void Keeper::Impl::listen()
{
    m_channel = std::make_unique<KeeperChannel>(
        m_loop, std::move(m_process.socket),
        [this](keeper::ReceivedFrame frame) { received(std::move(frame)); }, [this] { lost(); });
}

Result<void> Keeper::Impl::start(std::vector<WorkerLaunch> workers, const WarmRequest* warm)
{
    m_waiting.clear();
    for (WorkerLaunch& worker : workers) {
        RM_TRY(openIfMissing(worker.standardOutput));
        RM_TRY(openIfMissing(worker.standardError));
        std::vector<FileDescriptor> three;
        three.push_back(RM_TRY(duplicateOf(worker.standardInput)));
        three.push_back(std::move(worker.standardOutput));
        three.push_back(std::move(worker.standardError));
        m_waiting.push_back({std::move(worker), std::move(three)});
    }
    m_workers.clear();
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

void Keeper::Impl::launchWaiting()
{
    for (Waiting& waiting : std::exchange(m_waiting, {})) {
        WorkerLaunch& worker = waiting.worker;
        m_channel->send(keeper::Launch{worker.localRank, worker.ignoreHangup, worker.arguments,
                                       worker.environment, worker.workingFolder},
                        std::move(waiting.streams));
        const int localRank = worker.localRank;
        m_workers[localRank].start = std::move(worker);
    }
}

void Keeper::Impl::warmAnswered(Result<WarmStart::Answer> answer)
{
    const auto asked = std::move(m_warmStart); // It is calling: it goes when this returns.
    if (!answer)
        return startCold(answer.error());
    m_warm = std::move(*answer);
    m_process.socket = std::move(m_warm->socket);
    listen(); // The rest follows its first frame.
}

void Keeper::Impl::startCold(const Error& why)
{
    const std::weak_ptr<bool> alive = m_isAlive;
    m_warm.reset();
    m_host.startExplained(why);
    if (alive.expired())
        return;
    const auto started = startProcess();
    if (started)
        return launchWaiting();
    for (const Waiting& waiting : std::exchange(m_waiting, {})) {
        if (!alive.expired())
            m_host.workerNotStarted(waiting.worker.localRank, started.error());
    }
}

bool Keeper::Impl::abandonStart()
{
    if (m_waiting.empty())
        return false;
    m_warmStart.reset();
    m_channel.reset(); // A warm keeper that hasn't said anything yet ends with it.
    m_warm.reset();
    m_waiting.clear();
    return true;
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
        // One that was stopped would never hear it.
        wake(m_process.guard);
        wake(m_process.pidfd);
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

/// It says who it is, and a warm one who guards it.
void Keeper::Impl::handle(const keeper::Hello& frame, std::vector<FileDescriptor> descriptors)
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
    m_survivors.clear();
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

void Keeper::Impl::handle(const keeper::SessionEnded& frame, std::vector<FileDescriptor>)
{
    m_host.sessionEnded(frame.localRank);
}

void Keeper::Impl::handle(const keeper::AllGone& frame, std::vector<FileDescriptor>)
{
    if (frame.request != m_lastRequest)
        return;
    m_workers.clear();
    m_host.allGone();
}

Keeper::Keeper(EventLoop& loop, Host& host, Options options)
    : m_impl(std::make_unique<Impl>(loop, host, std::move(options)))
{
}

Keeper::~Keeper() = default;

Result<void> Keeper::start(std::vector<WorkerLaunch> workers, const WarmRequest* warm)
{
    return m_impl->start(std::move(workers), warm);
}

bool Keeper::abandonStart()
{
    return m_impl->abandonStart();
}

void Keeper::signal(int localRank, int number)
{
    m_impl->send(keeper::Signal{localRank, number});
}

void Keeper::stop(int localRank, int number)
{
    m_impl->send(keeper::Stop{localRank, number});
}

void Keeper::signalAll(int number)
{
    m_impl->send(keeper::Signal{keeper::Signal::AllWorkers, number});
}

void Keeper::killAll()
{
    m_impl->killAll();
}

std::vector<Message> Keeper::survivors() const
{
    return m_impl->survivors();
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
