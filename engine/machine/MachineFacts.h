#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What a machine has for workers, as it says itself.
struct MachineFacts
{
    struct Gpu
    {
        std::string name{};
        std::int64_t totalBytes = 0;
        std::int64_t usedBytes = 0;
        bool operator==(const Gpu&) const = default;
    };

    std::string name{};    ///< As it calls itself.
    std::string version{}; ///< Of the Ringmaster there.
    std::string machine{}; ///< As `uname -m` says.
    int processors = 0;
    double load = 0; ///< Of the last minute.
    std::int64_t memoryBytes = 0;
    std::int64_t availableBytes = 0;
    std::vector<Gpu> gpus{};
    std::string interpreter{};
    std::string pythonVersion{}; ///< Empty: there is no such interpreter.
    std::string torchVersion{};  ///< Empty: it has no torch.
    std::string ncclVersion{};   ///< Empty: it has none.
    std::string problem{};       ///< Why there are no GPUs, where that is an error.
    bool operator==(const MachineFacts&) const = default;
};

/// Of this machine, with the active interpreter or another; may run it.
MachineFacts machineFacts(const std::map<std::string, std::string>& environment,
                          const std::string& interpreter);

/// Memory that is free for whoever wants it; 0: unknown.
std::int64_t availableMemory();

/// One line of JSON, and back; what isn't UTF-8 is replaced.
std::string toJson(const MachineFacts& facts);
Result<MachineFacts> factsFromJson(std::string_view line);

} // namespace ringmaster
