#pragma once

#include "engine/base/Result.h"

#include <chrono>
#include <filesystem>
#include <string>

namespace ringmaster {

/// What the programs of one interpreter have imported of late, for its next starter, which decides
/// what of it is imported ahead. A line a module: its name, and the last day that it was used.
std::filesystem::path learntModulesFile(const std::filesystem::path& folder,
                                        const std::string& interpreter);

/// Adds what a worker has reported; what nobody has used for two weeks is forgotten. The report is
/// believed in nothing: whatever isn't a module's name, or is too much, is left out.
Result<void> learnModules(const std::filesystem::path& report, const std::filesystem::path& file,
                          std::chrono::sys_days today);

} // namespace ringmaster
