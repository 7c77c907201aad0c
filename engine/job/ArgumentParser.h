#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Error.h"
#include "engine/job/CommandOptions.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringmaster {

/// What stands on a command line, before anything is made of it. A value is text as it was given.
struct ParsedArguments
{
    struct Value
    {
        std::string text{};
        bool fromVariable = false; ///< PET_…: choices weren't checked.
    };

    std::map<std::string, std::vector<Value>> values{}; ///< By destination; the last one holds.
    std::optional<std::string> program{};
    std::vector<std::string> arguments{};
    bool help = false;
    std::optional<std::string> completion{}; ///< A shell: as `help`, nothing else is wanted.
    std::vector<Message> valueErrors{};      ///< torchrun raises: exit code 1.
    std::vector<Message> usageErrors{};      ///< argparse refuses: exit code 2.

    bool has(const std::string& destination) const { return values.contains(destination); }
    /// Nothing when the option was not given.
    std::optional<std::string> last(const std::string& destination) const;
};

/// Reads words as Python's argparse does for torchrun: both spellings, unambiguous prefixes,
/// `--flag=value`, joined short options, `--`, the first other word is the program and all behind
/// it its own. Options of Ringmaster have no prefixes, so they make no torchrun prefix ambiguous.
/// Unlike argparse of Python 3.11, which stops at the first error and also looks for ambiguous
/// prefixes among the program's arguments, this finds all errors and leaves those arguments alone.
ParsedArguments parseArguments(const std::vector<std::string>& words,
                               const EnvironmentMap& environment,
                               std::span<const OptionRow> extra = {});

} // namespace ringmaster
