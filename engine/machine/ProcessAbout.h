#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// What /proc tells everybody of a process. What can't be learnt is empty.
struct ProcessAbout
{
    std::string user{};
    std::vector<std::string> arguments{}; ///< Bounded; with the secrets that may be among them.
    std::int64_t startedNs = 0;           ///< Wall clock; 0: not known.
    bool operator==(const ProcessAbout&) const = default;
};

ProcessAbout aboutProcess(pid_t pid);

} // namespace ringmaster
