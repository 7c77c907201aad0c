#include "engine/base/Paths.h"
#include "engine/cli/AgentTalk.h"
#include "engine/cli/Commands.h"
#include "engine/cli/LogMatchPrinter.h"
#include "engine/cli/LogPrinter.h"
#include "engine/cli/RankList.h"
#include "engine/cli/RunSource.h"
#include "engine/cli/Terminal.h"
#include "engine/event/States.h"

#include <CLI/CLI.hpp>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Output is pulled, and only while somebody looks.
constexpr auto PullInterval = 100ms;
/// grep's exit code.
constexpr int NothingFound = 1;
constexpr int MostLinesAround = 1000;

class LogsCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"logs", "Print what the workers have printed",
                "Of a run that is running or finished, or of a .ringrun file. --grep searches all "
                "of it and takes what the dashboard's filter takes: words, \"two words\", /regex/, "
                "/regex/i, rank:0,2-3, level:warning, stream:stderr, attempt:1; all must hold. "
                "Each line that it prints has its number in the log file of its rank and stream. "
                "As with grep, the exit code is 0 if a line matches, 1 if none does, and 2 after "
                "an error.",
                "ringmaster logs --grep level:error --context 3\n"
                "ringmaster logs --grep 'loss (nan|inf)' --regex --rank 0-3 --count my-job\n"
                "ringmaster logs --on gpu1 --follow my-job",
                true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, its name, or a .ringrun file");
        app.add_flag("-f,--follow", m_isFollowing, "Go on until the run ends");
        app.add_option("-r,--rank", m_ranks, "Only these global ranks, for example 0,2-3");
        app.add_option("--attempt", m_attempt, "Only this attempt, from 0");
        app.add_option("--stream", m_stream, "Only stdout or stderr")
            ->check(CLI::IsMember({"stdout", "stderr"}));
        m_grep = app.add_option("-g,--grep", m_filter, "Only lines that match");
        app.add_flag("-E,--regex", m_isRegex, "What is searched is one regular expression (RE2)")
            ->needs(m_grep);
        app.add_option("-C,--context", m_linesAround, "With so many lines around each match")
            ->check(CLI::Range(0, MostLinesAround))
            ->needs(m_grep);
        app.add_flag("-c,--count", m_isCounting, "Only how many lines match")->needs(m_grep);
        app.add_option("-n,--lines", m_lines, "Only the last so many lines");
        app.add_flag("-t,--times", m_hasTimes, "With the time of each line");
        app.add_flag("--json", m_isJson, "A JSON object a line");
    }

    int execute() override
    {
        const auto exitCode = m_grep->count() > 0 ? printMatches() : print();
        return exitCode ? *exitCode : complain(exitCode.error());
    }

private:
    Result<int> print() const
    {
        const RunSource source = RM_TRY(openRun(m_run));
        std::vector<int> ranks = RM_TRY(parseRanks(m_ranks));
        LogPrinter::Request request{.ranks = std::move(ranks),
                                    .attempt = m_attempt,
                                    .stream = stream(),
                                    .lastLines = lastLines()};
        request.look = look(request.ranks);
        LogPrinter printer(source.reader, request);
        RM_TRY(printer.printRecorded());
        RM_TRY(follow(source, [&] { return printer.printNew(); }));
        RM_TRY(printer.printNew());
        printer.finish();
        return 0;
    }

    Result<int> printMatches() const
    {
        const RunSource source = RM_TRY(openRun(m_run));
        LogMatchPrinter::Request request{.lastLines = lastLines(), .countsOnly = m_isCounting};
        LogFilter filter =
            RM_TRY(m_isRegex ? LogFilter::ofExpression(m_filter) : LogFilter::parse(m_filter));
        std::vector<int> ranks = RM_TRY(parseRanks(m_ranks));
        request.query = {.filter = std::move(filter),
                         .ranks = std::move(ranks),
                         .attempt = m_attempt,
                         .stream = stream(),
                         .linesAround = static_cast<size_t>(m_linesAround)};
        request.look = look(request.query.ranks);
        LogMatchPrinter printer(source.reader, request);
        RM_TRY(follow(source, [&] { return printer.printNew(false); }));
        RM_TRY(printer.printNew(true));
        printer.finish();
        return printer.matches() > 0 ? 0 : NothingFound;
    }

    /// Until the run ends, if it is followed.
    template <class Print>
    Result<void> follow(const RunSource& source, Print print) const
    {
        if (!m_isFollowing || !source.summary)
            return {};
        do
            RM_TRY(print());
        while (!RM_TRY(waitForEnd(*source.summary, PullInterval)));
        return {};
    }

    LogLineWriter::Look look(const std::vector<int>& ranks) const
    {
        return {.hasRanks = ranks.size() != 1, .hasTimes = m_hasTimes, .isJson = m_isJson};
    }

    std::optional<Stream> stream() const
    {
        return m_stream.empty() ? std::nullopt : streamFromName(m_stream);
    }

    std::optional<size_t> lastLines() const
    {
        return m_lines < 0 ? std::nullopt : std::optional(static_cast<size_t>(m_lines));
    }

    std::string m_run;
    bool m_isFollowing = false;
    std::string m_ranks;
    int m_attempt = -1;
    std::string m_stream;
    std::string m_filter;
    CLI::Option* m_grep = nullptr;
    bool m_isRegex = false;
    int m_linesAround = 0;
    bool m_isCounting = false;
    int m_lines = -1;
    bool m_hasTimes = false;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeLogsCommand()
{
    return std::make_unique<LogsCommand>();
}

} // namespace ringmaster
