#include "engine/base/Files.h"
#include "engine/cli/Codes.h"
#include "engine/cli/CommandTree.h"
#include "engine/cli/Commands.h"
#include "engine/cli/ManPage.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class ManCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"man", "Print the manual's pages, or write them",
                "In the form that man(1) reads: `ringmaster man run | man -l -`."};
    }

    void define(CLI::App& app) override
    {
        app.add_option("COMMAND", m_command, "The command; the whole of ringmaster unless given");
        app.add_option("--into", m_folder, "Write all pages into this folder");
    }

    int execute() override
    {
        const auto commands = makeCommands();
        const CommandTree tree = commandTree(*makeApp(commands));
        if (!m_folder.empty())
            return writeAll(tree);
        if (m_command.empty()) {
            Terminal(STDOUT_FILENO).print(manPage(tree));
            return 0;
        }
        for (const auto& command : tree.commands) {
            if (command.name != m_command)
                continue;
            Terminal(STDOUT_FILENO).print(manPage(command));
            return 0;
        }
        return complain(Error{{code::CommandUnknown, {{"command", m_command}}, {}}, {}});
    }

private:
    int writeAll(const CommandTree& tree) const
    {
        const std::filesystem::path folder = m_folder;
        auto written = makeFolder(folder).and_then([&] {
            return writeFileAtomically(folder / "ringmaster.1", manPage(tree), 0644,
                                       Durability::Relaxed);
        });
        for (const auto& command : tree.commands) {
            if (written)
                written = writeFileAtomically(folder / ("ringmaster-" + command.name + ".1"),
                                              manPage(command), 0644, Durability::Relaxed);
        }
        return written ? 0 : complain(written.error());
    }

    std::string m_command;
    std::string m_folder;
};

} // namespace

std::unique_ptr<CliCommand> makeManCommand()
{
    return std::make_unique<ManCommand>();
}

} // namespace ringmaster
