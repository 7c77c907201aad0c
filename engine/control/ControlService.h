#pragma once

// Internal to control/: needs gRPC.

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/control/RpcQueue.h"

#include <chrono>
#include <functional>
#include <optional>

#include <grpcpp/grpcpp.h>
#include <ringmaster.grpc.pb.h>

namespace ringmaster {

/// Answers one RPC, once; on the server's thread.
template <class Reply>
using Respond = std::function<void(const grpc::Status&, const Reply&)>;

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

/// gRPC for one agent: starts it, takes connections, and turns RPCs into calls of the Target. All
/// on the loop's thread; gRPC's own only post to it.
class ControlService
{
public:
    class Target
    {
    public:
        virtual ~Target() = default;
        virtual void hello(v1::HelloReply& reply) const = 0;
        virtual void snapshot(v1::RunSnapshot& reply) const = 0;
        virtual grpc::Status readLog(const v1::LogQuery& request, v1::LogPage& reply) = 0;
        virtual grpc::Status readOperations(const v1::OperationQuery& request,
                                            v1::OperationPage& reply) = 0;
        virtual void lookAtRanks(const v1::RankLook& request, v1::RankStates& reply) = 0;
        virtual void takeStacks(Respond<v1::Stacks> respond) = 0;
        virtual void execute(const v1::Command& request, Respond<v1::SendReply> respond) = 0;
        virtual void heartbeat(const v1::HeartbeatRequest& request,
                               Respond<v1::HeartbeatReply> respond) = 0;
        virtual void subscriberCame(SubscriberStream& stream) = 0;
        virtual void subscriberReady(SubscriberStream& stream) = 0;
        virtual void subscriberGone(SubscriberStream& stream) = 0;
    };

    ControlService(EventLoop& loop, Target& target) : m_loop(loop), m_target(target) {}
    ControlService(const ControlService&) = delete;
    ControlService& operator=(const ControlService&) = delete;

    /// gRPC itself is started with the first connection.
    void serve(FileDescriptor connection);

    /// On another thread, while the loop runs: calls under way get so long to end, then they are
    /// cancelled.
    void shutDown(std::chrono::milliseconds patience);

    bool isClosed() const { return m_isClosed; }
    EventLoop& loop() const { return m_loop; }
    Target& target() const { return m_target; }
    v1::Agent::AsyncService& native() { return m_native; }
    grpc::ServerCompletionQueue* queue() const { return m_serverQueue; }

private:
    void start();
    void awaitCalls();

    EventLoop& m_loop;
    Target& m_target;
    v1::Agent::AsyncService m_native;
    std::unique_ptr<grpc::Server> m_server;
    grpc::ServerCompletionQueue* m_serverQueue = nullptr; ///< Owned by m_queue.
    std::unique_ptr<RpcQueue> m_queue;
    bool m_isClosed = false; ///< No operation may be started.
};

} // namespace ringmaster
