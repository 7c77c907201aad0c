#pragma once

#include "engine/base/Result.h"
#include "engine/job/CommandLine.h"

#include <vector>

namespace ringmaster {

/// A job's torchrun line for a place that has its own words for the name, the nodes, their devices
/// and the rendezvous: a batch script, a manifest.
struct PlacedLine
{
    /// A part that isn't for others is the value of a variable there, one of `secrets`.
    struct Part
    {
        std::string text{};
        bool isVariable = false; ///< `text` is its name.
    };
    using Word = std::vector<Part>;

    std::vector<std::string> torchrun{}; ///< What starts torchrun, without any option.
    std::vector<std::string> options{};  ///< Those that don't depend on the place.
    std::vector<Word> program{};         ///< The program and its arguments.
    EnvironmentMap environment{};        ///< Without the secrets.
    std::vector<std::string> secrets{};  ///< Names of variables whose values stay here; each once.
    std::vector<Message> cannotSay{};
    std::vector<Message> needs{}; ///< As CommandLine's.
};

/// The job with the number of its hosts as its nodes, and their slots as its workers: elsewhere
/// there are other machines. An error where these numbers aren't known here, or differ between
/// hosts.
Result<JobSpec> withCountOfHosts(const JobSpec& spec);

/// An error: a variable can't have its name there.
Result<PlacedLine> placedLine(const JobSpec& spec);

} // namespace ringmaster
