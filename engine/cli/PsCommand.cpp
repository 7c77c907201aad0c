#include "engine/base/Paths.h"
#include "engine/cli/Commands.h"
#include "engine/cli/HostsOfLostRun.h"
#include "engine/cli/Json.h"
#include "engine/cli/NumberReport.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/cli/WarmStarters.h"
#include "engine/control/OrphanSweep.h"
#include "engine/record/RunCatalog.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

Terminal::Style styleOf(Health health)
{
    switch (health) {
    case Health::Starting:
    case Health::Running: return Terminal::Style::Blue;
    case Health::Waiting:
    case Health::Slow:
    case Health::Restarting:
    case Health::Stopping:
    case Health::Ended:
    case Health::StoppedByUser:
    case Health::Recorded: return Terminal::Style::Yellow;
    case Health::Finished: return Terminal::Style::Green;
    case Health::Hanging:
    case Health::Stopped:
    case Health::Failed:
    case Health::Lost: return Terminal::Style::Red;
    }
    return Terminal::Style::Bold;
}

/// How long it has run, or ran.
std::string spanOf(const RunSummary& run)
{
    const std::int64_t end = run.isLive ? SystemClock().now().wallNs : run.endedAt.wallNs;
    return run.startedAt.wallNs == 0 || end == 0 ? "" : durationText(end - run.startedAt.wallNs);
}

/// What its workers have printed last; nothing of a run that can't be read now.
std::optional<NumberReport> numbersOf(const RunCatalog& catalog, const RunSummary& run)
{
    const auto read = [&]() -> Result<NumberReport> {
        const RunFolder folder = RM_TRY(catalog.find(run.id));
        const auto reader = RM_TRY(folder.openReader());
        return NumberReport::read(reader, run.isLive);
    };
    auto report = read();
    return report && !report->isEmpty() ? std::optional(*std::move(report)) : std::nullopt;
}

/// "  “wide net”  #lr #wide"
std::string labelText(const RunLabels& labels)
{
    std::string text = labels.name.empty() ? "" : "  “" + harmless(labels.name) + "”";
    for (size_t i = 0; i < labels.tags.size(); ++i)
        text += (i == 0 ? "  #" : " #") + harmless(labels.tags[i]);
    return text;
}

class PsCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"ps", "List the runs that are running",
                "Runs of the terminal and of the dashboard are the same. With --all finished ones "
                "are listed, too, with the name and the tags that `ringmaster label` or the "
                "dashboard has given them. PRINTED is what the workers have printed last: steps, "
                "losses and "
                "the like, and when they will be done (ETA) where they say how much there is to "
                "do. Hosts that may still work for a run whose lead is gone are named below; with "
                "--json such a run is listed, too, with its hostsAtWork.",
                "  ringmaster ps --all\n"
                "  ringmaster ps --on gpu1              the runs of another machine",
                true};
    }

    void define(CLI::App& app) override
    {
        app.add_flag("-a,--all", m_isAll, "Finished runs, too");
        app.add_flag("--json", m_isJson, "For a program to read");
        app.add_flag("--warm", m_isWarm,
                     "The warm starters, which workers are forked from, instead");
    }

    int execute() override
    {
        if (m_isWarm)
            return printWarmStarters(m_isJson);
        const RunCatalog catalog(runsFolder());
        auto runs = catalog.list(); // closes what is lost
        (void)sweepOrphans(catalog, runs);
        const std::string about = m_isJson ? "" : hostsOfLostRuns(runs) + hostsLeftOut(runs);
        if (!m_isAll)
            std::erase_if(runs, [this](const RunSummary& run) {
                return !run.isLive && !(m_isJson && hostsAtWork(run));
            });
        m_isJson ? printJson(catalog, runs) : printTable(catalog, runs);
        Terminal(STDERR_FILENO).print(about);
        return 0;
    }

private:
    void printJson(const RunCatalog& catalog, const std::vector<RunSummary>& runs) const
    {
        Json list = Json::array();
        for (const RunSummary& run : runs) {
            list.push_back(asJson(run));
            if (const auto numbers = numbersOf(catalog, run))
                list.back()["numbers"] = numbers->json();
            if (const auto left = hostsAtWork(run))
                list.back()["hostsAtWork"] = {
                    {"hosts", left->hosts},
                    {"until", {{"ns", left->untilNs}, {"text", timeText(left->untilNs)}}},
                    {"command", left->takeover()}};
        }
        m_out.print(dump(list));
    }

    void printTable(const RunCatalog& catalog, const std::vector<RunSummary>& runs) const
    {
        if (runs.empty()) {
            Terminal(STDERR_FILENO)
                .print(m_isAll ? "No runs.\n" : "Nothing is running; --all lists what has been.\n");
            return;
        }
        size_t widest = 3;
        for (const RunSummary& run : runs)
            widest = std::max(widest, run.id.size());
        std::string text = m_out.styled(padded("RUN", widest + 2) + padded("STATE", 16) +
                                            padded("WORKERS", 9) + padded("RESTARTS", 10) +
                                            padded("STARTED", 21) + padded("FOR", 13) + "PRINTED",
                                        Terminal::Style::Bold) +
                           "\n";
        for (const RunSummary& run : runs) {
            const std::string restarts =
                std::to_string(run.restartsUsed) + "/" + std::to_string(run.restartBudget);
            text +=
                padded(run.id, widest + 2) +
                m_out.styled(padded(nameOf(run.health.health), 16), styleOf(run.health.health)) +
                padded(std::to_string(run.worldSize), 9) + padded(restarts, 10) +
                padded(timeText(run.startedAt.wallNs), 21) + padded(spanOf(run), 13);
            if (const auto numbers = numbersOf(catalog, run))
                text += harmless(numbers->line());
            if (run.isPinned)
                text += "  pinned";
            text += labelText(run.labels);
            while (text.ends_with(' '))
                text.pop_back();
            text += "\n";
        }
        m_out.print(text);
    }

    Terminal m_out{STDOUT_FILENO};
    bool m_isAll = false;
    bool m_isJson = false;
    bool m_isWarm = false;
};

} // namespace

std::unique_ptr<CliCommand> makePsCommand()
{
    return std::make_unique<PsCommand>();
}

} // namespace ringmaster
