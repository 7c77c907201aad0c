#include "engine/job/ContainerEngine.h"

#include "engine/job/Codes.h"

#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <unistd.h>

namespace ringmaster {

namespace {

struct KnownEngine
{
    std::string_view name;
    std::string_view program;
};

constexpr auto KnownEngines = std::to_array<KnownEngine>({{"podman", "podman"},
                                                          {"docker", "docker"},
                                                          {"apptainer", "apptainer"},
                                                          {"charliecloud", "ch-run"}});

} // namespace

std::pair<std::string, std::string>
findContainerEngine(const ContainerSpec& spec,
                    const std::function<std::string(const std::string& command)>& find)
{
    for (const KnownEngine& engine : KnownEngines) {
        if (!spec.engine.empty() && spec.engine != engine.name)
            continue;
        if (std::string program = find(std::string(engine.program)); !program.empty())
            return {std::string(engine.name), std::move(program)};
    }
    return {};
}

std::pair<std::string, std::string> findContainerEngine(const ContainerSpec& spec,
                                                        const EnvironmentMap& environment)
{
    const auto path = environment.find("PATH");
    const std::string places = path != environment.end() ? path->second : "/usr/bin:/bin";
    return findContainerEngine(spec, [&places](const std::string& command) -> std::string {
        std::istringstream folders(places);
        for (std::string folder; std::getline(folders, folder, ':');) {
            const auto program = std::filesystem::path(folder) / command;
            if (!folder.empty() && ::access(program.c_str(), X_OK) == 0)
                return program.string();
        }
        return {};
    });
}

tl::unexpected<Error> containerEngineMissing(const ContainerSpec& spec, const std::string& image)
{
    return fail(code::ContainerEngineMissing,
                {{"image", image},
                 {"engines",
                  spec.engine.empty() ? "podman, docker, apptainer, charliecloud" : spec.engine}});
}

} // namespace ringmaster
