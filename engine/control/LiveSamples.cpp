#include "engine/control/LiveSamples.h"

namespace ringmaster {

namespace {

template <class Key, class Taken>
auto recent(const std::map<Key, Taken>& all, LiveSamples::Time now)
{
    std::map<Key, decltype(Taken::sample)> found;
    for (const auto& [key, taken] : all) {
        if (now - taken.at <= LiveSamples::Age)
            found.emplace(key, taken.sample);
    }
    return found;
}

} // namespace

void LiveSamples::happened(const Event& event, Time now)
{
    if (const auto* process = std::get_if<ProcessSample>(&event.body))
        m_workers.insert_or_assign(process->globalRank, Taken<ProcessSample>{*process, now});
    else if (const auto* device = std::get_if<DeviceSample>(&event.body))
        m_nodes.insert_or_assign(event.node, Taken<DeviceSample>{*device, now});
    else if (const auto* exited = std::get_if<WorkerExited>(&event.body))
        m_workers.erase(exited->globalRank);
}

std::map<int, ProcessSample> LiveSamples::workers(Time now) const
{
    return recent(m_workers, now);
}

std::map<std::string, DeviceSample> LiveSamples::nodes(Time now) const
{
    return recent(m_nodes, now);
}

} // namespace ringmaster
