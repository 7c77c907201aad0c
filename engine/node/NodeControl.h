#pragma once

#include "engine/control/ControlServer.h"

#include <functional>

namespace ringmaster {

class Agent;
class DeviceSampler;
class DrillDriver;
class EvidenceRecorder;
class LeadConnection;
class LessonHost;
class RunRecorder;

/// What those who are connected ask of a node: who watches its run, and its lead. Each request goes
/// to the part that it is for. Lives on the agent's thread.
class NodeControl final : public ControlServer::Host
{
public:
    struct Parts
    {
        RunRecorder& record;
        Agent& agent;
        EvidenceRecorder& evidence;
        DeviceSampler& devices;
        DrillDriver* drills = nullptr;  ///< Null: its lead has them.
        LessonHost* lesson = nullptr;   ///< Null: no lesson.
        LeadConnection* lead = nullptr; ///< Null: it has none.
    };

    explicit NodeControl(const Parts& parts) : m_parts(parts) {}

    /// At a port of loopback; workers and devices are sampled from now on, whoever watches.
    void serveMetrics(int port);

private:
    Result<void> execute(const Command& command) override;
    Result<void> obeys(std::uint64_t generation) override;
    Result<HeartbeatReply> heartbeat(const Heartbeat& heartbeat) override;
    void takeStacks(std::function<void(Result<KeptEvidence>)> answer) override;
    void watched(bool isWatched) override;

    void sample(bool isOn);

    Parts m_parts;
    bool m_servesMetrics = false;
};

} // namespace ringmaster
