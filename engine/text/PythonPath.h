#pragma once

#include <string>
#include <string_view>

namespace ringmaster {

/// PYTHONPATH with `first` before the folders that it has and `last` behind them, each once. Either
/// may be empty.
std::string pythonPathWith(const std::string& first, std::string_view given,
                           const std::string& last = {});

/// What one of its folders means depends on where the interpreter starts.
bool hasRelativeFolder(std::string_view pythonPath);

} // namespace ringmaster
