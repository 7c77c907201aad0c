#pragma once

#include <functional>
#include <memory>
#include <thread>

namespace grpc {
class CompletionQueue;
}

namespace ringmaster {

/// gRPC's completion queue with the one thread ("rm-grpc") that waits on it. Several connections
/// may share one; it outlives what uses it.
class RpcQueue
{
public:
    /// What is called on the queue's thread when an operation is over; `ok` as gRPC says.
    using Done = std::function<void(bool ok)>;

    RpcQueue();
    explicit RpcQueue(std::unique_ptr<grpc::CompletionQueue> queue);
    ~RpcQueue();
    RpcQueue(const RpcQueue&) = delete;
    RpcQueue& operator=(const RpcQueue&) = delete;

    /// The tag to give to an operation on queue(): called and gone when that is over.
    static void* tag(Done done);

    grpc::CompletionQueue* queue() const { return m_queue.get(); }

    /// No operation may be started any more; those under way still end.
    void shutDown();

private:
    void run();

    std::unique_ptr<grpc::CompletionQueue> m_queue;
    bool m_isShutDown = false;
    std::thread m_thread;
};

} // namespace ringmaster
