#include "engine/control/AgentClient.h"

#include "engine/base/Version.h"
#include "engine/control/AgentConnection.h"
#include "engine/control/EventReader.h"
#include "engine/control/LocalSocket.h"
#include "engine/control/LogProto.h"
#include "engine/control/OperationProto.h"
#include "engine/event/Proto.h"

#include <grpcpp/create_channel_posix.h>

namespace ringmaster {

namespace {

constexpr int LargestAnswer = 64 << 20;
constexpr auto Patience = std::chrono::seconds(10);

std::shared_ptr<grpc::Channel> channelOver(FileDescriptor connection)
{
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(LargestAnswer);
    return grpc::CreateCustomInsecureChannelFromFd("agent", connection.release(), arguments);
}

template <class Request, class Reply>
using Prepare = std::unique_ptr<grpc::ClientAsyncResponseReader<Reply>> (v1::Agent::Stub::*)(
    grpc::ClientContext*, const Request&, grpc::CompletionQueue*);

template <class Reply>
struct UnaryExchange
{
    grpc::ClientContext context{};
    Reply reply{};
    grpc::Status status{};
    std::unique_ptr<grpc::ClientAsyncResponseReader<Reply>> reader{};
};

/// Makes one RPC; `convert` turns its reply into the answer.
template <class T, class Request, class Reply, class Convert>
void callOnce(const std::shared_ptr<AgentConnection>& connection, Prepare<Request, Reply> prepare,
              const Request& request, AgentClient::Answer<T> answer, Convert convert,
              std::chrono::milliseconds patience = Patience)
{
    auto exchange = std::make_shared<UnaryExchange<Reply>>();
    exchange->context.set_deadline(std::chrono::system_clock::now() + patience);
    connection->begun(exchange->context);
    exchange->reader =
        (connection->stub().*prepare)(&exchange->context, request, connection->queue());
    exchange->reader->StartCall();
    exchange->reader->Finish(
        &exchange->reply, &exchange->status,
        RpcQueue::tag([connection, exchange, convert, answer = std::move(answer)](bool /*ok*/) {
            if (exchange->status.ok())
                answer(convert(exchange->reply));
            else
                answer(tl::unexpected(toError(exchange->status, connection->run())));
            connection->finished(exchange->context);
        }));
}

} // namespace

AgentClient::AgentClient(FileDescriptor connection, std::string run, RpcQueue& queue)
    : m_connection(std::make_shared<AgentConnection>(channelOver(std::move(connection)),
                                                     std::move(run), queue))
{
}

AgentClient::~AgentClient()
{
    m_connection->end();
}

Result<std::unique_ptr<AgentClient>> AgentClient::connect(const std::filesystem::path& socket,
                                                          std::string run, RpcQueue& queue)
{
    FileDescriptor connection = RM_TRY(connectLocally(socket));
    RM_TRY(setNonBlocking(connection.get()));
    return std::make_unique<AgentClient>(std::move(connection), std::move(run), queue);
}

void AgentClient::hello(Answer<Agent> answer)
{
    v1::HelloRequest request;
    request.set_ringmaster_version(RINGMASTER_VERSION);
    callOnce<Agent, v1::HelloRequest, v1::HelloReply>(
        m_connection, &v1::Agent::Stub::PrepareAsyncHello, request, std::move(answer),
        [](const v1::HelloReply& reply) {
            return Agent{reply.ringmaster_version(), reply.run(), reply.agent_pid()};
        });
}

void AgentClient::snapshot(Answer<RunSnapshot> answer)
{
    callOnce<RunSnapshot, v1::SnapshotRequest, v1::RunSnapshot>(
        m_connection, &v1::Agent::Stub::PrepareAsyncGetSnapshot, {}, std::move(answer),
        [](const v1::RunSnapshot& reply) { return fromProto(reply); });
}

void AgentClient::readLog(const LogQuery& query, Answer<LogPage> answer)
{
    v1::LogQuery request;
    toProto(query, request);
    callOnce<LogPage, v1::LogQuery, v1::LogPage>(
        m_connection, &v1::Agent::Stub::PrepareAsyncReadLog, request, std::move(answer),
        [](const v1::LogPage& reply) { return fromProto(reply); });
}

void AgentClient::readOperations(std::uint64_t cursor, Answer<OperationPage> answer)
{
    v1::OperationQuery request;
    request.set_cursor(cursor);
    callOnce<OperationPage, v1::OperationQuery, v1::OperationPage>(
        m_connection, &v1::Agent::Stub::PrepareAsyncReadOperations, request, std::move(answer),
        [](const v1::OperationPage& reply) { return Result<OperationPage>(fromProto(reply)); });
}

void AgentClient::lookAtRanks(const std::vector<int>& stacks, Answer<std::vector<RankState>> answer)
{
    v1::RankLook request;
    request.mutable_stacks()->Add(stacks.begin(), stacks.end());
    callOnce<std::vector<RankState>, v1::RankLook, v1::RankStates>(
        m_connection, &v1::Agent::Stub::PrepareAsyncLookAtRanks, request, std::move(answer),
        [](const v1::RankStates& reply) { return fromProto(reply); });
}

void AgentClient::takeStacks(Answer<KeptEvidence> answer)
{
    callOnce<KeptEvidence, v1::StacksQuery, v1::Stacks>(
        m_connection, &v1::Agent::Stub::PrepareAsyncTakeStacks, {}, std::move(answer),
        [](const v1::Stacks& reply) { return fromProto(reply); });
}

void AgentClient::send(const Command& command, Answer<void> answer, std::uint64_t generation)
{
    v1::Command request;
    toProto(command, request);
    request.set_generation(generation);
    callOnce<void, v1::Command, v1::SendReply>(
        m_connection, &v1::Agent::Stub::PrepareAsyncSend, request, std::move(answer),
        [](const v1::SendReply& /*reply*/) { return Result<void>(); });
}

void AgentClient::heartbeat(const Heartbeat& heartbeat, std::chrono::milliseconds patience,
                            Answer<HeartbeatReply> answer)
{
    v1::HeartbeatRequest request;
    request.set_generation(heartbeat.generation);
    request.set_is_released(heartbeat.isReleased);
    callOnce<HeartbeatReply, v1::HeartbeatRequest, v1::HeartbeatReply>(
        m_connection, &v1::Agent::Stub::PrepareAsyncHeartbeat, request, std::move(answer),
        [](const v1::HeartbeatReply& reply) { return fromProto(reply); }, patience);
}

Subscription AgentClient::subscribe(std::uint64_t sequence,
                                    std::function<void(std::vector<Event>)> events,
                                    std::function<void(Result<void>)> ended)
{
    auto gate = std::make_shared<Gate>();
    auto reader =
        std::make_shared<EventReader>(m_connection, gate, std::move(events), std::move(ended));
    reader->start(sequence);
    return Subscription([gate, weak = std::weak_ptr(reader)] {
        gate->close();
        if (const auto alive = weak.lock())
            alive->cancel();
    });
}

} // namespace ringmaster
