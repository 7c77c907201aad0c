#include "engine/control/RpcService.h"

#include "engine/base/Log.h"
#include "engine/base/LoopCall.h"

#include <grpcpp/server_posix.h>

namespace ringmaster {

void RpcService::serve(FileDescriptor connection)
{
    if (m_isShuttingDown)
        return;
    if (!m_server)
        start();
    if (m_server)
        grpc::AddInsecureChannelFromFd(m_server.get(), connection.release());
}

void RpcService::start()
{
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(m_largestRequest);
    configure(builder);
    auto queue = builder.AddCompletionQueue();
    m_server = builder.BuildAndStart();
    if (!m_server) {
        log::error("control", "gRPC can't be started");
        return;
    }
    m_serverQueue = queue.get();
    m_queue = std::make_unique<RpcQueue>(std::move(queue));
    awaitCalls();
}

void RpcService::shutDown(std::chrono::milliseconds patience)
{
    // gRPC may just be starting for the first connection: then this comes after it.
    callOnLoop(m_loop, [this] { m_isShuttingDown = true; });
    if (!m_server)
        return;
    m_server->Shutdown(std::chrono::system_clock::now() + patience);
    // What is still in the loop's queue must find the service closed before the queue is.
    callOnLoop(m_loop, [this] {
        m_isClosed = true;
        m_queue->shutDown();
    });
    m_queue.reset();
    m_server.reset(); // before the service that it was given
}

} // namespace ringmaster
