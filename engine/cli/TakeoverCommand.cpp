#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/RunChoice.h"
#include "engine/cli/RunCommand.h"
#include "engine/cli/Terminal.h"
#include "engine/job/JobFile.h"
#include "engine/job/WorkerCommand.h"
#include "engine/lead/Codes.h"
#include "engine/machine/RealSystemInfo.h"
#include "engine/record/RunCatalog.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <CLI/CLI.hpp>

namespace ringmaster {

namespace {

using namespace std::chrono_literals;

constexpr auto ClosingPatience = 10s;
constexpr auto LookAgain = 100ms;

/// Its lead is gone, and somebody else has its lock, as an open dashboard has while it closes it.
bool isBeingClosed(const RunSummary& run)
{
    return !run.isLive && !isFinal(run.state);
}

class TakeoverCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"takeover", "Go on with a run whose lead is gone",
                "Of a job on several hosts: this process becomes its lead. The workers go on as "
                "they were, if it comes before the agents have given up (lead_timeout)."};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run,
                       "Its id, a beginning of it, or its name; the latest that is lost");
        app.add_flag("-q,--quiet", m_isQuiet, "Only the workers' output and errors");
        app.add_flag("-d,--detach", m_isDetached, "Outlive the terminal; prints the run's id");
    }

    int execute() override
    {
        (void)std::signal(SIGPIPE, SIG_IGN);
        Moment startedAt;
        auto node = options(startedAt);
        if (!node)
            return complain(node.error());
        RunReporter::Options reporting{.isQuiet = m_isQuiet || m_isDetached,
                                       .isLed = true,
                                       .grace = node->spec.restart.grace,
                                       .startedAt = startedAt};
        return runReported(*std::move(node), std::move(reporting), m_isDetached);
    }

private:
    /// Of those that are lost, or seem to be closed as lost at this moment.
    Result<RunSummary> choose(bool withClosing) const
    {
        std::vector<RunSummary> runs = RunCatalog(runsFolder()).list();
        if (m_run.empty())
            std::erase_if(runs, [withClosing](const RunSummary& run) {
                return run.state != RunState::Lost && !(withClosing && isBeingClosed(run));
            });
        return chooseRun(runs, m_run, RunScope::All);
    }

    Result<RunSummary> chooseOnceClosed() const
    {
        const auto deadline = std::chrono::steady_clock::now() + ClosingPatience;
        for (;;) {
            RunSummary run = RM_TRY(choose(true));
            if (!isBeingClosed(run))
                return run;
            if (std::chrono::steady_clock::now() >= deadline)
                return choose(false);
            std::this_thread::sleep_for(LookAgain);
        }
    }

    Result<NodeOptions> options(Moment& startedAt) const
    {
        const RunSummary run = RM_TRY(chooseOnceClosed());
        if (run.isLive)
            return fail(code::TakeoverTooEarly, {{"run", run.id}});
        const RunFolder folder = RM_TRY(RunCatalog(runsFolder()).find(run.id));
        const RunFileReader reader = RM_TRY(folder.openReader());
        const RunSnapshot snapshot = RM_TRY(reader.snapshot());
        const RunStarted& started = snapshot.started;
        startedAt = snapshot.startedAt;
        auto job = parseJobFile(started.jobFile);
        if (!job || !job->spec.isLed() || run.state != RunState::Lost || folder.isImported())
            return fail(code::TakeoverImpossible, {{"run", run.id}});
        EnvironmentMap environment = currentEnvironment();
        const RealSystemInfo systemInfo(environment, started.workingFolder, {.isGiven = true});
        NodeOptions node{.spec = std::move(job->spec),
                         .torchrunLine = started.torchrunLine,
                         .workingFolder = started.workingFolder,
                         .isDetached = m_isDetached,
                         .takesOver = run.id};
        node.interpreter = interpreterFor(node.spec, systemInfo);
        node.environment = std::move(environment);
        return node;
    }

    std::string m_run;
    bool m_isQuiet = false;
    bool m_isDetached = false;
};

} // namespace

std::unique_ptr<CliCommand> makeTakeoverCommand()
{
    return std::make_unique<TakeoverCommand>();
}

} // namespace ringmaster
