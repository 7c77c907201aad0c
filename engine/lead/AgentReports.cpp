#include "engine/lead/AgentReports.h"

#include "engine/base/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/node/Codes.h"
#include "engine/record/PrivateRecord.h"

namespace ringmaster {

void AgentReports::changed(HostAgent& host, HostChanged::State state, const Message& reason)
{
    ElasticCoordinator& coordinator = m_parts.coordinator;
    const bool isLeftOut = state == HostChanged::State::Finished && reason.code == code::None &&
                           coordinator.isLeftOut(host.host());
    // Its offer can come before the answer that says it is there: then it stands by already.
    if (state != HostChanged::State::Connected || !coordinator.isSpare(host.agent()))
        m_parts.record.emit(
            HostChanged{.agent = host.agent(),
                        .host = host.host(),
                        .state = state,
                        .reason = isLeftOut ? coordinator.whyLeftOut(host.host()) : reason});
    switch (state) {
    case HostChanged::State::Connecting:
    case HostChanged::State::Finished:
    case HostChanged::State::Lost: // the coordinator knows for how long it has been away
    case HostChanged::State::StandingBy: break;
    case HostChanged::State::Connected: coordinator.back(host.agent(), now()); break;
    case HostChanged::State::Reconnecting:
        coordinator.lost(host.agent(), reason, now(), host.silentFor());
        (void)m_parts.provider.look();
        break;
    case HostChanged::State::Gone: m_parts.gone(host, reason); break;
    }
}

void AgentReports::happened(HostAgent& host, Event event)
{
    const Event told = event;
    m_parts.operations.happened(host.agent(), host.host(), told.body, now());
    m_parts.record.keep(std::move(event));
    m_parts.recorded(told.body);
    if (!host.isRecord()) // of rounds that are over
        tellCoordinator(host, told);
}

void AgentReports::tellCoordinator(HostAgent& host, const Event& event)
{
    ElasticCoordinator& coordinator = m_parts.coordinator;
    m_parts.ends.happened(host.agent(), event);
    if (const auto* step = std::get_if<RendezvousReport>(&event.body)) {
        if (step->step == RendezvousReport::Step::Offers)
            coordinator.offered(host.agent(), *step, now());
        else
            coordinator.finished(host.agent(), step->round, now());
    }
    if (std::holds_alternative<Notice>(event.body)) // it fetches an image
        coordinator.delayed(host.agent(), now());
    const auto* state = std::get_if<RunStateChanged>(&event.body);
    if (state == nullptr)
        return;
    if (state->state == RunState::Running)
        coordinator.running(host.agent());
    if (!isFinal(state->state))
        return;
    // It had given its lead up just when that came back.
    if (state->reason.code == code::LeadGone && !coordinator.isEnding())
        m_parts.gone(host, {code::HostAgentGaveUp, {{"host", host.host()}}, {}});
    else
        m_parts.ended(host, *state);
}

void AgentReports::measured(HostAgent& /*host*/, const ClockMeasured& clock)
{
    m_parts.ends.measured(clock);
    m_parts.operations.measured(clock, now());
    m_parts.record.emit(clock);
}

/// An exported log may show what a worker has printed of it.
void AgentReports::inherited(HostAgent& /*host*/, const InheritedSecrets& secrets)
{
    (void)PrivateRecord(m_parts.record.folder().path()).keepInherited(secrets);
}

} // namespace ringmaster
