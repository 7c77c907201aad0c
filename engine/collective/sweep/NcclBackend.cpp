#include "engine/collective/sweep/Backends.h"

#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

using namespace ringmaster::collective;

/// Found by name in this object. A rank takes the device of its local rank; where there are fewer,
/// ranks share them, which nccl takes with a NCCL_HOSTID each.
extern "C" __attribute__((visibility("default"))) void
ringmasterJoinNccl(const SweepMembership& membership, SweepBackend& joined)
{
    const auto devices = c10::cuda::device_count_ensure_non_zero();
    const auto device =
        static_cast<c10::DeviceIndex>(membership.localRank % static_cast<int>(devices));
    c10::cuda::set_device(device);
    auto options = c10d::ProcessGroupNCCL::Options::create();
    options->timeout = membership.timeout;
    joined = {.group = c10::make_intrusive<c10d::ProcessGroupNCCL>(
                  membership.store, membership.rank, membership.ranks, options),
              .device = at::Device(at::kCUDA, device),
              .synchronize = [] { c10::cuda::device_synchronize(); }};
}
