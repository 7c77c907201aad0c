#include "engine/container/ContainerMountPoints.h"

#include "engine/base/FileDescriptor.h"

#include <algorithm>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>

namespace ringmaster {

namespace {

constexpr int Folder = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

void makeWithin(const std::string& image, const std::filesystem::path& point)
{
    FileDescriptor at(::open(image.c_str(), Folder & ~O_NOFOLLOW));
    for (const auto& name : point.lexically_normal().relative_path()) {
        if (!at.isOpen() || name.empty() || name == "..")
            return;
        (void)::mkdirat(at.get(), name.c_str(), 0755);
        at = FileDescriptor(::openat(at.get(), name.c_str(), Folder));
    }
}

bool maybeWritten(const ContainerSpec& spec)
{
    return std::ranges::any_of(spec.options, [](const std::string& option) {
        return option == "--write" || option == "-w";
    });
}

} // namespace

void makeMountPoints(const ContainerSpec& spec, const ContainerFacts& facts)
{
    if (facts.engine != "charliecloud" || !maybeWritten(spec))
        return;
    for (const std::string& mount : mountsOf(spec, facts)) {
        const size_t colon = mount.find(':');
        makeWithin(facts.image, mount.substr(colon + 1, mount.find(':', colon + 1) - colon - 1));
    }
}

} // namespace ringmaster
