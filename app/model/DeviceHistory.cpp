#include "app/model/DeviceHistory.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr size_t MostMachines = 256;

void thinOlderHalf(std::vector<DeviceHistory::Sample>& samples)
{
    const auto half = static_cast<std::ptrdiff_t>(samples.size() / 2);
    bool isOdd = false;
    const auto kept = std::remove_if(samples.begin(), samples.begin() + half,
                                     [&](const auto&) { return std::exchange(isOdd, !isOdd); });
    samples.erase(kept, samples.begin() + half);
}

} // namespace

void DeviceHistory::add(const std::string& node, std::int64_t atNs, const DeviceSample& sample)
{
    auto machine = std::ranges::find(m_machines, node, &Machine::node);
    if (machine == m_machines.end()) {
        if (m_machines.size() == MostMachines)
            return;
        machine = m_machines.insert(machine, {.node = node});
    }
    if (machine->samples.size() == MostSamples) {
        thinOlderHalf(machine->samples);
        ++machine->thinnings;
    }
    machine->samples.push_back({atNs, sample});
}

} // namespace ringmaster::app
