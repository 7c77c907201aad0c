#include "engine/cli/AgentTalk.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class RestartCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"restart", "Stop and start the workers of a run",
                "As after a failure, but the restart budget isn't charged."};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name");
    }

    int execute() override
    {
        const auto run = sendToRun(m_run, RestartGroup{});
        if (!run)
            return complain(run.error());
        Terminal(STDERR_FILENO).print("Restarting the workers of " + run->id + "\n");
        return 0;
    }

private:
    std::string m_run;
};

} // namespace

std::unique_ptr<CliCommand> makeRestartCommand()
{
    return std::make_unique<RestartCommand>();
}

} // namespace ringmaster
