#pragma once

#include "engine/base/Result.h"
#include "engine/job/ArgumentParser.h"
#include "engine/job/JobSpec.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ringmaster {

/// A job read from a command line, and what else stood there.
struct ParsedLine
{
    JobSpec spec{};
    bool help = false; ///< --help or --print-completion stood there; `spec` is empty then.
    /// Options that torchrun doesn't know, as "--plain".
    std::set<std::string> ownOptions{};
    /// Values of the caller's own rows by destination; a flag has the value "1".
    std::map<std::string, std::vector<std::string>> extra{};
};

/// Everything that is wrong with a command line, torchrun's first complaint first.
struct LineErrors
{
    std::vector<Message> messages{};
    int exitCode = 2; ///< torchrun's: 2 when argparse refuses, else 1.
};

/// Reads the words behind `torchrun` (or `ringmaster run`) and the PET_ variables of `environment`.
/// Refuses what torchrun refuses and a JobSpec can't hold; impossible values that it can hold
/// (nodes 2:1, 0 workers) are left to validate(). `extra` are options that only the caller knows.
tl::expected<ParsedLine, LineErrors> parseTorchrunLine(const std::vector<std::string>& words,
                                                       const EnvironmentMap& environment,
                                                       std::span<const OptionRow> extra = {});

} // namespace ringmaster
