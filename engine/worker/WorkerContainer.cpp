#include "engine/worker/WorkerContainer.h"

#include <algorithm>
#include <string_view>

namespace ringmaster {

namespace {

constexpr std::string_view LabelOption = "--label=ringmaster=";

std::string engineName(const std::string& program)
{
    return program.substr(program.rfind('/') + 1);
}

} // namespace

std::optional<WorkerContainer> containerIn(const std::vector<std::string>& command,
                                           const std::vector<std::string>& environment)
{
    const std::string engine = command.empty() ? std::string() : engineName(command.front());
    if (engine != "podman" && engine != "docker")
        return std::nullopt;
    const auto label = std::find_if(command.begin(), command.end(), [](const std::string& word) {
        return word.rfind(LabelOption, 0) == 0;
    });
    if (label == command.end())
        return std::nullopt;
    return WorkerContainer{command.front(), label->substr(LabelOption.size()), environment};
}

std::vector<std::string> removalCommand(const WorkerContainer& container)
{
    if (engineName(container.program) != "podman")
        return {};
    return {container.program, "rm", "--force", "--time=0",
            "--filter=label=ringmaster=" + container.run};
}

} // namespace ringmaster
