#include "engine/node/NodeControl.h"

#include "engine/agent/Agent.h"
#include "engine/agent/Codes.h"
#include "engine/base/Log.h"
#include "engine/node/DeviceSampler.h"
#include "engine/node/DrillDriver.h"
#include "engine/node/EvidenceRecorder.h"
#include "engine/node/LeadConnection.h"
#include "engine/node/LeadFence.h"
#include "engine/node/LessonHost.h"
#include "engine/node/RunRecorder.h"

#include <csignal>

namespace ringmaster {

Result<void> NodeControl::execute(const Command& command)
{
    if (m_parts.lesson != nullptr)
        if (auto done = m_parts.lesson->execute(command))
            return *std::move(done);
    if (m_parts.lead != nullptr)
        if (auto done = m_parts.lead->execute(command))
            return *std::move(done);
    const auto* drill = std::get_if<BeginDrill>(&command);
    if (drill != nullptr && drill->kind == BeginDrill::Kind::KillHost && m_parts.lead != nullptr)
        (void)::raise(SIGKILL); // its keeper kills the workers, and nobody says farewell
    if (drill != nullptr && m_parts.lesson != nullptr)
        return fail(code::RunNotAcceptingCommand, {{"what", "drilled"}, {"state", "a lesson"}});
    if (drill != nullptr && m_parts.drills != nullptr)
        return m_parts.drills->begin(*drill);
    return m_parts.agent.handle(command);
}

Result<void> NodeControl::obeys(std::uint64_t generation)
{
    return m_parts.lead != nullptr ? m_parts.lead->obeys(generation)
                                   : ControlServer::Host::obeys(generation);
}

Result<HeartbeatReply> NodeControl::heartbeat(const Heartbeat& heartbeat)
{
    if (m_parts.lead == nullptr)
        return ControlServer::Host::heartbeat(heartbeat);
    const std::uint64_t before = m_parts.lead->generation();
    const Moment at = RM_TRY(m_parts.lead->heartbeat(heartbeat));
    if (heartbeat.generation > before)
        if (const auto kept = LeadFence::obey(m_parts.record.folder(), heartbeat.generation); !kept)
            log::warning("node", describe(kept.error()));
    return HeartbeatReply{.at = at};
}

void NodeControl::takeStacks(std::function<void(Result<KeptEvidence>)> answer)
{
    if (isFinal(m_parts.record.snapshot().state))
        return answer(fail(code::RunNotRunning, {{"run", m_parts.record.folder().id()}}));
    m_parts.evidence.take(
        [answer = std::move(answer)](KeptEvidence taken) { answer(std::move(taken)); });
}

void NodeControl::watched(bool isWatched)
{
    sample(isWatched || m_servesMetrics);
    if (m_parts.lesson != nullptr)
        m_parts.lesson->watched(isWatched);
}

void NodeControl::sample(bool isOn)
{
    m_parts.agent.setWatched(isOn);
    m_parts.devices.setOn(isOn);
}

void NodeControl::serveMetrics(int port)
{
    m_parts.record.serveMetrics(port);
    m_servesMetrics = true;
    sample(true);
}

} // namespace ringmaster
