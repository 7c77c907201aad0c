#include "engine/job/JobSpec.h"

#include <array>
#include <filesystem>

namespace ringmaster {

namespace {

constexpr auto WarmModes = std::to_array<std::string_view>({"auto", "on", "off"});
constexpr auto RunOnTexts = std::to_array<std::string_view>({"hosts", "slurm"});

} // namespace

std::string_view textOf(WarmMode mode)
{
    return WarmModes.at(static_cast<size_t>(mode));
}

std::optional<WarmMode> warmModeOf(std::string_view text)
{
    for (size_t i = 0; i < WarmModes.size(); ++i) {
        if (WarmModes.at(i) == text)
            return static_cast<WarmMode>(i);
    }
    return std::nullopt;
}

std::string_view textOf(RunOn place)
{
    return RunOnTexts.at(static_cast<size_t>(place));
}

std::optional<RunOn> runOnOf(std::string_view text)
{
    for (size_t i = 0; i < RunOnTexts.size(); ++i) {
        if (RunOnTexts.at(i) == text)
            return static_cast<RunOn>(i);
    }
    return std::nullopt;
}

std::uint8_t StreamSelection::of(int localRank) const
{
    const auto found = byLocalRank.find(localRank);
    return found == byLocalRank.end() ? all : found->second;
}

std::string JobSpec::displayName() const
{
    if (!name.empty())
        return name;
    if (roles.empty() || roles.front().program.empty())
        return "job";
    const Role& first = roles.front();
    if (first.kind == ProgramKind::Module)
        return first.program;
    const std::filesystem::path program(first.program);
    const std::string stem =
        program.extension() == ".py" ? program.stem().string() : program.filename().string();
    return stem.empty() ? "job" : stem;
}

std::string roleField(size_t index, size_t roleCount, std::string_view key)
{
    const std::string number = roleCount > 1 ? std::to_string(index) + "." : "";
    return "role." + number + std::string(key);
}

} // namespace ringmaster
