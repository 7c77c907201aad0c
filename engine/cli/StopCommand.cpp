#include "engine/base/Paths.h"
#include "engine/cli/AgentTalk.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/cli/WarmStarters.h"
#include "engine/job/JobFile.h"
#include "engine/record/RunCatalog.h"

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr std::chrono::milliseconds SoonEnough{1500};

/// The job that the run was asked for, in TOML.
Result<std::string> jobOf(const RunSummary& run)
{
    const RunFolder folder = RM_TRY(RunCatalog(runsFolder()).find(run.id));
    const RunFileReader reader = RM_TRY(folder.openReader());
    return RM_TRY(reader.snapshot()).started.jobFile;
}

class StopCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"stop", "Stop a run",
                "The workers get SIGTERM, then, after the job's grace, SIGKILL. Returns when the "
                "run has ended.",
                "  ringmaster stop --on gpu1 train      a run of another machine", true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name");
        app.add_flag("--now", m_isNow, "Without the grace: SIGKILL at once");
        app.add_flag("--warm", m_isWarm, "The warm starters instead of a run; runs go on");
        app.add_flag("--no-wait", m_isWithoutWait, "Return as soon as the agent has heard it");
    }

    int execute() override
    {
        if (m_isWarm)
            return stopWarmStarters();
        const auto run = sendToRun(m_run, StopRun{.now = m_isNow});
        if (!run)
            return complain(run.error());
        if (!m_isWithoutWait) {
            auto ended = waitForEnd(*run, SoonEnough);
            if (ended && !*ended) {
                tellToWait(*run);
                ended = waitForEnd(*run, std::chrono::milliseconds(-1));
            }
            if (!ended)
                return complain(ended.error());
        }
        Terminal(STDERR_FILENO)
            .print((m_isWithoutWait ? "Stopping " : "Stopped ") + run->id + "\n");
        return 0;
    }

private:
    void tellToWait(const RunSummary& run) const
    {
        if (m_isNow)
            return;
        const auto grace = graceIn(jobOf(run).value_or(""));
        const std::string left =
            grace ? "its workers have " + durationText(grace->count()) + " to end; "
                  : std::string("its workers are still ending; ");
        Terminal(STDERR_FILENO)
            .print("Stopping " + run.id + ": " + left + "`ringmaster stop --now " + run.id +
                   "` kills them now\n");
    }

    std::string m_run;
    bool m_isNow = false;
    bool m_isWarm = false;
    bool m_isWithoutWait = false;
};

} // namespace

std::unique_ptr<CliCommand> makeStopCommand()
{
    return std::make_unique<StopCommand>();
}

} // namespace ringmaster
