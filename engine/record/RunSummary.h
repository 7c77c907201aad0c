#pragma once

#include "engine/event/Health.h"
#include "engine/record/RunLabels.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace ringmaster {

/// What a run file should have and hasn't: its disk was full to the end.
struct Unrecorded
{
    std::uint64_t events = 0;
    std::uint64_t logBytes = 0; ///< Of output, in the log files or not.
    bool operator==(const Unrecorded&) const = default;
};

/// One run as a list shows it.
struct RunSummary
{
    std::string id{};   ///< Names the run folder; unique on this machine.
    std::string name{}; ///< Of the job.
    RunLabels labels{};
    RunPurpose purpose = RunPurpose::Job;
    RunState state = RunState::Starting;
    JobHealth health{};
    bool isLive = false; ///< Its agent answers.
    bool isPinned = false;
    bool isOnHosts = false; ///< Its agents are of a lead.
    int worldSize = 0;
    int restartsUsed = 0;
    int restartBudget = 0;
    Moment startedAt{};
    Moment endedAt{};
    Message reason{};
    Message cause{};             ///< What is told first of its end; code::None: nothing.
    std::uint64_t sizeBytes = 0; ///< of the run folder
    Unrecorded unrecorded{};
    std::filesystem::path folder{};

    /// What people know it by.
    const std::string& shownName() const { return labels.name.empty() ? name : labels.name; }
    bool operator==(const RunSummary&) const = default;
};

} // namespace ringmaster
