#include "engine/control/ControlService.h"

#include "engine/base/Log.h"
#include "engine/control/ControlCalls.h"

#include <future>

#include <grpcpp/server_posix.h>

namespace ringmaster {

namespace {

constexpr int LargestRequest = 64 << 10;

} // namespace

void ControlService::serve(FileDescriptor connection)
{
    if (m_isClosed)
        return;
    if (!m_server)
        start();
    if (m_server)
        grpc::AddInsecureChannelFromFd(m_server.get(), connection.release());
}

void ControlService::start()
{
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(LargestRequest);
    builder.RegisterService(&m_native);
    auto queue = builder.AddCompletionQueue();
    m_server = builder.BuildAndStart();
    if (!m_server) {
        log::error("control", "gRPC can't be started");
        return;
    }
    m_serverQueue = queue.get();
    m_queue = std::make_unique<RpcQueue>(std::move(queue));
    awaitCalls();
}

void ControlService::awaitCalls()
{
    using Native = v1::Agent::AsyncService;
    std::make_shared<UnaryCall<v1::HelloRequest, v1::HelloReply>>(
        *this, &Native::RequestHello,
        [this](const v1::HelloRequest& /*request*/, const Respond<v1::HelloReply>& respond) {
            v1::HelloReply reply;
            m_target.hello(reply);
            respond(grpc::Status::OK, reply);
        })
        ->await();
    std::make_shared<UnaryCall<v1::SnapshotRequest, v1::RunSnapshot>>(
        *this, &Native::RequestGetSnapshot,
        [this](const v1::SnapshotRequest& /*request*/, const Respond<v1::RunSnapshot>& respond) {
            v1::RunSnapshot reply;
            m_target.snapshot(reply);
            respond(grpc::Status::OK, reply);
        })
        ->await();
    std::make_shared<UnaryCall<v1::LogQuery, v1::LogPage>>(
        *this, &Native::RequestReadLog,
        [this](const v1::LogQuery& request, const Respond<v1::LogPage>& respond) {
            v1::LogPage reply;
            const grpc::Status status = m_target.readLog(request, reply);
            respond(status, reply);
        })
        ->await();
    std::make_shared<UnaryCall<v1::OperationQuery, v1::OperationPage>>(
        *this, &Native::RequestReadOperations,
        [this](const v1::OperationQuery& request, const Respond<v1::OperationPage>& respond) {
            v1::OperationPage reply;
            const grpc::Status status = m_target.readOperations(request, reply);
            respond(status, reply);
        })
        ->await();
    std::make_shared<UnaryCall<v1::RankLook, v1::RankStates>>(
        *this, &Native::RequestLookAtRanks,
        [this](const v1::RankLook& request, const Respond<v1::RankStates>& respond) {
            v1::RankStates reply;
            m_target.lookAtRanks(request, reply);
            respond(grpc::Status::OK, reply);
        })
        ->await();
    std::make_shared<UnaryCall<v1::StacksQuery, v1::Stacks>>(
        *this, &Native::RequestTakeStacks,
        [this](const v1::StacksQuery& /*request*/, Respond<v1::Stacks> respond) {
            m_target.takeStacks(std::move(respond));
        })
        ->await();
    std::make_shared<UnaryCall<v1::Command, v1::SendReply>>(
        *this, &Native::RequestSend,
        [this](const v1::Command& request, Respond<v1::SendReply> respond) {
            m_target.execute(request, std::move(respond));
        })
        ->await();
    std::make_shared<UnaryCall<v1::HeartbeatRequest, v1::HeartbeatReply>>(
        *this, &Native::RequestHeartbeat,
        [this](const v1::HeartbeatRequest& request, Respond<v1::HeartbeatReply> respond) {
            m_target.heartbeat(request, std::move(respond));
        })
        ->await();
    std::make_shared<SubscribeCall>(*this)->await();
}

void ControlService::shutDown(std::chrono::milliseconds patience)
{
    if (!m_server)
        return;
    m_server->Shutdown(std::chrono::system_clock::now() + patience);
    // What is still in the loop's queue must find the service closed before the queue is.
    std::promise<void> closed;
    m_loop.post([this, &closed] {
        m_isClosed = true;
        m_queue->shutDown();
        closed.set_value();
    });
    closed.get_future().get();
    m_queue.reset();
}

} // namespace ringmaster
