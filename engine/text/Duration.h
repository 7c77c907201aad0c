#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// "500ms", "30s", "1m30s", "2h", "1.5" (seconds); a leading minus is read, so that the check of
/// the job can name it. Nothing for other text, and for more than 100 years.
std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);

/// Seconds to milliseconds, nearest; what is positive stays positive. Nothing beyond 100 years.
std::optional<std::chrono::milliseconds> secondsToDuration(double seconds);

/// The shortest text that parseDuration() reads back: "30s", "1m30s", "250ms".
std::string durationText(std::chrono::milliseconds duration);

/// As a plain number of seconds, exact: "0.1", "30".
std::string secondsText(std::chrono::milliseconds duration);

} // namespace ringmaster
