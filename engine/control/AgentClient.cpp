#include "engine/control/AgentClient.h"

#include "engine/base/Version.h"
#include "engine/control/ControlSocket.h"
#include "engine/control/LogProto.h"
#include "engine/control/OperationProto.h"
#include "engine/control/RpcConnection.h"
#include "engine/control/StreamReader.h"
#include "engine/event/Proto.h"

#include <ringmaster.grpc.pb.h>

namespace ringmaster {

/// One agent serves one run.
class AgentConnection : public StubConnection<v1::Agent>
{
public:
    AgentConnection(FileDescriptor connection, std::string run, RpcQueue& queue)
        : StubConnection(std::move(connection), queue), m_run(std::move(run))
    {
    }

    const std::string& run() const { return m_run; }

private:
    std::string m_run;
};

AgentClient::AgentClient(FileDescriptor connection, std::string run, RpcQueue& queue)
    : m_connection(std::make_shared<AgentConnection>(std::move(connection), std::move(run), queue))
{
}

AgentClient::~AgentClient()
{
    m_connection->end();
}

Result<std::unique_ptr<AgentClient>> AgentClient::connect(const std::filesystem::path& socket,
                                                          std::string run, RpcQueue& queue)
{
    FileDescriptor connection = RM_TRY(connectToAgent(socket, run));
    RM_TRY(setNonBlocking(connection.get()));
    return std::make_unique<AgentClient>(std::move(connection), std::move(run), queue);
}

void AgentClient::hello(Answer<Agent> answer)
{
    v1::HelloRequest request;
    request.set_ringmaster_version(RINGMASTER_VERSION);
    callOnce<Agent, v1::HelloRequest, v1::HelloReply>(
        m_connection, &v1::Agent::Stub::PrepareAsyncHello, request, m_connection->run(),
        std::move(answer), [](const v1::HelloReply& reply) {
            return Agent{reply.ringmaster_version(), reply.run(), reply.agent_pid()};
        });
}

void AgentClient::snapshot(Answer<RunSnapshot> answer)
{
    callOnce<RunSnapshot, v1::SnapshotRequest, v1::RunSnapshot>(
        m_connection, &v1::Agent::Stub::PrepareAsyncGetSnapshot, {}, m_connection->run(),
        std::move(answer), [](const v1::RunSnapshot& reply) { return fromProto(reply); });
}

void AgentClient::readLog(const LogQuery& query, Answer<LogPage> answer)
{
    v1::LogQuery request;
    toProto(query, request);
    callOnce<LogPage, v1::LogQuery, v1::LogPage>(
        m_connection, &v1::Agent::Stub::PrepareAsyncReadLog, request, m_connection->run(),
        std::move(answer), [](const v1::LogPage& reply) { return fromProto(reply); });
}

void AgentClient::readOperations(std::uint64_t cursor, Answer<OperationPage> answer)
{
    v1::OperationQuery request;
    request.set_cursor(cursor);
    callOnce<OperationPage, v1::OperationQuery, v1::OperationPage>(
        m_connection, &v1::Agent::Stub::PrepareAsyncReadOperations, request, m_connection->run(),
        std::move(answer),
        [](const v1::OperationPage& reply) { return Result<OperationPage>(fromProto(reply)); });
}

void AgentClient::lookAtRanks(const std::vector<int>& stacks,
                              Answer<std::vector<RankActivity>> answer)
{
    v1::RankLook request;
    request.mutable_stacks()->Add(stacks.begin(), stacks.end());
    callOnce<std::vector<RankActivity>, v1::RankLook, v1::RankActivities>(
        m_connection, &v1::Agent::Stub::PrepareAsyncLookAtRanks, request, m_connection->run(),
        std::move(answer), [](const v1::RankActivities& reply) { return fromProto(reply); });
}

void AgentClient::takeStacks(Answer<KeptEvidence> answer)
{
    callOnce<KeptEvidence, v1::StacksQuery, v1::Stacks>(
        m_connection, &v1::Agent::Stub::PrepareAsyncTakeStacks, {}, m_connection->run(),
        std::move(answer), [](const v1::Stacks& reply) { return fromProto(reply); });
}

void AgentClient::readMetrics(Answer<MetricsText> answer)
{
    callOnce<MetricsText, v1::MetricsQuery, v1::Metrics>(
        m_connection, &v1::Agent::Stub::PrepareAsyncReadMetrics, {}, m_connection->run(),
        std::move(answer), [](const v1::Metrics& reply) {
            return Result<MetricsText>({reply.text(), reply.is_more()});
        });
}

void AgentClient::send(const Command& command, Answer<void> answer, std::uint64_t generation)
{
    v1::Command request;
    toProto(command, request);
    request.set_generation(generation);
    callOnce<void, v1::Command, v1::SendReply>(
        m_connection, &v1::Agent::Stub::PrepareAsyncSend, request, m_connection->run(),
        std::move(answer), [](const v1::SendReply& /*reply*/) { return Result<void>(); });
}

void AgentClient::heartbeat(const Heartbeat& heartbeat, std::chrono::milliseconds patience,
                            Answer<HeartbeatReply> answer)
{
    v1::HeartbeatRequest request;
    request.set_generation(heartbeat.generation);
    request.set_is_released(heartbeat.isReleased);
    callOnce<HeartbeatReply, v1::HeartbeatRequest, v1::HeartbeatReply>(
        m_connection, &v1::Agent::Stub::PrepareAsyncHeartbeat, request, m_connection->run(),
        std::move(answer), [](const v1::HeartbeatReply& reply) { return fromProto(reply); },
        patience);
}

Subscription AgentClient::subscribe(std::uint64_t sequence,
                                    std::function<void(std::vector<Event>)> events,
                                    std::function<void(Result<void>)> ended)
{
    auto reader = std::make_shared<StreamReader<v1::EventBatch>>(
        m_connection, m_connection->run(), eventsTo(std::move(events)), std::move(ended));
    v1::SubscribeRequest request;
    request.set_from_sequence(sequence);
    reader->start([this, &request](grpc::ClientContext* context) {
        return m_connection->stub().PrepareAsyncSubscribe(context, request, m_connection->queue());
    });
    return subscriptionTo(reader);
}

} // namespace ringmaster
