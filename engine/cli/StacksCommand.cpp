#include "engine/cli/AgentTalk.h"
#include "engine/cli/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/EvidenceReport.h"
#include "engine/cli/RankList.h"
#include "engine/cli/RunSource.h"
#include "engine/cli/Terminal.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

class StacksCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"stacks", "Print where the ranks stand, call by call",
                "Of a running run: where they stand now; nothing is stopped for it. Of a finished "
                "run or of a .ringrun file: where they stood before they were ended; that is kept "
                "whenever ranks had waited for more than 3 s, or did nothing. Ranks that stand in "
                "the same place are one.",
                "  ringmaster stacks                    the run that is running\n"
                "  ringmaster stacks --rank 7 train     rank 7 of the latest run of that name\n"
                "  ringmaster stacks train.ringrun      what a file has kept\n"
                "  ringmaster stacks --on gpu1 train    a run of another machine",
                true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, its name, or a .ringrun file");
        app.add_option("-r,--rank", m_ranks, "Only these global ranks, for example 0,2-3");
        app.add_option("--attempt", m_attempt,
                       "What was kept of this attempt, from 0, also of a running run");
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        const auto printed = print();
        return printed ? 0 : complain(printed.error());
    }

private:
    Result<void> print() const
    {
        const std::vector<int> ranks = RM_TRY(parseRanks(m_ranks));
        const RunSource source = RM_TRY(openRun(m_run));
        const bool isLive = source.summary && source.summary->isLive && m_attempt < 0;
        std::vector<KeptEvidence> all;
        if (isLive)
            all.push_back(RM_TRY(takeStacksOf(*source.summary)));
        else
            all = RM_TRY(kept(source.reader));
        for (KeptEvidence& taken : all)
            taken.evidence = onlyRanks(std::move(taken.evidence), ranks);
        std::erase_if(all, [](const KeptEvidence& taken) { return taken.evidence.ranks.empty(); });
        if (m_isJson) {
            Json json{{"run", source.reader.run()}, {"isLive", isLive}};
            json["evidence"] = Json::array();
            for (const KeptEvidence& taken : all)
                json["evidence"].push_back(evidenceJson(taken));
            m_out.print(dump(json));
            return {};
        }
        if (all.empty())
            return fail(isLive ? code::NoRankRuns : code::NothingKept,
                        {{"run", source.reader.run()}});
        for (const KeptEvidence& taken : all)
            m_out.print((&taken == &all.front() ? "" : "\n") + evidenceText(taken, m_out));
        return {};
    }

    Result<std::vector<KeptEvidence>> kept(const RunFileReader& reader) const
    {
        std::vector<KeptEvidence> all = gatheredEvidence(RM_TRY(reader.evidence()));
        if (m_attempt >= 0)
            std::erase_if(all, [this](const KeptEvidence& taken) {
                return taken.evidence.attempt != m_attempt;
            });
        return all;
    }

    Terminal m_out{STDOUT_FILENO};
    std::string m_run;
    std::string m_ranks;
    int m_attempt = -1;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeStacksCommand()
{
    return std::make_unique<StacksCommand>();
}

} // namespace ringmaster
