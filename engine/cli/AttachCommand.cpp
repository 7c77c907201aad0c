#include "engine/attach/Codes.h"
#include "engine/attach/JobFinder.h"
#include "engine/attach/JobLedgers.h"
#include "engine/attach/JobLook.h"
#include "engine/attach/ProcessTable.h"
#include "engine/attach/SeenEvidence.h"
#include "engine/cli/Commands.h"
#include "engine/cli/EvidenceReport.h"
#include "engine/cli/ForeignJobReport.h"
#include "engine/cli/Terminal.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class AttachCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"attach", "Look at a job that something else started",
                "Finds the ranks of jobs that torchrun, accelerate, deepspeed, srun, mpirun, "
                "Ray or torch.multiprocessing started on this machine, and looks at each twice: "
                "stacks, "
                "CPU time, what it waits for. Says which rank the others wait for, as far as that "
                "shows. Nothing is stopped or changed for it. A job that was started with "
                "RINGMASTER_HOOK=1 (see `ringmaster hook`) has recorded its operations: then it "
                "says who is absent from which one.",
                "  ringmaster attach                the job that runs; of several, a list\n"
                "  ringmaster attach 4711           the job of that process\n"
                "  ringmaster attach --seconds 11   long enough to prove that a rank does nothing\n"
                "  ringmaster attach --all --json   all of them, for a program\n"
                "  ringmaster attach --on gpu1      the job that runs on another machine",
                true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("PID", m_pid, "A rank, or what started the ranks")
            ->check(CLI::PositiveNumber);
        app.add_flag("--all", m_areAll, "Look at all jobs that are found");
        app.add_flag("--list", m_isList, "List them only");
        app.add_option("--seconds", m_seconds, "Between the two looks (default 2)")
            ->check(CLI::Range(0.2, 60.0));
        app.add_flag("--stacks", m_withStacks, "Print the stacks, too, call by call");
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        std::vector<ForeignJob> jobs = findJobs(readProcessTable());
        if (m_pid > 0) {
            std::erase_if(jobs, [this](const ForeignJob& job) { return !job.has(m_pid); });
            if (jobs.empty())
                return complain(
                    {{code::ForeignJobUnknown, {{"pid", std::to_string(m_pid)}}, {}}, {}});
        }
        std::ranges::for_each(jobs, numberByLedgers);
        const bool isLook = !m_isList && (m_areAll || jobs.size() == 1);
        m_isJson ? printJson(jobs, isLook) : printText(jobs, isLook);
        return 0;
    }

private:
    SeenJob lookAt(const ForeignJob& job) const
    {
        constexpr double Milliseconds = 1000;
        return JobLook(job, std::chrono::milliseconds(std::lround(m_seconds * Milliseconds)))
            .take();
    }

    void printJson(const std::vector<ForeignJob>& jobs, bool isLook) const
    {
        Json list = Json::array();
        for (const ForeignJob& job : jobs) {
            if (!isLook) {
                list.push_back(foreignJobJson(job));
                continue;
            }
            const SeenJob seen = lookAt(job);
            list.push_back(foreignJobJson(job, seen));
        }
        m_out.print(dump({{"jobs", std::move(list)}}));
    }

    void printText(const std::vector<ForeignJob>& jobs, bool isLook) const
    {
        if (jobs.empty())
            m_out.print(describe(Message{code::ForeignJobNone, {}, {}}) + "\n");
        for (const ForeignJob& job : jobs) {
            if (!isLook) {
                m_out.print(foreignJobLine(job, m_out));
                continue;
            }
            const SeenJob seen = lookAt(job);
            m_out.print((&job == &jobs.front() ? "" : "\n") + foreignJobText(job, seen, m_out));
            if (m_withStacks)
                m_out.print("\n" + evidenceText(evidenceOf(seen), m_out));
        }
        if (!jobs.empty() && !isLook && !m_isList)
            m_out.print("\n`ringmaster attach PID` looks at one of them, --all at each.\n");
    }

    Terminal m_out{STDOUT_FILENO};
    pid_t m_pid = 0;
    double m_seconds = 2;
    bool m_areAll = false;
    bool m_isList = false;
    bool m_withStacks = false;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeAttachCommand()
{
    return std::make_unique<AttachCommand>();
}

} // namespace ringmaster
