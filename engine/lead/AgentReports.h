#pragma once

#include "engine/hosts/NodeProvider.h"
#include "engine/lead/ElasticCoordinator.h"
#include "engine/lead/GatheredEnds.h"
#include "engine/lead/GatheredOperations.h"
#include "engine/lead/HostAgent.h"
#include "engine/node/RunRecorder.h"

#include <functional>

namespace ringmaster {

/// What the agents of the hosts report: kept in the run's record, and told to the coordinator and
/// to whoever puts the hosts' ends and operations together. Lives on the lead's loop.
class AgentReports final : public HostAgent::Lead
{
public:
    struct Parts
    {
        RunRecorder& record;
        GatheredOperations& operations;
        GatheredEnds& ends;
        ElasticCoordinator& coordinator;
        NodeProvider& provider;
        const Clock& clock;
        /// One of an agent's has been recorded.
        std::function<void(const EventBody&)> recorded;
        /// It is no more.
        std::function<void(HostAgent&, const Message& why)> gone;
        /// It has said how it ended.
        std::function<void(const HostAgent&, const RunStateChanged&)> ended;
    };

    explicit AgentReports(Parts parts) : m_parts(std::move(parts)) {}

private:
    void changed(HostAgent& host, HostChanged::State state, const Message& reason) override;
    void happened(HostAgent& host, Event event) override;
    void measured(HostAgent& host, const ClockMeasured& clock) override;
    void inherited(HostAgent& host, const InheritedSecrets& secrets) override;

    void tellCoordinator(HostAgent& host, const Event& event);
    std::int64_t now() const { return m_parts.clock.now().monotonicNs; }

    Parts m_parts;
};

} // namespace ringmaster
