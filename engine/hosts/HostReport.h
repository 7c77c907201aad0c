#pragma once

#include "engine/base/Result.h"
#include "engine/machine/MachineFacts.h"

#include <chrono>
#include <string>

namespace ringmaster {

/// What a host said when it was asked, or why it couldn't be.
struct HostReport
{
    std::string host{};
    Result<MachineFacts> facts = fail(Code{});
    std::string fix{}; ///< A command line that ends the failure; empty: none does it alone.
    std::chrono::nanoseconds roundTrip{0};
    std::chrono::nanoseconds clockOffset{0}; ///< Its wall clock less ours …
    std::chrono::nanoseconds clockBound{0};  ///< … give or take.
    bool wasCopied = false;                  ///< The agent was new there.

    bool operator==(const HostReport&) const = default;
};

/// Something that would keep a job from running on these hosts, would surprise it, or is as it
/// should be.
struct PreflightFinding
{
    enum class Grade { Good, Warning, Bad };

    Grade grade = Grade::Good;
    std::string host{};
    std::string peer{}; ///< Of what is between two; empty otherwise.
    Message message{};
    std::string fix{}; ///< A command line that mends it; empty: none does it alone.

    bool operator==(const PreflightFinding&) const = default;
};

} // namespace ringmaster
