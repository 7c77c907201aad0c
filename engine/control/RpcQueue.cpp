#include "engine/control/RpcQueue.h"

#include "engine/base/Thread.h"

#include <atomic>

#include <grpcpp/completion_queue.h>

namespace ringmaster {

namespace {

/// What gRPC carries from one thread to the other. It does so in its own way; the flag makes that
/// visible, so that the thread sanitizer sees what we do before and after.
struct Tag
{
    RpcQueue::Done done;
    std::atomic<bool> isReady = false;
};

std::unique_ptr<grpc::CompletionQueue> makeQueue()
{
    tryThreadOrThrow();
    return std::make_unique<grpc::CompletionQueue>();
}

} // namespace

RpcQueue::RpcQueue() : RpcQueue(makeQueue()) {}

RpcQueue::RpcQueue(std::unique_ptr<grpc::CompletionQueue> queue)
    : m_queue(std::move(queue)), m_thread(startThreadOrThrow("rm-grpc", [this] { run(); }))
{
}

RpcQueue::~RpcQueue()
{
    shutDown();
    m_thread.join();
}

void* RpcQueue::tag(Done done)
{
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): run() deletes it
    auto* made = new Tag{.done = std::move(done)};
    made->isReady.store(true, std::memory_order_release);
    return made;
}

void RpcQueue::shutDown()
{
    if (!std::exchange(m_isShutDown, true))
        m_queue->Shutdown();
}

void RpcQueue::run()
{
    void* tag = nullptr;
    bool ok = false;
    while (m_queue->Next(&tag, &ok)) {
        const std::unique_ptr<Tag> taken(static_cast<Tag*>(tag));
        if (taken->isReady.load(std::memory_order_acquire))
            taken->done(ok);
    }
}

} // namespace ringmaster
