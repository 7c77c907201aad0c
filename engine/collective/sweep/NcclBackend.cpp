#include "engine/collective/sweep/Backends.h"

#include <cstdlib>
#include <string>

#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

using namespace ringmaster::collective;

namespace {

/// nccl refuses two ranks on one GPU of one host: to it, each is a host of its own.
void shareDevices(int rank, int devices)
{
    const char* ranksHere = std::getenv("LOCAL_WORLD_SIZE");
    if (ranksHere != nullptr && std::atoi(ranksHere) > devices)
        setenv("NCCL_HOSTID", ("rank" + std::to_string(rank)).c_str(), 0);
}

} // namespace

/// Found by name in this object. A rank takes the device of its local rank; where there are fewer,
/// ranks share them.
extern "C" __attribute__((visibility("default"))) void
ringmasterJoinNccl(const SweepMembership& membership, SweepBackend& joined)
{
    const auto devices = c10::cuda::device_count_ensure_non_zero();
    const auto device =
        static_cast<c10::DeviceIndex>(membership.localRank % static_cast<int>(devices));
    shareDevices(membership.rank, static_cast<int>(devices));
    c10::cuda::set_device(device);
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = membership.timeout;
    joined = {.group = c10::make_intrusive<c10d::ProcessGroupNCCL>(
                  membership.store, membership.rank, membership.ranks, options),
              .device = at::Device(at::kCUDA, device),
              .synchronize = [] { c10::cuda::device_synchronize(); }};
}
