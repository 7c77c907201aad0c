#include "engine/worker/Keeper.h"

#include "engine/base/Codes.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/Survivor.h"
#include "engine/worker/Codes.h"
#include "engine/worker/KeeperConnection.h"
#include "engine/worker/KeeperSweep.h"
#include "engine/worker/LaunchError.h"
#include "engine/worker/Survivors.h"
#include "engine/worker/warm/WarmStart.h"

#include <cerrno>
#include <csignal>
#include <map>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LongestGoodbye = 2000ms;

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

class Keeper::Impl
{
public:
    Impl(EventLoop& loop, Host& host, Options options);
    ~Impl();

    Result<void> start(std::vector<WorkerLaunch> workers, const WarmRequest* warm);
    bool abandonStart();
    void send(const keeper::Frame& frame);
    void killAll();
    std::vector<Message> survivors() const;

    struct Worker
    {
        WorkerLaunch start{}; ///< Its descriptors are moved away.
        pid_t pid = -1;
        FileDescriptor pidfd{};
    };

    std::map<int, Worker> m_workers;
    KeeperEndpoint m_process;

private:
    struct Waiting
    {
        WorkerLaunch worker{};
        std::vector<FileDescriptor> streams{};
    };

    Result<void> startProcess();
    void listen();
    void watchDeath(const FileDescriptor& pidfd);
    void launchWaiting();
    void warmAnswered(Result<WarmStart::Answer> answer);
    void startCold(const Error& why);
    void received(keeper::ReceivedFrame frame);
    void handle(const keeper::Hello& frame, std::vector<FileDescriptor> descriptors);
    void handle(const keeper::Started& frame, std::vector<FileDescriptor> descriptors);
    void handle(const keeper::NotStarted& frame, std::vector<FileDescriptor>);
    void handle(const keeper::Exited& frame, std::vector<FileDescriptor>);
    void handle(const keeper::SessionEnded& frame, std::vector<FileDescriptor>);
    void handle(const keeper::AllGone& frame, std::vector<FileDescriptor>);
    void handle(const auto&, std::vector<FileDescriptor>) {} // An agent's own frames.
    void lost();
    void mourn();

    EventLoop& m_loop;
    Host& m_host;
    Options m_options;
    std::unique_ptr<KeeperChannel> m_channel;
    std::unique_ptr<WarmStart> m_warmStart;  ///< While it is asked.
    std::optional<WarmStart::Answer> m_warm; ///< Of a warm keeper.
    std::vector<Waiting> m_waiting;          ///< For the keeper.
    std::string m_end;                       ///< How the keeper died.
    std::vector<Message> m_survivors;        ///< Of a sweep that was given up.
    std::uint32_t m_lastRequest = 0;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    EventLoop::Registration m_death;
    KeeperSweep m_sweep; ///< Once the keeper is gone.
};

Keeper::Impl::Impl(EventLoop& loop, Host& host, Options options)
    : m_loop(loop)
    , m_host(host)
    , m_options(std::move(options))
    , m_sweep(
          loop, m_options.title, [this] { return m_host.otherChildren(); },
          [this](KeeperSweep::End end) {
              if (end == KeeperSweep::End::GivenUp)
                  m_survivors = survivors();
              mourn();
          })
{
}

Keeper::Impl::~Impl()
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
        wakeIfStopped(m_process.guard);
        wakeIfStopped(m_process.pidfd);
        m_channel->send(keeper::KillAll{m_lastRequest});
    } else if (!m_sweep.isUnderWay()) {
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
    m_sweep.sweep(m_process.pid, m_warm.has_value());
}

void Keeper::Impl::mourn()
{
    m_death.cancel();
    m_sweep.end();
    m_process = {};
    m_warm.reset();
    m_workers.clear();
    m_host.keeperDied(Error{{code::KeeperDied, {}, m_end}, {}});
}

std::vector<Message> Keeper::Impl::survivors() const
{
    if (!m_channel && !m_sweep.isUnderWay())
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
