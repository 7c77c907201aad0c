#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// One setting of several jobs, as their job files have it; empty where a file doesn't have it.
struct SettingDifference
{
    std::string setting{};             ///< "restart.max"
    std::vector<std::string> values{}; ///< By job.
    bool operator==(const SettingDifference&) const = default;
};

/// The settings of `.ringjob` texts that aren't the same in all of them, in their order there.
std::vector<SettingDifference> differingSettings(const std::vector<std::string>& jobFiles);
/// How many settings there are in all of them together.
size_t settingCount(const std::vector<std::string>& jobFiles);

} // namespace ringmaster
