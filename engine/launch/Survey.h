#pragma once

#include "engine/launch/HostLink.h"
#include "engine/launch/MachineFacts.h"

#include <chrono>
#include <vector>

namespace ringmaster {

/// What a host says when it is asked.
struct SurveyedHost
{
    Host host{};
    Result<MachineFacts> facts = fail(Code{});
    std::chrono::nanoseconds connecting{0};  ///< Until its agent answered, the copy included.
    std::chrono::nanoseconds roundTrip{0};   ///< The quickest of several.
    std::chrono::nanoseconds clockOffset{0}; ///< Its wall clock less ours …
    std::chrono::nanoseconds clockBound{0};  ///< … give or take.
    bool wasCopied = false;                  ///< The agent was new there.
};

/// Asks all of them at once; as long as the slowest takes, at most `patience`. Blocks.
std::vector<SurveyedHost> survey(const std::vector<Host>& hosts, const SshSettings& ssh,
                                 const std::string& sentinel,
                                 std::chrono::milliseconds patience = std::chrono::seconds(30));

/// The other end: answers on `output` what is asked on `input`, line by line, until that ends.
void answerSurvey(int input, int output);

} // namespace ringmaster
