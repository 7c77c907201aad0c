#include "engine/control/RpcQueue.h"

#include <grpcpp/completion_queue.h>
#include <pthread.h>

namespace ringmaster {

RpcQueue::RpcQueue() : RpcQueue(std::make_unique<grpc::CompletionQueue>()) {}

RpcQueue::RpcQueue(std::unique_ptr<grpc::CompletionQueue> queue)
    : m_queue(std::move(queue)), m_thread([this] { run(); })
{
}

RpcQueue::~RpcQueue()
{
    shutDown();
    m_thread.join();
}

void* RpcQueue::tag(Done done)
{
    return new Done(std::move(done)); // NOLINT(cppcoreguidelines-owning-memory): run() deletes it
}

void RpcQueue::shutDown()
{
    if (!std::exchange(m_isShutDown, true))
        m_queue->Shutdown();
}

void RpcQueue::run()
{
    ::pthread_setname_np(::pthread_self(), "rm-grpc");
    void* tag = nullptr;
    bool ok = false;
    while (m_queue->Next(&tag, &ok)) {
        const std::unique_ptr<Done> done(static_cast<Done*>(tag));
        (*done)(ok);
    }
}

} // namespace ringmaster
