#include "engine/lead/OpenRound.h"

#include <algorithm>

namespace ringmaster {

OpenRound::Part* OpenRound::find(const std::string& agent)
{
    const auto found = std::ranges::find(parts, agent, &Part::agent);
    return found != parts.end() ? &*found : nullptr;
}

bool OpenRound::hasAnyFinished() const
{
    return std::ranges::any_of(parts, &Part::hasFinished);
}

bool OpenRound::haveAllFinished() const
{
    return !parts.empty() && std::ranges::all_of(parts, &Part::hasFinished);
}

} // namespace ringmaster
