#pragma once

#include "engine/control/Codes.h"
#include "engine/control/MachineWatch.h"

#include <map>
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

    void findJobs(const std::string& machine,
                  Cluster::Answer<std::vector<WatchedJob>> answer) override
    {
        const auto known = jobs.find(machine);
        if (known != jobs.end())
            answer(known->second);
        else
            answer(fail(code::MachineNotConnected, {{"host", machine}}));
    }
    void lookAtJob(const std::string& machine, const NamedJob& /*job*/,
                   Cluster::Answer<JobFindings> answer) override
    {
        answer(fail(code::MachineNotConnected, {{"host", machine}}));
    }
    void endJob(const std::string& machine, const NamedJob& /*job*/,
                Cluster::Answer<void> answer) override
    {
        answer(fail(code::MachineNotConnected, {{"host", machine}}));
    }

    std::map<std::string, std::vector<WatchedJob>> jobs; ///< Of those that are reached.
    std::vector<std::string> watched;
    std::optional<MachineLaunch> launched;
    std::function<void(LaunchStep, Message)> tell;
    Cluster::Answer<std::string> give;
    int cancelled = 0;
};

} // namespace ringmaster::app
