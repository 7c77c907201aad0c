#include "engine/job/SlurmSpec.h"

#include "engine/job/Codes.h"

#include <algorithm>

namespace ringmaster {

namespace {

bool isDecimal(char c)
{
    return c >= '0' && c <= '9';
}

bool isNameCharacter(char c)
{
    return isDecimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '_' || c == ',';
}

bool isName(const std::string& text)
{
    return std::ranges::all_of(text, isNameCharacter) && !text.starts_with('-');
}

/// sbatch(1): minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes,
/// days-hours:minutes:seconds.
bool isTime(const std::string& text)
{
    const size_t dash = text.find('-');
    const std::string clock = dash == std::string::npos ? text : text.substr(dash + 1);
    const std::string days = dash == std::string::npos ? "0" : text.substr(0, dash);
    const bool digits =
        std::ranges::all_of(clock, [](char c) { return isDecimal(c) || c == ':'; }) &&
        !days.empty() && std::ranges::all_of(days, isDecimal);
    const bool separated = !clock.empty() && isDecimal(clock.front()) && isDecimal(clock.back()) &&
                           clock.find("::") == std::string::npos;
    return digits && separated && std::ranges::count(clock, ':') <= 2;
}

/// One option a line: whatever begins another line would be read as a part of the script.
bool isOption(const std::string& text)
{
    return text.starts_with('-') && text.size() > 1 &&
           text.find_first_of("\n\r") == std::string::npos;
}

} // namespace

std::vector<Finding> errorsOf(const SlurmSpec& slurm)
{
    std::vector<Finding> errors;
    const auto refuse = [&errors](const char* field, Code code, const std::string& value) {
        errors.push_back(errorAt(field, code, {{"value", value}}));
    };
    for (const auto& [field, value] :
         {std::pair("slurm.partition", slurm.partition), std::pair("slurm.account", slurm.account)})
        if (!isName(value))
            errors.push_back(
                errorAt(field, code::SlurmWordShape, {{"field", field}, {"value", value}}));
    if (!slurm.time.empty() && !isTime(slurm.time))
        refuse("slurm.time", code::SlurmTimeShape, slurm.time);
    if (slurm.gpusPerNode < 0)
        refuse("slurm.gpus_per_node", code::SlurmGpusNegative, std::to_string(slurm.gpusPerNode));
    for (const std::string& option : slurm.options)
        if (!isOption(option))
            refuse("slurm.options", code::SlurmOptionShape, option);
    return errors;
}

} // namespace ringmaster
