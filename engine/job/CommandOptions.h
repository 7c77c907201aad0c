#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

enum class OptionKind { Flag, Text, Integer, Number, CommaList, Duration, Repeated };

/// Who knows an option: every torchrun, those from `OptionRow::since` on, `ringmaster run` alone.
enum class OptionOrigin { Torchrun, NewerTorchrun, Ringmaster };

/// One row of the command line.
struct OptionRow
{
    std::string_view name{}; ///< "--nproc-per-node"; its twin has underscores.
    char letter = 0;         ///< 'r' for -r; 0: none.
    OptionKind kind = OptionKind::Text;
    OptionOrigin origin = OptionOrigin::Torchrun;
    bool hasVariable = true; ///< PET_<NAME> is its default.
    std::string_view choices{};
    std::string_view help{};
    int place = 0;            ///< In torchrun's help, from 1.
    std::string_view since{}; ///< The torch that NewerTorchrun begins with; empty: none has it yet.

    /// "nproc_per_node": the key of parsed values.
    std::string destination() const;
    /// "PET_NPROC_PER_NODE"
    std::string variable() const;
    /// All spellings, in the order in which argparse knows them.
    std::vector<std::string> spellings() const;
    /// "-r/--redirects": how argparse names it in a message.
    std::string argparseName() const;
    /// Whatever may be said, or one of its choices.
    bool accepts(const std::string& value) const;
    bool takesValue() const { return kind != OptionKind::Flag; }
};

/// Those of a job: torchrun's in its own order, then ours.
std::span<const OptionRow> commandOptions();

/// Null when there is none.
const OptionRow* findOption(std::string_view destination);

/// "usage: PROGRAM [-h] [--nnodes NNODES] … training_script ..."
std::string commandUsage(std::string_view program);

/// Usage, and a line or two about every option; `extra` are rows that only the caller knows.
std::string commandHelp(std::string_view program, std::span<const OptionRow> extra = {});

} // namespace ringmaster
