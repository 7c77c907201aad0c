#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Error.h"
#include "engine/event/Fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// In bytes a second.
struct Traffic
{
    double received = 0;
    double sent = 0;
    bool operator==(const Traffic&) const = default;
};
RM_FIELDS(Traffic, received, sent);

/// One GPU, in a DeviceSample. What its driver doesn't tell is nothing.
struct GpuSample
{
    int index = 0; ///< As the driver numbers it.
    std::string name{};
    std::optional<double> utilisation{}; ///< Share of the time in which a kernel ran.
    std::int64_t usedBytes = 0;
    std::int64_t totalBytes = 0;     ///< 0: not told
    std::optional<Traffic> nvlink{}; ///< All links together.
    std::optional<Traffic> pcie{};
    bool operator==(const GpuSample&) const = default;
};
RM_FIELDS(GpuSample, index, name, utilisation, usedBytes, totalBytes, nvlink, pcie);

/// What the event's node did since the last sample, its own jobs and everything else. A sample may
/// be dropped.
struct DeviceSample
{
    int processors = 0;
    double cpuFraction = 0; ///< 1.0 is all processors.
    Traffic network{};      ///< Without loopback.
    double loopback = 0;    ///< Bytes a second between processes of the node.
    std::vector<GpuSample> gpus{};
    Message absence{}; ///< Why there is no GPU, or one is missing.
    bool operator==(const DeviceSample&) const = default;
};
RM_FIELDS(DeviceSample, processors, cpuFraction, network, loopback, gpus, absence);

} // namespace ringmaster
