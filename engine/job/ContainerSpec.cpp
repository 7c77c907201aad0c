#include "engine/job/ContainerSpec.h"

#include "engine/job/Codes.h"
#include "engine/job/JobSpec.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

constexpr auto EngineNames =
    std::to_array<std::string_view>({"", "podman", "docker", "apptainer", "charliecloud"});

/// SOURCE, SOURCE:TARGET or SOURCE:TARGET:ro, of absolute paths.
bool isMount(const std::string& text)
{
    const size_t first = text.find(':');
    const std::string rest = first == std::string::npos ? "" : text.substr(first + 1);
    const size_t second = rest.find(':');
    const std::string target = rest.substr(0, second);
    const std::string mode = second == std::string::npos ? "ro" : rest.substr(second + 1);
    return text.starts_with('/') && (first == std::string::npos || target.starts_with('/')) &&
           (mode == "ro" || mode == "rw") && text.find_first_of("\n,") == std::string::npos;
}

} // namespace

const std::string& imageOf(const JobSpec& spec, const Role& role)
{
    return role.image.empty() ? spec.roles.front().image : role.image;
}

std::vector<Finding> errorsOf(const ContainerSpec& container)
{
    std::vector<Finding> errors;
    const auto refuse = [&errors](const char* field, Code code, const std::string& value) {
        errors.push_back(errorAt(field, code, {{"value", value}}));
    };
    if (std::ranges::find(EngineNames, container.engine) == EngineNames.end())
        refuse("container.engine", code::ContainerEngineUnknown, container.engine);
    for (const std::string& mount : container.mounts)
        if (!isMount(mount))
            refuse("container.mounts", code::ContainerMountShape, mount);
    for (const std::string& device : container.devices)
        if (!device.starts_with('/') && device.find('=') == std::string::npos)
            refuse("container.devices", code::ContainerDeviceShape, device);
    for (const std::string& option : container.options)
        if (!option.starts_with('-') || option.size() < 2)
            refuse("container.options", code::ContainerOptionShape, option);
    return errors;
}

} // namespace ringmaster
