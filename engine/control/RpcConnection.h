#pragma once

// Internal to control/: needs gRPC.

#include "engine/base/FileDescriptor.h"
#include "engine/control/RpcQueue.h"
#include "engine/control/RpcStatus.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>

#include <grpcpp/create_channel_posix.h>
#include <grpcpp/grpcpp.h>

namespace ringmaster {

/// What the RPCs under way over one connection share with the client that has it, which waits for
/// them when it ends.
class RpcConnection
{
public:
    RpcConnection(FileDescriptor connection, RpcQueue& queue) : m_queue(queue)
    {
        constexpr int LargestAnswer = 64 << 20;
        grpc::ChannelArguments arguments;
        arguments.SetMaxReceiveMessageSize(LargestAnswer);
        m_channel =
            grpc::CreateCustomInsecureChannelFromFd("agent", connection.release(), arguments);
    }

    void begun(grpc::ClientContext& context)
    {
        const std::lock_guard lock(m_mutex);
        m_underWay.insert(&context);
    }

    void finished(grpc::ClientContext& context)
    {
        const std::lock_guard lock(m_mutex);
        m_underWay.erase(&context);
        if (m_underWay.empty())
            m_idle.notify_all();
    }

    void end()
    {
        std::unique_lock lock(m_mutex);
        for (grpc::ClientContext* context : m_underWay)
            context->TryCancel();
        m_idle.wait(lock, [this] { return m_underWay.empty(); });
    }

    const std::shared_ptr<grpc::Channel>& channel() const { return m_channel; }
    grpc::CompletionQueue* queue() const { return m_queue.queue(); }

private:
    RpcQueue& m_queue;
    std::shared_ptr<grpc::Channel> m_channel;
    std::mutex m_mutex;
    std::condition_variable m_idle;
    std::set<grpc::ClientContext*> m_underWay;
};

/// A connection with the generated stub of what is at its other end.
template <class Service>
class StubConnection : public RpcConnection
{
public:
    using Stub = typename Service::Stub;

    StubConnection(FileDescriptor connection, RpcQueue& queue)
        : RpcConnection(std::move(connection), queue), m_stub(Service::NewStub(channel()))
    {
    }

    Stub& stub() const { return *m_stub; }

private:
    std::unique_ptr<Stub> m_stub;
};

template <class Reply>
struct UnaryExchange
{
    grpc::ClientContext context{};
    Reply reply{};
    grpc::Status status{};
    std::unique_ptr<grpc::ClientAsyncResponseReader<Reply>> reader{};
};

/// Makes one RPC; `convert` turns its reply into the answer. `run` is named in errors.
template <class T, class Request, class Reply, class Connection, class Convert>
void callOnce(const std::shared_ptr<Connection>& connection,
              std::unique_ptr<grpc::ClientAsyncResponseReader<Reply>> (Connection::Stub::*prepare)(
                  grpc::ClientContext*, const Request&, grpc::CompletionQueue*),
              const Request& request, std::string run, std::function<void(Result<T>)> answer,
              Convert convert,
              std::chrono::milliseconds patience = std::chrono::milliseconds(10'000))
{
    auto exchange = std::make_shared<UnaryExchange<Reply>>();
    exchange->context.set_deadline(std::chrono::system_clock::now() + patience);
    connection->begun(exchange->context);
    exchange->reader =
        (connection->stub().*prepare)(&exchange->context, request, connection->queue());
    exchange->reader->StartCall();
    exchange->reader->Finish(&exchange->reply, &exchange->status,
                             RpcQueue::tag([connection, exchange, convert, run = std::move(run),
                                            answer = std::move(answer)](bool /*ok*/) {
                                 if (exchange->status.ok())
                                     answer(convert(exchange->reply));
                                 else
                                     answer(tl::unexpected(toError(exchange->status, run)));
                                 connection->finished(exchange->context);
                             }));
}

} // namespace ringmaster
