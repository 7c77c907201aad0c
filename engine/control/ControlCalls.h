#pragma once

// Internal to control/: needs gRPC.

#include "engine/control/ControlService.h"

namespace ringmaster {

/// Waits for one subscriber after the other; each takes a batch when the last one is taken. Lives
/// on the server's thread.
class SubscribeCall : public std::enable_shared_from_this<SubscribeCall>
{
public:
    explicit SubscribeCall(ControlService& service) : m_service(service) {}

    void await();

    /// Sends events that follow position(); must be idle.
    void send(const v1::EventBatch& batch, std::uint64_t last);
    /// Nothing can be sent afterwards.
    void end(const grpc::Status& status);

    bool isIdle() const { return !m_isWriting && !m_isEnded; }
    std::uint64_t position() const { return m_position; }

private:
    void accepted();
    void written(bool ok);

    /// A tag whose `call` runs on the server's thread.
    void* onLoop(void (SubscribeCall::*call)(bool));
    void finished(bool ok);

    GrpcLibrary m_library; // outlives what follows
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
