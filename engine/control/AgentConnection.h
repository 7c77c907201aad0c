#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/RpcQueue.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

#include <grpcpp/grpcpp.h>
#include <ringmaster.grpc.pb.h>

namespace ringmaster {

/// What the RPCs under way share with their AgentClient, which waits for them when it ends.
class AgentConnection
{
public:
    AgentConnection(std::shared_ptr<grpc::Channel> channel, std::string run, RpcQueue& queue)
        : m_stub(v1::Agent::NewStub(channel)), m_run(std::move(run)), m_queue(queue)
    {
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

    v1::Agent::Stub& stub() const { return *m_stub; }
    const std::string& run() const { return m_run; }
    grpc::CompletionQueue* queue() const { return m_queue.queue(); }

private:
    std::unique_ptr<v1::Agent::Stub> m_stub;
    std::string m_run;
    RpcQueue& m_queue;
    std::mutex m_mutex;
    std::condition_variable m_idle;
    std::set<grpc::ClientContext*> m_underWay;
};

} // namespace ringmaster
