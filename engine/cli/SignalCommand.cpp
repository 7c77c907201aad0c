#include "engine/cli/AgentTalk.h"
#include "engine/cli/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Terminal.h"
#include "engine/event/States.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class SignalCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"signal", "Send a signal to one worker",
                "To the worker of that global rank and its process group. What the worker makes "
                "of it is its own: one that ends counts as a failure that the user caused."};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RANK", m_rank, "The worker's global rank")->required();
        app.add_option("SIGNAL", m_signal, "SIGUSR1, TERM, 15 …")->required();
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name");
    }

    int execute() override
    {
        const auto number = signalFromName(m_signal);
        if (!number)
            return complain(Error{{code::SignalUnknown, {{"name", m_signal}}, {}}, {}});
        const auto run = sendToRun(m_run, SignalWorker{.globalRank = m_rank, .signal = *number});
        if (!run)
            return complain(run.error());
        Terminal(STDERR_FILENO)
            .print("Sent " + signalName(*number) + " to rank " + std::to_string(m_rank) + " of " +
                   run->id + "\n");
        return 0;
    }

private:
    int m_rank = 0;
    std::string m_signal;
    std::string m_run;
};

} // namespace

std::unique_ptr<CliCommand> makeSignalCommand()
{
    return std::make_unique<SignalCommand>();
}

} // namespace ringmaster
