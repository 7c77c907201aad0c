#include "engine/base/Paths.h"
#include "engine/cli/AgentTalk.h"
#include "engine/cli/Commands.h"
#include "engine/cli/LogPrinter.h"
#include "engine/cli/RankList.h"
#include "engine/cli/RunSource.h"
#include "engine/cli/Terminal.h"

#include <CLI/CLI.hpp>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Output is pulled, and only while somebody looks.
constexpr auto PullInterval = 100ms;

class LogsCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"logs", "Print what the workers have printed",
                "Of a run that is running or finished, or of a .ringrun file. --grep takes what "
                "the dashboard's filter takes: words, \"two words\", /regex/, /regex/i, "
                "rank:0,2-3, level:warning, stream:stderr, attempt:1; all must hold."};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, its name, or a .ringrun file");
        app.add_flag("-f,--follow", m_isFollowing, "Go on until the run ends");
        app.add_option("-r,--rank", m_ranks, "Only these global ranks, for example 0,2-3");
        app.add_option("--attempt", m_attempt, "Only this attempt, from 0");
        app.add_option("--stream", m_stream, "Only stdout or stderr")
            ->check(CLI::IsMember({"stdout", "stderr"}));
        app.add_option("-g,--grep", m_filter, "Only lines that match");
        app.add_option("-n,--lines", m_lines, "Only the last so many lines");
        app.add_flag("-t,--times", m_hasTimes, "With the time of each line");
        app.add_flag("--json", m_isJson, "A JSON object a line");
    }

    int execute() override
    {
        const auto done = print();
        return done ? 0 : complain(done.error());
    }

private:
    Result<void> print() const
    {
        const RunSource source = RM_TRY(openRun(m_run));
        LogPrinter printer(source.reader, RM_TRY(request()));
        RM_TRY(printer.printRecorded());
        while (m_isFollowing && source.summary &&
               !RM_TRY(waitForEnd(*source.summary, PullInterval)))
            RM_TRY(printer.printNew());
        RM_TRY(printer.printNew());
        printer.finish();
        return {};
    }

    Result<LogPrinter::Request> request() const
    {
        LogPrinter::Request request{
            .attempt = m_attempt, .hasTimes = m_hasTimes, .isJson = m_isJson};
        request.ranks = RM_TRY(parseRanks(m_ranks));
        request.filter = RM_TRY(LogFilter::parse(m_filter));
        if (!m_stream.empty())
            request.stream = m_stream == "stdout" ? Stream::Stdout : Stream::Stderr;
        if (m_lines >= 0)
            request.lastLines = static_cast<size_t>(m_lines);
        return request;
    }

    std::string m_run;
    bool m_isFollowing = false;
    std::string m_ranks;
    int m_attempt = -1;
    std::string m_stream;
    std::string m_filter;
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
