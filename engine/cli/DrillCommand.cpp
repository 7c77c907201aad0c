#include "engine/base/Paths.h"
#include "engine/cli/AgentTalk.h"
#include "engine/cli/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/DrillQuestion.h"
#include "engine/cli/Terminal.h"
#include "engine/event/DrillStage.h"
#include "engine/event/DrilledHost.h"
#include "engine/machine/ProcessAbout.h"
#include "engine/node/DrillPlan.h"
#include "engine/text/Duration.h"

#include <CLI/CLI.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// Another user's processes are nobody's to try things on, root's neither.
Result<void> checkOwner(const RunSummary& run)
{
    const AgentRecord agent = RM_TRY(RM_TRY(RunCatalog(runsFolder()).find(run.id)).agent());
    struct stat process
    {
    };
    const std::string folder = "/proc/" + std::to_string(agent.process.pid);
    if (::stat(folder.c_str(), &process) == 0 && process.st_uid != ::geteuid())
        return fail(code::DrillNotOwn, {{"run", run.id}});
    return {};
}

class DrillCommand : public CliCommand
{
public:
    About about() const override
    {
        return {
            "drill", "Let a rank or host of a running job fail, and see whether it comes back",
            "A fire drill. WHAT is kill:RANK (SIGKILL), stop:RANK:TIME (SIGSTOP, then SIGCONT) or "
            "slow:RANK:TIME (it runs a quarter of the time); without it the last rank is killed. "
            "With --host, of a job on hosts, it is kill (SIGKILL to the agent and all workers "
            "there, as if its power had failed) or cut:TIME (so long, or 15s, the lead doesn't "
            "reach the agent; the network of the workers stays). Back means that all ranks run, of "
            "the next round after a kill, and that the program prints its steps again; where it "
            "prints none, that the round's first collective has ended; and of a host that was cut "
            "off, that it is connected again. Steps and losses are found in the output; what can't "
            "be found there is said to be unknown. A rank's kill takes one of the job's restarts; "
            "what a host's drill has taken is said. The exit code is 0 when the job is back, 1 "
            "when it isn't. `ringmaster run --drill` does the same at a moment that is given.",
            "  ringmaster drill train               the last rank is killed\n"
            "  ringmaster drill train kill:2\n"
            "  ringmaster drill train stop:1:20s    rank 1 is stopped for 20 s\n"
            "  ringmaster drill train slow:0:1m     rank 0 is slowed down for a minute\n"
            "  ringmaster drill train --host gpu2   gpu2's agent and workers are killed\n"
            "  ringmaster drill train cut:30s --host gpu2",
            true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, or its name")->required();
        app.add_option("WHAT", m_what,
                       "kill:RANK, stop:RANK:TIME or slow:RANK:TIME; with --host kill or cut:TIME");
        app.add_option("--host", m_host, "A host of the run, as `ringmaster show` names it");
        app.add_option("--within", m_within, "How long it may take to come back (5m)");
        app.add_flag("-y,--yes", m_isAgreed, "Don't ask");
    }

    int execute() override
    {
        const auto isBack = drill();
        if (!isBack)
            return complain(isBack.error());
        return *isBack ? 0 : 1;
    }

private:
    Result<BeginDrill> wanted() const
    {
        const DrillPlan plan = RM_TRY(parseDrill(m_what, m_host));
        if (!plan.isNow())
            return fail(code::DrillIsNow, {{"text", m_what}});
        const auto limit = parseDuration(m_within);
        if (!limit)
            return fail(code::DrillLimitInvalid, {{"text", m_within}});
        BeginDrill drill = plan.drill;
        drill.limit = *limit;
        RM_TRY(checkTimes(drill));
        return drill;
    }

    Result<bool> drill() const
    {
        BeginDrill drill = RM_TRY(wanted());
        const RunSummary run =
            RM_TRY(chooseRun(RunCatalog(runsFolder()).list(), m_run, RunScope::Running));
        RM_TRY(checkOwner(run));
        const RunSnapshot now = RM_TRY(snapshotOf(run));
        if (drill.isOfHost())
            RM_TRY(hostToDrill(now, drill.host));
        else if (drill.globalRank < 0 && !now.workers.empty())
            drill.globalRank = now.workers.back().assignment.globalRank;
        drill.by = aboutProcess(::getpid()).user;
        if (!m_isAgreed && ::isatty(STDIN_FILENO) == 0)
            return fail(code::DrillNeedsYes);
        if (!m_isAgreed && !agreesToDrill(drillQuestion(now, drill)))
            return fail(code::DrillNotWanted);
        const Terminal out(STDOUT_FILENO);
        return drillRun(run, drill, [&out](const Notice& notice) {
            out.print(harmless(describe(notice.message)) + "\n");
        });
    }

    std::string m_run;
    std::string m_what = "kill";
    std::string m_host;
    std::string m_within = "5m";
    bool m_isAgreed = false;
};

} // namespace

std::unique_ptr<CliCommand> makeDrillCommand()
{
    return std::make_unique<DrillCommand>();
}

} // namespace ringmaster
