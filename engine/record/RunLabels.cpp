#include "engine/record/RunLabels.h"

#include <algorithm>
#include <utility>

namespace ringmaster {

namespace {

std::string withoutSpace(std::string_view text)
{
    constexpr std::string_view Space = " \t\r\n";
    const size_t first = text.find_first_not_of(Space);
    if (first == std::string_view::npos)
        return {};
    return std::string(text.substr(first, text.find_last_not_of(Space) - first + 1));
}

} // namespace

RunLabels tidied(RunLabels labels)
{
    labels.name = withoutSpace(labels.name);
    labels.note = withoutSpace(labels.note);
    for (const std::string& tag : std::exchange(labels.tags, {})) {
        std::string tidy = withoutSpace(tag);
        if (!tidy.empty() && std::ranges::find(labels.tags, tidy) == labels.tags.end())
            labels.tags.push_back(std::move(tidy));
    }
    return labels;
}

RunPurpose purposeOf(std::string_view name, std::string_view jobFile)
{
    if (name.starts_with("sweep ") || name.starts_with("calibration "))
        return RunPurpose::Sweep;
    const size_t program = jobFile.find("program = ");
    if (program == std::string_view::npos)
        return RunPurpose::Job;
    const std::string_view line = jobFile.substr(program, jobFile.find('\n', program) - program);
    const bool isLesson = line.find("/lessons/") != std::string_view::npos ||
                          line.find("/ringmaster-lessons/") != std::string_view::npos;
    return isLesson ? RunPurpose::Lesson : RunPurpose::Job;
}

std::string_view nameOf(RunPurpose purpose)
{
    switch (purpose) {
    case RunPurpose::Job: return "job";
    case RunPurpose::Lesson: return "lesson";
    case RunPurpose::Sweep: return "sweep";
    }
    return "";
}

} // namespace ringmaster
