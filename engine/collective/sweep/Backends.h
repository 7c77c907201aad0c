#pragma once

#include "engine/base/Result.h"

#include <functional>
#include <string>

#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace ringmaster::collective {

/// One of torch's backends, ready for collectives of this rank.
struct SweepBackend
{
    c10::intrusive_ptr<c10d::Backend> group{};
    at::Device device{at::kCPU};
    std::function<void()> synchronize = [] {}; ///< Until the device has done what was asked of it.
    std::function<std::string()> algorithm = [] { return std::string(); };
};

/// What it takes to join one.
struct SweepMembership
{
    c10::intrusive_ptr<c10d::Store> store{};
    int rank = 0;
    int ranks = 1;
    int localRank = 0;
    std::chrono::milliseconds timeout{};
};

/// gloo and ring are here; nccl is in an object of its own, loaded when it is asked for, since
/// CUDA's libraries are many and large.
Result<SweepBackend> joinBackend(const std::string& name, const SweepMembership& membership);

/// What torch threw, without its stack.
std::string reasonOf(const std::exception& exception);

} // namespace ringmaster::collective
