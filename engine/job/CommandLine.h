#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Error.h"
#include "engine/job/JobSpec.h"

#include <string>
#include <vector>

namespace ringmaster {

enum class LineDialect { Torchrun, Ringmaster };

/// A job as a command line of the newest torchrun (or of `ringmaster run`), and what such a line
/// can't say.
struct CommandLine
{
    std::string workingFolder{};      ///< Torchrun has no option for it: `cd`.
    EnvironmentMap environment{};     ///< Variables that stand before the command.
    std::vector<std::string> words{}; ///< "torchrun", options, program, arguments.
    std::vector<Message> cannotSay{};
    std::vector<Message> needs{}; ///< Options that older torchruns refuse.

    /// For a POSIX shell; wrapped with backslashes where a line would be longer than `columns`
    /// (0: never).
    std::string text(size_t columns = 0) const;
};

/// Only what differs from the defaults is said. parsePastedCommand() of its text() gives the same
/// job again, but for what `cannotSay` names.
CommandLine toCommandLine(const JobSpec& spec, LineDialect dialect = LineDialect::Torchrun);

} // namespace ringmaster
