#include "engine/base/DescriptorPassing.h"
#include "engine/base/EventLoop.h"
#include "engine/control/ByteChannel.h"
#include "engine/control/ControlServer.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/node/AgentChannel.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// simulated_agents SOCKET WORKERS OPERATIONS: agents of hosts that there aren't, one for each
// connection, all in this process. Started as `ssh` (by a link of that name), it is the way to one
// of them: it hands its standard input over and waits. bench_lead.py uses both.

namespace {

using namespace ringmaster;

constexpr const char* SocketVariable = "SIMULATED_AGENTS";

sockaddr_un addressOf(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

/// What the lead calls ssh for.
int actAsSsh(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "-G") == 0)
            return std::printf("hostname %s\nuser nobody\nport 22\n", argv[argc - 1]) < 0 ? 1 : 0;
    }
    const char* path = std::getenv(SocketVariable); // NOLINT(concurrency-mt-unsafe): no thread yet
    const FileDescriptor way(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = addressOf(path != nullptr ? path : "");
    if (::connect(way.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return 255;
    if (sendWithDescriptors(way.get(), "c", std::array{STDIN_FILENO}) != 1)
        return 255;
    char word = 0;
    return ::read(way.get(), &word, 1) == 0 ? 0 : 255; // until the agent is gone
}

std::int64_t nowNs()
{
    return SystemClock().now().monotonicNs;
}

/// How all of them have met.
struct Progress
{
    int agents = 0;
    std::atomic<int> begun = 0;
    std::atomic<std::int64_t> firstOfferNs = 0;

    void offered()
    {
        std::int64_t none = 0;
        firstOfferNs.compare_exchange_strong(none, nowNs());
    }
    void began()
    {
        if (++begun != agents)
            return;
        const double seconds = static_cast<double>(nowNs() - firstOfferNs) / 1e9;
        std::printf("met %d %.3f\n", agents, seconds);
        std::fflush(stdout);
    }
};

class SimulatedAgent : private ControlServer::Host, private ControlServer::Recording
{
public:
    /// `way` ends with it: its link does as ssh does when the agent's process is gone.
    SimulatedAgent(EventLoop& loop, AgentLaunchRequest order, FileDescriptor channel,
                   FileDescriptor way, int workers, int operations, Progress& progress)
        : m_order(std::move(order))
        , m_way(std::move(way))
        , m_workers(workers)
        , m_operations(operations)
        , m_progress(progress)
        , m_server(loop, *this, *this, {.run = m_order.run, .machine = "simulated"})
    {
        m_server.serve(std::move(channel));
        tell(RunStateChanged{.state = RunState::Starting});
    }

    /// It is ready for a round.
    void offer()
    {
        m_progress.offered();
        tell(RendezvousReport{
            .roles = {{"default", m_workers}}, .address = "127.0.0.1", .port = 29'500});
    }

private:
    Result<void> execute(const Command& command) override
    {
        if (const auto* round = std::get_if<BeginRound>(&command)) {
            m_progress.began();
            work(*round);
        }
        const bool isOver = std::holds_alternative<CloseRendezvous>(command) ||
                            std::holds_alternative<StopRun>(command);
        if (isOver && !std::exchange(m_isOver, true))
            tell(RunStateChanged{.state = RunState::Stopped, .exitCode = 1});
        return {};
    }

    void work(const BeginRound& round)
    {
        AttemptStarted attempt{
            .attempt = round.attempt, .round = round.round, .worldSize = round.worldSize};
        m_firstRank = round.places.front().globalRankBase;
        m_worldSize = round.worldSize;
        for (int rank = 0; rank < m_workers; ++rank)
            attempt.workers.push_back({.localRank = rank, .globalRank = m_firstRank + rank});
        tell(attempt);
        for (int rank = 0; rank < m_workers; ++rank)
            tell(WorkerStateChanged{.globalRank = m_firstRank + rank,
                                    .localRank = rank,
                                    .pid = 1000 + rank,
                                    .state = WorkerState::Healthy});
        tell(RunStateChanged{.state = RunState::Running});
        m_begunNs = nowNs();
    }

    Result<HeartbeatReply> heartbeat(const Heartbeat& heartbeat) override
    {
        if (heartbeat.isReleased)
            m_way.close();
        return HeartbeatReply{.at = SystemClock().now()};
    }
    void watched(bool /*isWatched*/) override {}
    Result<std::vector<Event>> events(std::uint64_t /*after*/, size_t /*limit*/) override
    {
        return std::vector<Event>();
    }
    Result<LogPage> log(const LogQuery& /*query*/) override { return LogPage{}; }

    /// So many a second of each rank, all of one group.
    OperationBatch batchOf(int rank, std::uint64_t from, std::uint64_t until) const
    {
        OperationBatch batch{.rank = rank, .groups = {{.group = 0, .name = "0"}}};
        for (int member = 0; member < m_worldSize; ++member)
            batch.groups.front().members.push_back(member);
        const std::int64_t eachNs = 1'000'000'000 / m_operations;
        for (std::uint64_t number = from + 1; number <= until; ++number) {
            const std::int64_t at = m_begunNs + static_cast<std::int64_t>(number) * eachNs;
            batch.operations.push_back({.id = number,
                                        .kind = ledger::OperationKind::AllReduce,
                                        .type = ledger::DataType::Float32,
                                        .outcome = Operation::Outcome::Done,
                                        .number = number,
                                        .bytes = 4096,
                                        .elements = 1024,
                                        .enqueuedNs = at,
                                        .endedNs = at + eachNs / 2});
        }
        return batch;
    }

    /// On the thread that reads; the cursor is how many each rank has done.
    Result<OperationPage> operations(std::uint64_t cursor) override
    {
        OperationPage page{.cursor = cursor};
        if (m_begunNs == 0 || m_operations == 0)
            return page;
        page.cursor = static_cast<std::uint64_t>(nowNs() - m_begunNs) /
                      static_cast<std::uint64_t>(1'000'000'000 / m_operations);
        for (int rank = 0; page.cursor > cursor && rank < m_workers; ++rank) {
            const OperationBatch batch = batchOf(m_firstRank + rank, cursor, page.cursor);
            page.rows.push_back({.globalRank = batch.rank,
                                 .count = batch.operations.size(),
                                 .block = packOperations(batch)});
        }
        return page;
    }

    std::vector<RankActivity> ranks(const std::vector<int>& /*stacks*/) override
    {
        std::vector<RankActivity> states;
        for (int rank = 0; m_begunNs != 0 && rank < m_workers; ++rank)
            states.push_back(
                {.rank = m_firstRank + rank,
                 .isRecorded = true,
                 .process = {.state = diagnose::ProcessView::State::Alive, .pid = 1000 + rank},
                 .now = {.rank = m_firstRank + rank}});
        return states;
    }

    void tell(EventBody body)
    {
        ++m_sequence;
        m_server.publish(
            {.id = {.run = m_order.run, .agent = m_order.agent, .sequence = m_sequence},
             .runSequence = m_sequence,
             .at = SystemClock().now(),
             .node = m_order.host,
             .body = std::move(body)});
    }

    AgentLaunchRequest m_order;
    FileDescriptor m_way;
    int m_workers;
    int m_operations;
    Progress& m_progress;
    std::uint64_t m_sequence = 0;
    int m_firstRank = 0;
    int m_worldSize = 0;
    std::atomic<std::int64_t> m_begunNs = 0;
    bool m_isOver = false;
    ControlServer m_server;
};

Result<std::unique_ptr<SimulatedAgent>> meet(EventLoop& loop, FileDescriptor way, int workers,
                                             int operations, Progress& progress)
{
    FileDescriptor channel = receiveDescriptor(way.get());
    RM_TRY(writeAll(channel.get(), ByteChannel::Sentinel));
    AgentLaunchRequest order = RM_TRY(receiveLaunchRequest(channel.get()));
    RM_TRY(setNonBlocking(channel.get())); // gRPC never waits in a read
    return std::make_unique<SimulatedAgent>(loop, std::move(order), std::move(channel),
                                            std::move(way), workers, operations, progress);
}

int simulate(const std::string& path, int agents, int workers, int operations)
{
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    (void)std::signal(SIGPIPE, SIG_IGN);
    const FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = addressOf(path);
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listener.get(), 4096) != 0)
        return 2;
    std::puts("ready");
    std::fflush(stdout);
    EventLoop loop;
    Progress progress{.agents = agents};
    std::vector<std::unique_ptr<SimulatedAgent>> all;
    const auto watch = loop.watchReadable(listener.get(), [&] {
        FileDescriptor way(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        auto agent = meet(loop, std::move(way), workers, operations, progress);
        if (!agent) {
            std::fprintf(stderr, "simulated_agents: %s\n", describe(agent.error()).c_str());
            return;
        }
        all.push_back(*std::move(agent));
        // As torchrun's, which are there before they begin to meet.
        for (size_t i = 0; all.size() == static_cast<size_t>(agents) && i < all.size(); ++i)
            all[i]->offer();
    });
    const auto signals = loop.watchSignals({SIGTERM, SIGINT}, [&](int) { loop.stop(); });
    loop.run();
    std::_Exit(0); // a thousand servers would each wait for their last subscriber
}

} // namespace

int main(int argc, char** argv)
{
    const std::string name = argv[0];
    if (name.ends_with("ssh"))
        return actAsSsh(argc, argv);
    if (argc != 5) {
        std::fprintf(stderr, "simulated_agents SOCKET AGENTS WORKERS OPERATIONS-A-SECOND\n");
        return 2;
    }
    return simulate(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
}
