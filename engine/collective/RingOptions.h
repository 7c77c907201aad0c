#pragma once

#include "engine/collective/ring/Types.h"

#include <chrono>
#include <string>

namespace ringmaster::collective {

/// How a group of the ring's works, as its job asked.
struct RingOptions
{
    std::chrono::milliseconds timeout = std::chrono::minutes(30);
    ring::Algorithm algorithm = ring::Algorithm::Auto;
    std::string interface {
    };
    std::string stepFile{};  ///< Chunks are told there; empty: not.
    std::string faultFile{}; ///< Says which of them is to be broken; see StepFile.

    /// RINGMASTER_RING_ALGORITHM, _INTERFACE, _STEPS and _FAULT; throws what isn't one.
    static RingOptions fromEnvironment(std::chrono::milliseconds timeout);
};

} // namespace ringmaster::collective
