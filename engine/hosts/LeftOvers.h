#pragma once

#include <filesystem>
#include <string>

namespace ringmaster {

/// Workers of jobs whose launcher is gone: they go on, and hold memory and GPUs.
struct LeftOvers
{
    std::string processes{}; ///< "4711 4712"; empty: none.
    std::string program{};   ///< Of the first.
};

/// Those of this user on this machine: processes with torch's RANK and WORLD_SIZE whose oldest such
/// ancestor was inherited by the machine's first process.
LeftOvers leftOvers(const std::filesystem::path& processes = "/proc");

} // namespace ringmaster
