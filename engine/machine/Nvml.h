#pragma once

#include "engine/base/Result.h"
#include "engine/machine/Devices.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What one GPU says of itself now. What its driver doesn't tell is nothing.
struct DeviceReading
{
    /// What went out and came in: counted since some time, or a rate.
    struct Traffic
    {
        std::int64_t sent = 0;
        std::int64_t received = 0;
    };

    int index = 0;
    std::string name{};
    std::int64_t totalBytes = 0; ///< 0: not told
    std::int64_t usedBytes = 0;
    std::optional<double> utilisation{}; ///< Share of the last moments in which a kernel ran.
    std::optional<Traffic> nvlinkBytes{};
    std::optional<Traffic> pcieBytes{};
    std::optional<Traffic> pcieRate{}; ///< Bytes a second, where it has no counter of 64 bits.
};

/// The driver reports an error of a GPU.
struct DeviceFault
{
    enum class Kind { Xid, Memory };
    Kind kind = Kind::Xid;
    int index = 0;
    std::uint64_t number = 0; ///< Of the Xid.
};

/// NVIDIA's management library, which is loaded at run time and belongs to the driver; its header
/// isn't needed to build. Calls take milliseconds to a second. One thread.
class Nvml
{
public:
    static constexpr const char* Library = "libnvidia-ml.so.1";

    explicit Nvml(const char* library = Library);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// Why it can't be asked.
    const std::optional<Message>& absence() const { return m_absence; }

    int count() const;
    Result<Device> device(int index) const;
    Result<DeviceReading> read(int index) const;
    std::vector<DeviceProcess> processes(int index) const;

    /// Errors from now on are kept for takeFaults(). False where no GPU can tell them.
    bool watchFaults();
    std::vector<DeviceFault> takeFaults();

private:
    struct Functions;
    std::unique_ptr<Functions> m_library;
    std::optional<Message> m_absence;
};

} // namespace ringmaster
