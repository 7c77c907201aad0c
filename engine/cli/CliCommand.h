#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace ringmaster {

/// One command of `ringmaster`: its options, and what it does.
class CliCommand
{
public:
    struct About
    {
        std::string_view name{};
        std::string_view summary{};     ///< One line.
        std::string_view description{}; ///< For --help and the manual; may be empty.
        std::string_view examples{};    ///< Lines; may be empty.
        bool takesMachine = false;      ///< --on: it can be carried out on another machine.
    };

    virtual ~CliCommand() = default;
    virtual About about() const = 0;
    virtual void define(CLI::App& app) = 0;
    /// Its exit code.
    virtual int execute() = 0;

    std::string machine{}; ///< Of --on; empty: this one.
};

/// A command line, and where it is carried out.
struct Invocation
{
    std::vector<std::string> words{};
    bool isThere = false; ///< On the machine that its --on names, for whoever has asked.
};

/// All of them but `run` and `agent`, in the order in which help lists them.
std::vector<std::unique_ptr<CliCommand>> makeCommands();

/// The parser of the whole command line, for parsing, help, completion and the manual. `commands`
/// outlive it.
std::unique_ptr<CLI::App> makeApp(const std::vector<std::unique_ptr<CliCommand>>& commands,
                                  const Invocation& invocation = {});

constexpr std::string_view RunSummaryLine =
    "Run a job: a torchrun command line, or a .ringjob file";

} // namespace ringmaster
