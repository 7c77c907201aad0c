#pragma once

#include <string_view>

/// The lines between who probes hosts and the agents there.
namespace ringmaster::probe_line {

constexpr std::string_view AskTime = "time";            ///< Its wall clock, in nanoseconds.
constexpr std::string_view AskFacts = "facts ";         ///< With an interpreter, or none: JSON.
constexpr std::string_view AskPath = "path ";           ///< 1 where it is there, else 0.
constexpr std::string_view AskToListen = "listen ";     ///< ADDRESS INTERFACE: ADDRESS PORT.
constexpr std::string_view AskToReach = "reach ";       ///< ADDRESS PORT: nanoseconds.
constexpr std::string_view AskName = "name ";           ///< NAME: the address that it resolves to.
constexpr std::string_view AskInterface = "interface "; ///< ADDRESS: the interface that has it.
constexpr std::string_view AskProgram = "program ";     ///< NAME: 1 where the PATH has it, else 0.
constexpr std::string_view AskSpace = "space";          ///< BYTES PATH: where there is least.
constexpr std::string_view AskWritable = "writable";    ///< Empty, or PATH, a tab, why it isn't.
constexpr std::string_view AskLeftOvers = "left";       ///< PIDS, a tab, the first one's program.
constexpr std::string_view Problem = "! ";              ///< Before why it can't be answered.

} // namespace ringmaster::probe_line
