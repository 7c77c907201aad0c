#pragma once

#include "engine/job/TorchrunLine.h"

#include <vector>

namespace ringmaster {

/// A job's torchrun line for a place that has its own words for the name, the nodes, their devices
/// and the rendezvous: a batch script, a manifest.
struct PlacedLine
{
    std::vector<std::string> torchrun{}; ///< What starts torchrun, without any option.
    std::vector<std::string> options{};  ///< Those that don't depend on the place.
    std::vector<std::string> program{};  ///< The program and its arguments.
    EnvironmentMap environment{};        ///< Without the secrets.
    std::vector<std::string> secrets{};  ///< Names of variables whose values stay here.
    std::vector<Message> cannotSay{};
};

PlacedLine placedLine(const JobSpec& spec);

} // namespace ringmaster
