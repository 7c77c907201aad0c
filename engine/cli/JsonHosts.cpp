#include "engine/cli/Json.h"
#include "engine/event/States.h"

namespace ringmaster {

Json asJson(const HostChanged& change)
{
    return {{"kind", "hostChanged"},
            {"agent", change.agent},
            {"host", change.host},
            {"state", nameOf(change.state)},
            {"reason", asJson(change.reason)}};
}

Json asJson(const ClockMeasured& clock)
{
    return {{"kind", "clockMeasured"},
            {"agent", clock.agent},
            {"monotonicOffsetNs", clock.monotonicOffsetNs},
            {"wallOffsetNs", clock.wallOffsetNs},
            {"boundNs", clock.boundNs}};
}

Json asJson(const RendezvousReport& step)
{
    Json roles = Json::array();
    for (const RendezvousReport::RoleCount& role : step.roles)
        roles.push_back({{"role", role.role}, {"workers", role.workers}});
    return {{"kind", "rendezvousReport"},
            {"step", step.step == RendezvousReport::Step::Offers ? "offers" : "finished"},
            {"round", step.round},
            {"roles", roles},
            {"address", step.address},
            {"port", step.port}};
}

Json asJson(const std::vector<HostSnapshot>& hosts)
{
    Json list = Json::array();
    for (const HostSnapshot& host : hosts) {
        list.push_back({{"agent", host.agent},
                        {"host", host.host},
                        {"node", host.node},
                        {"state", nameOf(host.state)},
                        {"reason", asJson(host.reason)}});
        list.back()["clock"] = host.clock ? asJson(*host.clock) : Json();
    }
    return list;
}

} // namespace ringmaster
