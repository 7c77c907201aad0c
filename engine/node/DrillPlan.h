#pragma once

#include "engine/base/Result.h"
#include "engine/event/Command.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// A fire drill as a person writes it: "kill", "kill:2", "stop:1:20s", "slow:0:1m",
/// "kill:host=gpu2", "cut:host=gpu2:15s", and when it begins: "kill:2@step100", "kill:2@30s".
struct DrillPlan
{
    static constexpr std::chrono::seconds LeastTime{1};
    static constexpr std::chrono::seconds MostTime{3600};

    BeginDrill drill{}; ///< Without a limit and who asks.
    /// When the output has reached that value of this counter …
    std::string counter{};
    double value = 0;
    /// … or so long after all ranks have run for the first time. Neither: now.
    std::optional<std::chrono::milliseconds> delay{};

    bool isNow() const { return counter.empty() && !delay; }
};

/// With `host` the text names neither rank nor host: "kill", "cut:15s".
Result<DrillPlan> parseDrill(std::string_view text, const std::string& host = {});

/// Whether a drill can take that long, and its limit.
Result<void> checkTimes(const BeginDrill& drill);

} // namespace ringmaster
