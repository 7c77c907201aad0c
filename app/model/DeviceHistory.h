#pragma once

#include "engine/event/Event.h"

#include <string>
#include <vector>

namespace ringmaster::app {

/// What the machines of a run did over its time. The oldest samples are thinned, not dropped.
class DeviceHistory
{
public:
    static constexpr size_t MostSamples = 4000; ///< A machine.

    struct Sample
    {
        std::int64_t atNs = 0; ///< Monotonic.
        DeviceSample values{};
    };
    struct Machine
    {
        std::string node{};
        std::vector<Sample> samples{}; ///< By time; one at least.
        int thinnings = 0;             ///< How often older samples went.
    };

    void add(const std::string& node, std::int64_t atNs, const DeviceSample& sample);

    const std::vector<Machine>& machines() const { return m_machines; }

private:
    std::vector<Machine> m_machines;
};

} // namespace ringmaster::app
