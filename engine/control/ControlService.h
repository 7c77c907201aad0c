#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/RpcService.h"

#include <ringmaster.grpc.pb.h>

namespace ringmaster {

/// One subscriber: takes a batch when the last one is taken. Lives on the server's thread.
class SubscriberStream
{
public:
    virtual ~SubscriberStream() = default;

    /// Sends events that follow position(); must be idle.
    virtual void send(v1::EventBatch batch, std::uint64_t last) = 0;
    /// Nothing can be sent afterwards.
    virtual void end(const grpc::Status& status) = 0;

    virtual bool isIdle() const = 0;
    virtual std::uint64_t position() const = 0;
};

/// gRPC for one agent: turns RPCs into calls of the Target, on the loop's thread.
class ControlService : public RpcService
{
public:
    using Native = v1::Agent::AsyncService;

    class Target
    {
    public:
        virtual ~Target() = default;
        virtual void hello(v1::HelloReply& reply) const = 0;
        virtual void snapshot(v1::RunSnapshot& reply) const = 0;
        virtual grpc::Status readLog(const v1::LogQuery& request, v1::LogPage& reply) = 0;
        virtual grpc::Status readOperations(const v1::OperationQuery& request,
                                            v1::OperationPage& reply) = 0;
        virtual void lookAtRanks(const v1::RankLook& request, v1::RankActivities& reply) = 0;
        virtual grpc::Status readMetrics(v1::Metrics& reply) = 0;
        virtual void takeStacks(Respond<v1::Stacks> respond) = 0;
        virtual void execute(const v1::Command& request, Respond<v1::SendReply> respond) = 0;
        virtual void heartbeat(const v1::HeartbeatRequest& request,
                               Respond<v1::HeartbeatReply> respond) = 0;
        virtual void subscriberCame(SubscriberStream& stream) = 0;
        virtual void subscriberReady(SubscriberStream& stream) = 0;
        virtual void subscriberGone(SubscriberStream& stream) = 0;
    };

    ControlService(EventLoop& loop, Target& target);

    Target& target() const { return m_target; }
    Native& native() { return m_native; }

private:
    void configure(grpc::ServerBuilder& builder) override { builder.RegisterService(&m_native); }
    void awaitCalls() override;
    template <class Request, class Reply>
    void await(typename UnaryCall<ControlService, Request, Reply>::Accept accept,
               typename UnaryCall<ControlService, Request, Reply>::Handler handler);

    Target& m_target;
    Native m_native;
};

} // namespace ringmaster
