#pragma once

#include <QString>

#include <string>
#include <vector>

namespace ringmaster::app {

/// One setting of two jobs, as their job files have it; empty where a file doesn't have it.
struct SettingDifference
{
    QString setting{};
    QString left{};
    QString right{};
    bool operator==(const SettingDifference&) const = default;
};

/// The settings of two `.ringjob` texts that differ, in the order of the left one.
std::vector<SettingDifference> compareJobs(const std::string& left, const std::string& right);

} // namespace ringmaster::app
