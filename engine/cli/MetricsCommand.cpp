#include "engine/base/Paths.h"
#include "engine/cli/AgentTalk.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class MetricsCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"metrics", "Print the figures of a running run for Prometheus",
                "Its workers by what they are in, restarts, what the diagnosis says, bytes and "
                "bandwidth of its operations, steps a second, the numbers that it prints, CPU, "
                "memory and GPUs, as its agent tells them now, in Prometheus' text format. "
                "`ringmaster run --metrics PORT` serves the same text at "
                "http://127.0.0.1:PORT/metrics as long as the run goes on.",
                "  ringmaster metrics                   of the run that is running\n"
                "  ringmaster metrics --on gpu1 train   a run of another machine",
                true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name");
    }

    int execute() override
    {
        const auto printed = print();
        return printed ? 0 : complain(printed.error());
    }

private:
    Result<void> print() const
    {
        const RunSummary run =
            RM_TRY(chooseRun(RunCatalog(runsFolder()).list(), m_run, RunScope::Running));
        m_out.print(RM_TRY(metricsOf(run)));
        return {};
    }

    Terminal m_out{STDOUT_FILENO};
    std::string m_run;
};

} // namespace

std::unique_ptr<CliCommand> makeMetricsCommand()
{
    return std::make_unique<MetricsCommand>();
}

} // namespace ringmaster
