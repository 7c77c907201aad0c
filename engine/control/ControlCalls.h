#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/ControlService.h"

namespace ringmaster {

/// Waits for one RPC after the other of a method that has one request and one reply.
template <class Request, class Reply>
class UnaryCall : public std::enable_shared_from_this<UnaryCall<Request, Reply>>
{
public:
    using Accept = void (v1::Agent::AsyncService::*)(grpc::ServerContext*, Request*,
                                                     grpc::ServerAsyncResponseWriter<Reply>*,
                                                     grpc::CompletionQueue*,
                                                     grpc::ServerCompletionQueue*, void*);
    using Handler = std::function<void(const Request&, Respond<Reply>)>;

    UnaryCall(ControlService& service, Accept accept, Handler handler)
        : m_service(service), m_accept(accept), m_handler(std::move(handler))
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
        std::make_shared<UnaryCall>(m_service, m_accept, m_handler)->await();
        m_handler(m_request, [self = this->shared_from_this()](const grpc::Status& status,
                                                               const Reply& reply) {
            if (!self->m_service.isClosed())
                self->m_responder.Finish(reply, status, RpcQueue::tag([self](bool /*ok*/) {}));
        });
    }

    ControlService& m_service;
    Accept m_accept;
    Handler m_handler;
    grpc::ServerContext m_context;
    Request m_request;
    grpc::ServerAsyncResponseWriter<Reply> m_responder{&m_context};
};

/// Waits for one subscriber after the other.
class SubscribeCall : public SubscriberStream, public std::enable_shared_from_this<SubscribeCall>
{
public:
    explicit SubscribeCall(ControlService& service) : m_service(service) {}

    void await();

    void send(v1::EventBatch batch, std::uint64_t last) override;
    void end(const grpc::Status& status) override;
    bool isIdle() const override { return !m_isWriting && !m_isEnded; }
    std::uint64_t position() const override { return m_position; }

private:
    void accepted();
    void written(bool ok);

    /// A tag whose `call` runs on the server's thread.
    void* onLoop(void (SubscribeCall::*call)(bool));
    void finished(bool ok);

    ControlService& m_service;
    grpc::ServerContext m_context;
    v1::SubscribeRequest m_request;
    grpc::ServerAsyncWriter<v1::EventBatch> m_writer{&m_context};
    std::uint64_t m_position = 0;
    bool m_isWriting = false;
    bool m_isEnded = false;
    std::shared_ptr<SubscribeCall> m_self; ///< From its coming to its end: when idle no tag has it.
};

} // namespace ringmaster
