#include "engine/control/ControlService.h"

#include "engine/control/ControlCalls.h"

namespace ringmaster {

namespace {

constexpr int LargestRequest = 64 << 10;

} // namespace

ControlService::ControlService(EventLoop& loop, Target& target)
    : RpcService(loop, LargestRequest), m_target(target)
{
}

template <class Request, class Reply>
void ControlService::await(typename UnaryCall<ControlService, Request, Reply>::Accept accept,
                           typename UnaryCall<ControlService, Request, Reply>::Handler handler)
{
    std::make_shared<UnaryCall<ControlService, Request, Reply>>(*this, accept, std::move(handler))
        ->await();
}

void ControlService::awaitCalls()
{
    await<v1::HelloRequest, v1::HelloReply>(
        &Native::RequestHello,
        [this](const v1::HelloRequest& /*request*/, const Respond<v1::HelloReply>& respond) {
            v1::HelloReply reply;
            m_target.hello(reply);
            respond(grpc::Status::OK, reply);
        });
    await<v1::SnapshotRequest, v1::RunSnapshot>(
        &Native::RequestGetSnapshot,
        [this](const v1::SnapshotRequest& /*request*/, const Respond<v1::RunSnapshot>& respond) {
            v1::RunSnapshot reply;
            m_target.snapshot(reply);
            respond(grpc::Status::OK, reply);
        });
    await<v1::LogQuery, v1::LogPage>(
        &Native::RequestReadLog,
        [this](const v1::LogQuery& request, const Respond<v1::LogPage>& respond) {
            v1::LogPage reply;
            const grpc::Status status = m_target.readLog(request, reply);
            respond(status, reply);
        });
    await<v1::OperationQuery, v1::OperationPage>(
        &Native::RequestReadOperations,
        [this](const v1::OperationQuery& request, const Respond<v1::OperationPage>& respond) {
            v1::OperationPage reply;
            const grpc::Status status = m_target.readOperations(request, reply);
            respond(status, reply);
        });
    await<v1::RankLook, v1::RankActivities>(
        &Native::RequestLookAtRanks,
        [this](const v1::RankLook& request, const Respond<v1::RankActivities>& respond) {
            v1::RankActivities reply;
            m_target.lookAtRanks(request, reply);
            respond(grpc::Status::OK, reply);
        });
    await<v1::StacksQuery, v1::Stacks>(
        &Native::RequestTakeStacks,
        [this](const v1::StacksQuery& /*request*/, Respond<v1::Stacks> respond) {
            m_target.takeStacks(std::move(respond));
        });
    await<v1::MetricsQuery, v1::Metrics>(
        &Native::RequestReadMetrics,
        [this](const v1::MetricsQuery& /*request*/, const Respond<v1::Metrics>& respond) {
            v1::Metrics reply;
            const grpc::Status status = m_target.readMetrics(reply);
            respond(status, reply);
        });
    await<v1::Command, v1::SendReply>(
        &Native::RequestSend, [this](const v1::Command& request, Respond<v1::SendReply> respond) {
            m_target.execute(request, std::move(respond));
        });
    await<v1::HeartbeatRequest, v1::HeartbeatReply>(
        &Native::RequestHeartbeat,
        [this](const v1::HeartbeatRequest& request, Respond<v1::HeartbeatReply> respond) {
            m_target.heartbeat(request, std::move(respond));
        });
    std::make_shared<SubscribeCall>(*this)->await();
}

} // namespace ringmaster
