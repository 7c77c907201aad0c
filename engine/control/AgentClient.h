#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/control/Cluster.h"
#include "engine/control/RankActivity.h"
#include "engine/control/RpcQueue.h"
#include "engine/event/LeadCommands.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

class AgentConnection;

/// One connection to one agent. Every call returns at once; answers come exactly once, on the
/// queue's thread. The destructor cancels what is under way and waits for it: not to be called from
/// within an answer.
class AgentClient
{
public:
    template <class T>
    using Answer = std::function<void(Result<T>)>;

    struct Agent
    {
        std::string version{};
        std::string run{};
        int pid = 0;
    };

    /// The run's figures for Prometheus.
    struct MetricsText
    {
        std::string text{};
        bool isMore = false; ///< Of the operations, which are missing until then: ask again.
    };

    /// `connection` is a socket, or the socket of a ByteChannel; `run` names it in errors; `queue`
    /// outlives this.
    AgentClient(FileDescriptor connection, std::string run, RpcQueue& queue);
    ~AgentClient();
    AgentClient(const AgentClient&) = delete;
    AgentClient& operator=(const AgentClient&) = delete;

    static Result<std::unique_ptr<AgentClient>> connect(const std::filesystem::path& socket,
                                                        std::string run, RpcQueue& queue);

    void hello(Answer<Agent> answer);
    void snapshot(Answer<RunSnapshot> answer);
    void readLog(const LogQuery& query, Answer<LogPage> answer);
    void readOperations(std::uint64_t cursor, Answer<OperationPage> answer);
    /// Of an agent whose ranks nobody has looked at lately the first answer is empty.
    void lookAtRanks(const std::vector<int>& stacks, Answer<std::vector<RankActivity>> answer);
    /// Where the ranks stand now: it takes up to seconds.
    void takeStacks(Answer<KeptEvidence> answer);
    void readMetrics(Answer<MetricsText> answer);
    /// `generation` of the lead that sends it; 0: a user does.
    void send(const Command& command, Answer<void> answer, std::uint64_t generation = 0);
    /// The lead's heartbeat; no answer within `patience` is code::AgentNotAnswering.
    void heartbeat(const Heartbeat& heartbeat, std::chrono::milliseconds patience,
                   Answer<HeartbeatReply> answer);

    /// Events after `sequence`, in batches; the next one is fetched when `events` has returned.
    /// `ended` without an error: the run has ended and that was all.
    [[nodiscard]] Subscription subscribe(std::uint64_t sequence,
                                         std::function<void(std::vector<Event>)> events,
                                         std::function<void(Result<void>)> ended);

private:
    std::shared_ptr<AgentConnection> m_connection;
};

} // namespace ringmaster
