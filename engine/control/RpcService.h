#pragma once

// Internal to control/: needs gRPC.

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/control/RpcQueue.h"

#include <chrono>
#include <functional>
#include <memory>

#include <grpc/grpc.h>
#include <grpcpp/grpcpp.h>

namespace ringmaster {

/// Answers one RPC, once; on the server's thread.
template <class Reply>
using Respond = std::function<void(const grpc::Status&, const Reply&)>;

/// Keeps gRPC's library as long as a call is there, which may outlive the server: the last of its
/// users waits ten seconds for what isn't let go.
class GrpcLibrary
{
public:
    GrpcLibrary() { grpc_init(); }
    ~GrpcLibrary() { grpc_shutdown(); }
    GrpcLibrary(const GrpcLibrary&) = delete;
    GrpcLibrary& operator=(const GrpcLibrary&) = delete;
};

/// gRPC for one service: starts it and takes connections. All on the loop's thread; gRPC's own
/// only post to it.
class RpcService
{
public:
    RpcService(EventLoop& loop, int largestRequest) : m_loop(loop), m_largestRequest(largestRequest)
    {
    }
    virtual ~RpcService() = default;
    RpcService(const RpcService&) = delete;
    RpcService& operator=(const RpcService&) = delete;

    /// gRPC itself is started with the first connection.
    void serve(FileDescriptor connection);

    /// On another thread, while the loop runs: nobody else is served, calls under way get so long
    /// to end, then they are cancelled.
    void shutDown(std::chrono::milliseconds patience);

    bool isClosed() const { return m_isClosed; }
    EventLoop& loop() const { return m_loop; }
    grpc::ServerCompletionQueue* queue() const { return m_serverQueue; }

protected:
    virtual void configure(grpc::ServerBuilder& builder) = 0;
    /// The first call of each method.
    virtual void awaitCalls() = 0;

private:
    void start();

    EventLoop& m_loop;
    const int m_largestRequest;
    std::unique_ptr<grpc::Server> m_server;
    grpc::ServerCompletionQueue* m_serverQueue = nullptr; ///< Owned by m_queue.
    std::unique_ptr<RpcQueue> m_queue;
    bool m_isShuttingDown = false; ///< No connection is served.
    bool m_isClosed = false;       ///< No operation may be started.
};

/// When the next call of a method is taken. Where answers take their time, with the answer: who
/// asks for more meanwhile waits in gRPC, not in a queue of ours, and is refused at the end.
enum class NextCall { WhenAccepted, WhenAnswered };

/// Waits for one RPC after the other of a method that has one request and one reply. Service: a
/// RpcService with its generated `Native` and native().
template <class Service, class Request, class Reply>
class UnaryCall : public std::enable_shared_from_this<UnaryCall<Service, Request, Reply>>
{
public:
    using Accept = void (Service::Native::*)(grpc::ServerContext*, Request*,
                                             grpc::ServerAsyncResponseWriter<Reply>*,
                                             grpc::CompletionQueue*, grpc::ServerCompletionQueue*,
                                             void*);
    using Handler = std::function<void(const Request&, Respond<Reply>)>;

    UnaryCall(Service& service, Accept accept, Handler handler,
              NextCall next = NextCall::WhenAccepted)
        : m_service(service), m_accept(accept), m_handler(std::move(handler)), m_next(next)
    {
    }

    void await()
    {
        auto* queue = m_service.queue();
        (m_service.native().*
         m_accept)(&m_context, &m_request, &m_responder, queue, queue,
                   RpcQueue::tag([self = this->shared_from_this()](bool ok) {
                       if (ok)
                           self->m_service.loop().post([self] { self->accepted(); });
                   }));
    }

private:
    void accepted()
    {
        if (m_service.isClosed())
            return;
        if (m_next == NextCall::WhenAccepted)
            awaitNext();
        m_handler(m_request, [self = this->shared_from_this()](const grpc::Status& status,
                                                               const Reply& reply) {
            if (self->m_service.isClosed())
                return;
            if (self->m_next == NextCall::WhenAnswered)
                self->awaitNext();
            self->m_responder.Finish(reply, status, RpcQueue::tag([self](bool /*ok*/) {}));
        });
    }

    void awaitNext()
    {
        std::make_shared<UnaryCall>(m_service, m_accept, m_handler, m_next)->await();
    }

    GrpcLibrary m_library; // outlives what follows
    Service& m_service;
    Accept m_accept;
    Handler m_handler;
    NextCall m_next;
    grpc::ServerContext m_context;
    Request m_request;
    grpc::ServerAsyncResponseWriter<Reply> m_responder{&m_context};
};

} // namespace ringmaster
