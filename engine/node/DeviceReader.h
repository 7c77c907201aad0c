#pragma once

#include "engine/event/DeviceEvents.h"
#include "engine/machine/Nvml.h"

#include <filesystem>
#include <map>

namespace ringmaster {

/// What the kernel and the driver count of this machine, made into rates. One thread; a call may
/// take as long as the driver does.
class DeviceReader
{
public:
    /// `root`: below it are proc and sys.
    explicit DeviceReader(const char* nvml = Nvml::Library, std::filesystem::path root = "/");

    /// Since the last call; nothing from the first one, and where the kernel doesn't tell.
    std::optional<DeviceSample> read(std::int64_t monotonicNs);
    /// The next read() is a first one.
    void forget() { m_before.reset(); }

    Nvml& nvml() { return m_nvml; }

private:
    struct Processors
    {
        int count = 0;
        std::uint64_t busy = 0; ///< Ticks of all, as the next.
        std::uint64_t all = 0;
    };
    struct Interface
    {
        std::uint64_t received = 0;
        std::uint64_t sent = 0;
    };
    struct Counters
    {
        std::int64_t atNs = 0;
        Processors processors{};
        std::map<std::string, Interface> interfaces{};
        std::vector<DeviceReading> gpus{};
        Message absence{};
    };

    Counters readCounters() const;
    Processors readProcessors() const;
    std::map<std::string, Interface> readInterfaces() const;
    bool isPartOfAnother(const std::string& interface) const;

    std::filesystem::path m_root;
    Nvml m_nvml;
    std::optional<Counters> m_before;
};

} // namespace ringmaster
