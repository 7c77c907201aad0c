#pragma once

#include "engine/launch/Survey.h"

#include <string>
#include <vector>

namespace ringmaster {

/// Something that would keep a job from running on these hosts, would surprise it, or is as it
/// should be.
struct PreflightFinding
{
    enum class Grade { Good, Warning, Bad };

    Grade grade = Grade::Good;
    std::string host{};
    std::string peer{}; ///< Of what is between two; empty otherwise.
    Message message{};
    bool operator==(const PreflightFinding&) const = default;
};

/// What the hosts have said, host by host and pair by pair. Pure. The first host that answers is
/// what the others are compared with.
std::vector<PreflightFinding> judge(const std::vector<SurveyedHost>& answers);

} // namespace ringmaster
