#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/cli/Commands.h"
#include "engine/cli/EvidenceReport.h"
#include "engine/cli/FigureTable.h"
#include "engine/cli/HostsOfLostRun.h"
#include "engine/cli/Json.h"
#include "engine/cli/NumberReport.h"
#include "engine/cli/OperationReport.h"
#include "engine/cli/RunSource.h"
#include "engine/cli/SweepTable.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/cli/WorkerMemory.h"
#include "engine/event/DrillStage.h"
#include "engine/event/EndCause.h"
#include "engine/event/EvidenceFolds.h"
#include "engine/event/Health.h"
#include "engine/event/States.h"
#include "engine/job/JobFile.h"
#include "engine/text/PythonText.h"
#include "engine/text/RankList.h"
#include "engine/text/SecretWords.h"

#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>
#include <unistd.h>

namespace ringmaster {

namespace {

/// One line for each event, in words.
std::string lineOf(const Event& event)
{
    const Json json = asJson(event);
    std::string text =
        timeText(event.at.wallNs) + "  " + padded(json["kind"].get<std::string>(), 20);
    if (json.contains("rank") && json["rank"].is_number() && json["rank"].get<int>() >= 0)
        text += "rank " + std::to_string(json["rank"].get<int>()) + "  ";
    for (const char* name : {"state", "step"}) {
        if (json.contains(name))
            text += json[name].get<std::string>() + "  ";
    }
    if (json.contains("isImporting"))
        text += json["isImporting"].get<bool>() ? "begins  " : "ends  ";
    if (json.contains("attempt"))
        text += "attempt " + std::to_string(json["attempt"].get<int>()) + "  ";
    for (const char* name :
         {"reason", "explanation", "cause", "message", "detail", "statement", "place"}) {
        if (json.contains(name) && json[name].is_object())
            text += harmless(json[name]["text"].get<std::string>());
    }
    while (text.ends_with(' '))
        text.pop_back();
    return text + "\n";
}

class ShowCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"show", "Say how a run went",
                "Of a run of this machine or of a .ringrun file: what was asked, how it ended, "
                "why, and every worker; while it runs, with each worker's own share of the memory "
                "(PSS).",
                "  ringmaster show --on gpu1 train      a run of another machine", true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_run, "Its id, a beginning of it, its name, or a .ringrun file");
        app.add_flag("--events", m_hasEvents, "Every event, too");
        app.add_flag("--operations", m_hasOperations,
                     "The process groups' operations and their bandwidth, too");
        app.add_option("--csv", m_csv,
                       "Write its figures over its time (of a sweep its rows) into this "
                       "file, too");
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        const auto shown = show();
        return shown ? 0 : complain(shown.error());
    }

private:
    Result<void> show() const
    {
        const RunSource source = RM_TRY(openRun(m_run));
        const RunSnapshot snapshot = RM_TRY(source.reader.snapshot());
        const auto sweep = RM_TRY(SweepTable::read(source.reader));
        const bool isLive = source.summary && source.summary->isLive;
        const auto numbers = RM_TRY(NumberReport::read(source.reader, isLive));
        if (!m_csv.empty())
            RM_TRY(sweep ? writeSweepCsv(m_csv, *sweep) : writeFigures(source.reader));
        if (m_isJson) {
            Json json = asJson(snapshot);
            const auto memory = workerMemory(snapshot);
            for (Json& worker : json["workers"]) {
                if (const auto own = memory.find(worker["rank"].get<int>()); own != memory.end())
                    worker["memory_bytes"] = own->second;
            }
            if (source.summary)
                json["labels"] = {{"name", source.summary->labels.name},
                                  {"note", source.summary->labels.note},
                                  {"tags", source.summary->labels.tags}};
            json["numbers"] = numbers.isEmpty() ? Json() : numbers.json();
            if (sweep)
                json["sweep"] = sweep->json();
            json["evidence"] = Json::array();
            for (const KeptEvidence& kept : gatheredEvidence(RM_TRY(source.reader.evidence())))
                json["evidence"].push_back(evidenceJson(kept));
            if (m_hasEvents)
                RM_TRY(forEachEvent(source.reader, [&](const Event& event) {
                    json["events"].push_back(asJson(event));
                }));
            if (m_hasOperations)
                json["operations"] = RM_TRY(OperationReport::read(source.reader)).json();
            m_out.print(dump(json));
            return {};
        }
        showSummary(snapshot, numbers, source.summary ? source.summary->labels : RunLabels{});
        showDrills(RM_TRY(source.reader.notices()));
        showEvidence(RM_TRY(source.reader.evidence()));
        if (sweep)
            m_out.print("\n" + sweep->text());
        if (m_hasOperations)
            m_out.print("\n" + RM_TRY(OperationReport::read(source.reader)).text());
        if (!m_hasEvents)
            return {};
        m_out.print("\n");
        return forEachEvent(source.reader, [this](const Event& event) {
            if (!isSample(event.body))
                m_out.print(lineOf(event));
        });
    }

    Result<void> writeFigures(const RunFileReader& reader) const
    {
        return writeFileAtomically(m_csv, RM_TRY(FigureTable::csv(reader)), 0644,
                                   Durability::Relaxed);
    }

    template <class Call>
    static Result<void> forEachEvent(const RunFileReader& reader, Call call)
    {
        for (std::uint64_t last = 0;;) {
            const auto events = RM_TRY(reader.events(last));
            if (events.empty())
                return {};
            for (const Event& event : events)
                call(event);
            last = events.back().runSequence;
        }
    }

    void row(std::string_view name, const std::string& value) const
    {
        if (!value.empty())
            m_out.print(m_out.styled(padded(name, 12), Terminal::Style::Dim) + harmless(value) +
                        "\n");
    }

    void showSummary(const RunSnapshot& run, const NumberReport& numbers,
                     const RunLabels& labels) const
    {
        m_out.print(m_out.styled(harmless(run.started.name), Terminal::Style::Bold) + "\n");
        row("Run", run.run);
        row("Label", labels.name);
        row("Tags", join(labels.tags, ", "));
        row("Note", labels.note);
        row("State", healthText(run));
        if (run.reason.code != code::None)
            row("Reason", describe(run.reason));
        if (isFinal(run.state) && run.state != RunState::Lost)
            row("Exit code", std::to_string(run.exitCode));
        row("Started", timeText(run.startedAt.wallNs));
        row("Ended", timeText(run.endedAt.wallNs));
        row("Restarts",
            std::to_string(run.restartsUsed) + " of " + std::to_string(run.restartBudget));
        row("Printed", numbers.line());
        row("Folder", run.started.runFolder);
        row("Command", maskedLine(run.started.torchrunLine));
        if (const auto job = parseJobFile(run.started.jobFile)) // a torchrun line can't say them
            row("Hosts", join(job->spec.hosts, ", "));
        if (const auto cause = endCauseOf(run))
            showCause(cause->cause, cause->place, cause->remedy);
        else if (run.firstCause && restartCauseOf(run) == nullptr)
            showCause(run.firstCause->cause, {}, run.firstCause->remedy);
        if (const FirstCause* before = restartCauseOf(run))
            row("Restarted", "after attempt " + std::to_string(before->attempt) + ": " +
                                 describe(before->cause));
        if (!run.hosts.empty())
            showHosts(run);
        if (!run.workers.empty())
            showWorkers(run);
        for (const StandingVerdict& standing : run.verdicts)
            showVerdict(standing, isFinal(run.state) ? run.endedAt : SystemClock().now());
    }

    /// "hanging for 12.3 s"
    static std::string healthText(const RunSnapshot& run)
    {
        const JobHealth health = healthOf(run);
        const std::string word(nameOf(health.health));
        if (health.statement.code == code::None)
            return word;
        const std::int64_t lasted = SystemClock().now().wallNs - health.since.wallNs;
        return word + " for " + secondsPassed(lasted) + " s";
    }

    void showDrills(const std::vector<Event>& notices) const
    {
        for (const Event& event : notices) {
            const Message& message = std::get<Notice>(event.body).message;
            const DrillStage stage = drillStageOf(message);
            if (stage == DrillStage::None)
                continue;
            const bool isFirst = stage == DrillStage::Begun || stage == DrillStage::NotBegun;
            m_out.print((isFirst ? "\n" : "") + timeText(event.at.wallNs) + "  " +
                        harmless(describe(message)) + "\n");
        }
    }

    void showEvidence(const std::vector<Event>& events) const
    {
        for (const KeptEvidence& kept : gatheredEvidence(events))
            m_out.print("\nWhere " + ranksText(kept.evidence) + " of attempt " +
                        std::to_string(kept.evidence.attempt) +
                        " stood before the end is kept: ringmaster stacks " +
                        (m_run.empty() ? events.front().id.run : harmless(m_run)) + "\n");
    }

    static std::string ranksText(const Evidence& evidence)
    {
        std::vector<int> ranks;
        for (const RankEvidence& rank : evidence.ranks)
            ranks.push_back(rank.globalRank);
        return (ranks.size() == 1 ? "rank " : "ranks ") + rankList(ranks);
    }

    void showVerdict(const StandingVerdict& standing, const Moment& until) const
    {
        const Verdict& verdict = standing.verdict;
        const Message statement = atTime(verdict.statement, standing.monotonicAt(until.wallNs));
        m_out.print("\n" + m_out.styled(harmless(describe(statement)), Terminal::Style::Bold) +
                    (verdict.isSure ? "\n" : " (not sure who is guilty)\n"));
        for (Message message : verdict.evidence) {
            const std::string stack = std::exchange(message.detail, {});
            m_out.print("  " + harmless(describe(message)) + "\n");
            std::istringstream lines(stack);
            for (std::string line; std::getline(lines, line);)
                m_out.print("      " + harmless(line) + "\n");
        }
        if (verdict.remedy.code != code::None)
            m_out.print("  " + harmless(describe(verdict.remedy)) + "\n");
    }

    void showCause(const Message& cause, const Message& place, const Message& remedy) const
    {
        row("Cause", describe(cause));
        if (place.code != code::None)
            row("", describe(place));
        if (remedy.code != code::None)
            row("To do", describe(remedy));
    }

    void showHosts(const RunSnapshot& run) const
    {
        m_out.print("\n" + m_out.styled(padded("HOST", 22) + "STATE", Terminal::Style::Bold) +
                    "\n");
        // Nobody has heard of them since their lead went.
        const std::string before = run.state == RunState::Lost ? "last seen " : "";
        for (const HostSnapshot& host : latestOfEachHost(run)) {
            const bool hasReason = host.reason.code != code::None;
            m_out.print(padded(harmless(host.host), 22) +
                        (hasReason ? padded(before + std::string(nameOf(host.state)),
                                            before.empty() ? 12 : 22) +
                                         harmless(describe(host.reason))
                                   : before + std::string(nameOf(host.state))) +
                        "\n");
        }
        if (const auto left = hostsAtWork(run))
            m_out.print(left->line() + "\n");
    }

    void showWorkers(const RunSnapshot& run) const
    {
        const auto memory = workerMemory(run);
        const RankHealth health(run);
        const std::string ownMemory = memory.empty() ? "" : padded("MEMORY", 11);
        m_out.print("\n" +
                    m_out.styled(padded("RANK", 6) + padded("ROLE", 12) + padded("NODE", 16) +
                                     padded("PID", 9) + padded("STATE", 16) + ownMemory + "END",
                                 Terminal::Style::Bold) +
                    "\n");
        for (const WorkerSnapshot& worker : run.workers) {
            std::string text = padded(std::to_string(worker.assignment.globalRank), 6) +
                               padded(harmless(worker.assignment.role), 12) +
                               padded(harmless(worker.node), 16) +
                               padded(worker.pid > 0 ? std::to_string(worker.pid) : "", 9) +
                               padded(nameOf(health.of(worker)), 16);
            const auto own = memory.find(worker.assignment.globalRank);
            if (own != memory.end())
                text += padded(sizeText(static_cast<std::uint64_t>(own->second)), 11);
            else if (!memory.empty())
                text += padded("", 11);
            if (worker.lastExit)
                text += harmless(describe(worker.lastExit->explanation));
            m_out.print(text + "\n");
            if (worker.lastOperation.code != code::None)
                m_out.print(std::string(6, ' ') + harmless(describe(worker.lastOperation)) + "\n");
        }
    }

    Terminal m_out{STDOUT_FILENO};
    std::string m_run;
    bool m_hasEvents = false;
    bool m_hasOperations = false;
    std::string m_csv;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeShowCommand()
{
    return std::make_unique<ShowCommand>();
}

} // namespace ringmaster
