#pragma once

#include "engine/control/MachineWatch.h"

#include <optional>

namespace ringmaster::app {

/// Other machines that nobody reaches: what is launched there waits for the test to go on.
class FakeMachines : public MachineWatch
{
public:
    void watch(const std::vector<std::string>& machines) override { watched = machines; }
    std::vector<WatchedMachineState> machines() const override { return {}; }
    Subscription onMachinesChanged(std::function<void()> /*changed*/) override { return {}; }
    Subscription launchThere(MachineLaunch launch, std::function<void(LaunchStep, Message)> told,
                             Cluster::Answer<std::string> answer) override
    {
        launched = std::move(launch);
        tell = std::move(told);
        give = std::move(answer);
        return Subscription([this] { ++cancelled; });
    }

    std::vector<std::string> watched;
    std::optional<MachineLaunch> launched;
    std::function<void(LaunchStep, Message)> tell;
    Cluster::Answer<std::string> give;
    int cancelled = 0;
};

} // namespace ringmaster::app
