#include "engine/worker/keeper/KeeperProcess.h"

#include "engine/base/DescriptorPassing.h"
#include "engine/base/ProcessSignal.h"
#include "engine/worker/Descendants.h"
#include "engine/worker/keeper/Family.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <utility>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster::keeper {

namespace {

constexpr std::int64_t NsPerSecond = 1'000'000'000;

std::int64_t readClock(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * NsPerSecond + time.tv_nsec;
}

Moment now()
{
    return {readClock(CLOCK_MONOTONIC), readClock(CLOCK_REALTIME)};
}

std::int64_t nanoseconds(const timeval& time)
{
    return time.tv_sec * NsPerSecond + time.tv_usec * 1000;
}

bool endsProcesses(int number)
{
    return number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
}

int membersOfSession(pid_t session)
{
    const std::vector<ProcessRow> rows = descendantsOf(getpid());
    return static_cast<int>(std::count_if(rows.begin(), rows.end(), [&](const ProcessRow& row) {
        return row.session == session && row.pid != session && !row.isZombie;
    }));
}

} // namespace

KeeperProcess::KeeperProcess(FileDescriptor socket, ControlGroup group, StartChild startChild,
                             std::vector<FileDescriptor> introduction, FileDescriptor containers)
    : m_socket(std::move(socket))
    , m_startChild(std::move(startChild))
    , m_introduction(std::move(introduction))
    , m_childSignals(watchChildren())
    , m_stops([this](std::int32_t localRank) { send(SessionEnded{localRank}); })
    , m_containers(std::move(containers))
    , m_group(std::move(group))
{
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
    (void)setCloseOnExec(m_socket.get()); // The worker's start closes all descriptors anyway.
}

KeeperProcess::Ending KeeperProcess::run()
{
    std::vector<int> pidfds;
    for (const FileDescriptor& pidfd : m_introduction)
        pidfds.push_back(pidfd.get());
    send(Hello{getpid()}, pidfds);
    m_introduction.clear();
    while (!m_agentIsGone) {
        waitForSomething();
        settleLaunches();
        reap();
        takeFrames();
        if (!m_isWorker)
            stopWorkers();
        if (m_isWorker)
            return Ending::InWorker;
        m_stops.look();
    }
    endAll();
    return Ending::AgentGone;
}

void KeeperProcess::takeFrames()
{
    const FrameReader::State state = m_reader.receive(m_socket.get());
    while (std::optional<ReceivedFrame> frame = m_reader.next()) {
        handle(*frame);
        if (m_isWorker)
            return;
    }
    m_agentIsGone = m_agentIsGone || state != FrameReader::State::Open || m_reader.isBroken();
}

/// All at once: who is told late may have lost a peer by then that was told early. The agent says
/// it of one after the other; those that follow have come once the processes are known.
void KeeperProcess::stopWorkers()
{
    if (m_toStop.empty())
        return;
    const std::vector<ProcessRow> rows = descendantsOf(getpid());
    takeFrames();
    if (m_isWorker)
        return;
    for (const Stop& request : std::exchange(m_toStop, {})) {
        const auto leader = m_leaders.find(request.localRank);
        if (leader == m_leaders.end())
            continue;
        const auto worker = m_workers.find(leader->second);
        if (worker != m_workers.end() && !hasDied(leader->second))
            worker->second.wasTold = true;
        m_stops.stop(request.localRank, leader->second, request.number, rows);
    }
}

/// docker's containers don't end with the client that wanted them; their processes are among the
/// host's, with the run's variable.
void KeeperProcess::endAll()
{
    const bool isSomethingLeft = reap();
    for (auto& [pid, worker] : m_workers) {
        worker.wasTold = worker.wasTold || !hasDied(pid);
        kill(pid, SIGKILL); // At once, so that nothing else ends it meanwhile.
    }
    m_group.kill();
    endDescendants(m_childSignals.get(), [this] { return reap(); });
    if (isSomethingLeft) {
        m_containers.run();
        endDescendants(m_childSignals.get(), [this] { return reap(); });
    }
    m_group.remove();
    if (m_hasDaemon)
        endThoseOfThisRun();
}

void KeeperProcess::waitForSomething()
{
    std::vector<pollfd> watched{{m_socket.get(), POLLIN, 0}, {m_childSignals.get(), POLLIN, 0}};
    for (const auto& [pid, worker] : m_workers) {
        if (worker.outcome.isOpen())
            watched.push_back({worker.outcome.get(), POLLIN, 0});
    }
    (void)poll(watched.data(), watched.size(), -1); // Everything is looked at afterwards.
    forgetSignals(m_childSignals.get());
}

void KeeperProcess::handle(ReceivedFrame& received)
{
    if (const auto* request = std::get_if<Launch>(&received.frame))
        launch(*request, received.descriptors);
    else if (const auto* wanted = std::get_if<Signal>(&received.frame))
        signal(*wanted);
    else if (const auto* end = std::get_if<Stop>(&received.frame))
        m_toStop.push_back(*end);
    else if (const auto* kill = std::get_if<KillAll>(&received.frame)) {
        m_toStop.clear();
        m_stops.forget();
        endAll();
        m_leaders.clear();
        send(AllGone{kill->request});
    }
}

void KeeperProcess::launch(const Launch& launch, const std::vector<FileDescriptor>& streams)
{
    if (launch.arguments.empty() || streams.size() != 3) {
        send(NotStarted{launch.localRank, SpawnStep::StandardStreams, EINVAL, {}});
        return;
    }
    const std::string& program = launch.arguments.front();
    m_hasDaemon = m_hasDaemon || program.substr(program.rfind('/') + 1) == "docker";
    m_containers.remember(launch);
    (void)m_group.create();
    StartingChild child = m_startChild(launch, streams, m_group);
    m_isWorker = child.pid == 0;
    if (m_isWorker)
        return;
    if (child.pid < 0) {
        send(NotStarted{launch.localRank, SpawnStep::Fork, child.error, {}});
        return;
    }
    Worker& worker = m_workers[child.pid];
    worker.localRank = launch.localRank;
    worker.pidfd = pidfdOf(child.pid);
    worker.outcome = std::move(child.outcome);
    // What a warm worker has forked may keep the other end open after its own end.
    (void)setNonBlocking(worker.outcome.get());
    worker.program = launch.arguments.front();
    worker.workingFolder = launch.workingFolder;
    m_leaders[launch.localRank] = child.pid;
}

void KeeperProcess::signal(const Signal& request)
{
    for (const auto& [localRank, leader] : m_leaders) {
        if (request.localRank != Signal::AllWorkers && request.localRank != localRank)
            continue;
        signalGroup(leader, request.number);
        if (endsProcesses(request.number))
            signalGroup(leader, SIGCONT);
    }
}

void KeeperProcess::signalGroup(pid_t leader, int number)
{
    if (m_workers.count(leader) != 0) {
        // A child that hasn't reached setsid() has no group yet.
        if (killpg(leader, number) != 0)
            kill(leader, number);
        return;
    }
    // Its number may be another group's by now.
    for (const ProcessRow& row : descendantsOf(getpid())) {
        if (row.group == leader && row.session == leader)
            (void)signalProcess(row, number);
    }
}

void KeeperProcess::settleLaunches()
{
    for (auto& [pid, worker] : m_workers) {
        if (!worker.outcome.isOpen())
            continue;
        pollfd ready{worker.outcome.get(), POLLIN, 0};
        if (poll(&ready, 1, 0) > 0)
            settleLaunch(pid, worker);
    }
}

void KeeperProcess::settleLaunch(pid_t pid, Worker& worker)
{
    LaunchFailure failure;
    // Nothing, where the other end is still open: it hasn't failed.
    const ssize_t got = read(worker.outcome.get(), &failure, sizeof failure);
    worker.outcome.close();
    if (got == static_cast<ssize_t>(sizeof failure)) {
        const bool isFolder = failure.step == SpawnStep::WorkingFolder;
        send(NotStarted{worker.localRank, failure.step, failure.error,
                        isFolder ? worker.workingFolder : worker.program});
        return;
    }
    worker.isRunning = true;
    const Frame started = Started{worker.localRank, pid, now()};
    send(started, worker.pidfd.isOpen() ? std::vector{worker.pidfd.get()} : std::vector<int>{});
}

bool KeeperProcess::reap()
{
    // The kernel hands the dead out by age, not by when they died. All of one pass have its moment,
    // so a later moment is a later death; telling takes long and comes afterwards.
    const Moment seen = now();
    std::vector<EndedWorker> ended;
    bool hasChildren = true;
    for (;;) {
        siginfo_t info{};
        rusage usage{};
        // The raw call: glibc's has no resource usage.
        if (syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG, &usage) != 0) {
            hasChildren = errno != ECHILD;
            break;
        }
        if (info.si_pid == 0)
            break;
        const auto found = m_workers.find(info.si_pid);
        if (found == m_workers.end())
            continue;
        WorkerExit exit{.coreDumped = info.si_code == CLD_DUMPED,
                        .at = seen,
                        .userNs = nanoseconds(usage.ru_utime),
                        .systemNs = nanoseconds(usage.ru_stime),
                        .maxResidentBytes = usage.ru_maxrss * 1024,
                        .wasTold = found->second.wasTold};
        (info.si_code == CLD_EXITED ? exit.code : exit.signal) = info.si_status;
        ended.push_back({info.si_pid, std::move(found->second), exit});
        m_workers.erase(found);
    }
    for (EndedWorker& one : ended)
        workerEnded(one.pid, one.worker, one.exit);
    return hasChildren;
}

void KeeperProcess::workerEnded(pid_t pid, Worker& worker, WorkerExit exit)
{
    // A program that ends at once may be reaped before its start was noticed.
    if (worker.outcome.isOpen())
        settleLaunch(pid, worker);
    if (!worker.isRunning)
        return;
    exit.descendantsLeft = hasOrphans() ? membersOfSession(pid) : 0;
    send(Exited{worker.localRank, pid, exit});
}

/// Cheap, where /proc has a list of children: a walk through all processes is not.
bool KeeperProcess::hasOrphans() const
{
    const std::string path = "/proc/self/task/" + std::to_string(getpid()) + "/children";
    std::FILE* list = std::fopen(path.c_str(), "re");
    if (list == nullptr)
        return true;
    bool found = false;
    for (pid_t child = 0; !found && std::fscanf(list, "%d", &child) == 1;)
        found = m_workers.count(child) == 0;
    std::fclose(list);
    return found;
}

void KeeperProcess::send(const Frame& frame, const std::vector<int>& descriptors)
{
    const std::string bytes = encode(frame, descriptors.size());
    std::string_view rest = bytes;
    while (!m_agentIsGone && !rest.empty()) {
        const bool isFirst = rest.size() == bytes.size();
        const ssize_t sent = sendWithDescriptors(
            m_socket.get(), rest, std::span(descriptors).first(isFirst ? descriptors.size() : 0));
        if (sent < 0)
            m_agentIsGone = true;
        else
            rest.remove_prefix(static_cast<std::size_t>(sent));
    }
}

} // namespace ringmaster::keeper
