#include "engine/cli/CommandTree.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Completion.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class CompletionCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"completion", "Print the completion of a shell",
                "bash: ringmaster completion bash > "
                "~/.local/share/bash-completion/completions/ringmaster\n"
                "zsh: ringmaster completion zsh > a file _ringmaster in a folder of $fpath\n"
                "fish: ringmaster completion fish > "
                "~/.config/fish/completions/ringmaster.fish"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("SHELL", m_shell, "bash, zsh or fish")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    }

    int execute() override
    {
        const auto commands = makeCommands();
        const CommandTree tree = commandTree(*makeApp(commands));
        const Terminal out(STDOUT_FILENO);
        if (m_shell == "bash")
            out.print(bashCompletion(tree));
        else if (m_shell == "zsh")
            out.print(zshCompletion(tree));
        else
            out.print(fishCompletion(tree));
        return 0;
    }

private:
    std::string m_shell;
};

} // namespace

std::unique_ptr<CliCommand> makeCompletionCommand()
{
    return std::make_unique<CompletionCommand>();
}

} // namespace ringmaster
