#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// What a worker said about its failure: torch's error.json, or the last traceback on its stderr.
struct ErrorReport
{
    std::string type{};                      ///< "ValueError"; empty if it isn't known.
    std::string text{};                      ///< The exception's message.
    std::string traceback{};                 ///< Bounded; the end of a long one.
    std::string file{};                      ///< Where it was raised: the last frame …
    int line = 0;                            ///< … 0: not known.
    std::optional<std::int64_t> timestamp{}; ///< Epoch seconds, where error.json has one.

    bool operator==(const ErrorReport&) const = default;
};

/// Reads what torch's @record wrote. Nothing if there is no file, or if it is empty; a malformed
/// one gives its text: it comes from a dying process and must never be fatal here.
std::optional<ErrorReport> readErrorFile(const std::filesystem::path& path);

/// The same from its content.
std::optional<ErrorReport> parseErrorFile(std::string_view content);

/// Copies the root cause to the file that whoever started the agent asked for
/// (TORCHELASTIC_ERROR_FILE in its own environment), with `errorCode` in its message as torchrun
/// does. `source` may be missing: then a file is made up from `report`.
Result<void> copyErrorFile(const std::filesystem::path& source, const ErrorReport& report,
                           int exitCode, const std::filesystem::path& target);

} // namespace ringmaster
