#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ringmaster {

/// All that the command line takes, as completion and the manual need it.
struct CommandTree
{
    struct Option
    {
        std::vector<std::string> names{}; ///< "-f", "--follow"; for an argument its name only.
        std::string valueName{};          ///< Empty: a flag.
        std::string description{};
        std::vector<std::string> choices{};
        bool isRequired = false;
        bool isRun = false;     ///< It names a run.
        bool isMachine = false; ///< It names a machine that ssh reaches.
    };

    struct Command
    {
        std::string name{};
        std::string summary{};
        std::string description{};
        std::string examples{};
        std::vector<Option> options{};
        std::vector<Option> arguments{};
    };

    std::string description{};
    std::string footer{};
    std::vector<Command> commands{};
};

/// From the parser itself, and for `run` from torchrun's options.
CommandTree commandTree(const CLI::App& app);

} // namespace ringmaster
