#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Result.h"
#include "engine/collective/ring/Types.h"

#include <string>

namespace ringmaster::ring {

/// Where the ranks of a group find each other: torch's store behind a prefix of the group's own.
class KeyValue
{
public:
    virtual ~KeyValue() = default;
    virtual Result<void> set(const std::string& key, const std::string& value) = 0;

    /// Waits until somebody has set it; code::TimedOut at the deadline.
    virtual Result<std::string> get(const std::string& key, Deadline deadline) = 0;
};

} // namespace ringmaster::ring
