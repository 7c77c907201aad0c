#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What a user has written on a run: `labels.json` in its folder. The run file doesn't change.
struct RunLabels
{
    std::string name{}; ///< Shown in the place of the job's; empty: the job's.
    std::string note{};
    std::vector<std::string> tags{};

    bool isEmpty() const { return name.empty() && note.empty() && tags.empty(); }
    bool operator==(const RunLabels&) const = default;
};

/// Without spaces around them, empty tags and tags that are there already.
RunLabels tidied(RunLabels labels);

/// What a job was started for.
enum class RunPurpose { Job, Lesson, Sweep };

std::string_view nameOf(RunPurpose purpose);
/// Sweeps have names of their own; a lesson's program lies in a folder of lessons.
RunPurpose purposeOf(std::string_view name, std::string_view jobFile);

} // namespace ringmaster
