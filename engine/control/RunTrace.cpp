#include "engine/control/RunTrace.h"

#include "engine/control/TraceWriter.h"
#include "engine/event/States.h"
#include "engine/event/VerdictTraits.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/ledger/OperationNames.h"
#include "engine/record/PartialFile.h"
#include "engine/record/RunExport.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t AtOnce = 1000;
constexpr int JobProcess = 1'000'000; ///< Of the trace.
constexpr int FirstRank = 1;          ///< Rank 0's; the others follow.

class RunTrace
{
public:
    RunTrace(std::ostream& out, const RunFileReader& reader, const Secrets& secrets,
             const Event& first)
        : m_reader(reader), m_secrets(secrets), m_first(first), m_writer(out, first.at.monotonicNs)
    {
        m_writer.name(JobProcess, "job", 0);
    }

    Result<TraceReport> write()
    {
        RM_TRY(writeEvents());
        endAll();
        RM_TRY(writeOperations());
        m_writer.finish();
        return m_report;
    }

private:
    /// Since when something goes on that is written when it is over.
    struct Open
    {
        TraceWriter::Row row{};
        TraceWriter::Slice slice{};
    };

    std::string masked(const Message& message) const { return masked(describe(message)); }
    std::string masked(std::string text) const
    {
        scrub(text, m_secrets);
        return text;
    }

    /// Another machine's clock says nothing here: there the time of day has to do.
    std::int64_t timeOf(const Event& event) const
    {
        return event.clock == m_first.clock
                   ? event.at.monotonicNs
                   : m_first.at.monotonicNs + event.at.wallNs - m_first.at.wallNs;
    }

    Result<void> writeEvents()
    {
        for (std::uint64_t last = 0;;) {
            const auto events = RM_TRY(m_reader.events(last, {.events = AtOnce}));
            if (events.empty())
                return {};
            for (const Event& event : events) {
                m_nowNs = std::max(m_nowNs, timeOf(event));
                std::visit([&](const auto& body) { happened(body, event); }, event.body);
            }
            last = events.back().runSequence;
        }
    }

    template <class T>
    void happened(const T& /*body*/, const Event& /*event*/)
    {
    }

    void happened(const RunStateChanged& change, const Event& event)
    {
        end(m_state, timeOf(event));
        if (isFinal(change.state))
            m_writer.mark(JobProcess, std::string(nameOf(change.state)), timeOf(event),
                          {{"reason", masked(change.reason)}});
        else
            m_state = Open{{JobProcess, "state"},
                           {.name = std::string(nameOf(change.state)),
                            .category = "job",
                            .fromNs = timeOf(event),
                            .arguments = {{"reason", masked(change.reason)}}}};
    }

    void happened(const GroupRestarting& restart, const Event& event)
    {
        m_writer.mark(JobProcess, "restart", timeOf(event),
                      {{"attempt", restart.attempt},
                       {"cause", masked(restart.cause)},
                       {"restarts_left", restart.budgetAfter}});
    }

    void happened(const WorkerStateChanged& change, const Event& event)
    {
        if (change.state != WorkerState::Healthy)
            return;
        if (!m_ranks.contains(change.globalRank)) {
            m_writer.name(FirstRank + change.globalRank,
                          "rank " + std::to_string(change.globalRank) +
                              (event.node.empty() ? "" : " on " + event.node),
                          FirstRank + change.globalRank);
            m_ranks[change.globalRank] = {};
        }
        std::optional<Open>& open = m_ranks[change.globalRank];
        if (open && open->slice.arguments["attempt"] == change.attempt)
            return;
        end(open, timeOf(event));
        open = Open{{FirstRank + change.globalRank, "process"},
                    {.name = "attempt " + std::to_string(change.attempt),
                     .category = "worker",
                     .fromNs = timeOf(event),
                     .arguments = {{"attempt", change.attempt}, {"pid", change.pid}}}};
    }

    void happened(const WorkerExited& exit, const Event& event)
    {
        const auto rank = m_ranks.find(exit.globalRank);
        if (rank == m_ranks.end() || !rank->second)
            return;
        rank->second->slice.arguments["exit"] = exit.status.exitCode();
        rank->second->slice.arguments["explanation"] = masked(exit.explanation);
        end(rank->second, timeOf(event));
    }

    void happened(const Verdict& verdict, const Event& event)
    {
        std::optional<Open>& open = m_verdicts[verdict.id];
        if (!verdict.isStanding)
            return end(open, timeOf(event));
        const bool isSameClock = event.clock == m_first.clock && verdict.sinceNs != 0;
        const std::int64_t since = open          ? open->slice.fromNs
                                   : isSameClock ? verdict.sinceNs
                                                 : timeOf(event);
        open = Open{{JobProcess, "verdicts"},
                    {.name = masked(verdict.statement),
                     .category = std::string(traitsOf(verdict.kind).name),
                     .fromNs = since,
                     .arguments = {{"sure", verdict.isSure},
                                   {"guilty", verdict.guilty},
                                   {"waiting", verdict.waiting}}}};
    }

    void end(std::optional<Open>& open, std::int64_t atNs)
    {
        if (!open)
            return;
        open->slice.untilNs = std::max(atNs, open->slice.fromNs);
        m_writer.write(open->row, open->slice);
        open.reset();
    }

    /// Of a run that goes on, or was lost.
    void endAll()
    {
        end(m_state, m_nowNs);
        for (auto& [rank, open] : m_ranks)
            end(open, m_nowNs);
        for (auto& [id, open] : m_verdicts)
            end(open, m_nowNs);
    }

    Result<void> writeOperations()
    {
        m_report.isBeginningFolded = RM_TRY(m_reader.foldedBefore()) != 0;
        for (std::uint64_t cursor = 0;;) {
            const auto page = RM_TRY(m_reader.operations(cursor, AtOnce));
            for (const OperationRow& row : page.rows)
                if (auto batch = unpackOperations(row.block))
                    write(*batch);
            if (page.rows.empty())
                return {};
            cursor = page.cursor;
        }
    }

    void write(OperationBatch& batch)
    {
        std::ranges::sort(batch.operations, {}, &beganNs);
        for (const Operation& operation : batch.operations) {
            const std::int64_t until = std::max(operation.returnedNs, operation.endedNs);
            if (beganNs(operation) == 0 || until == 0)
                continue;
            ++m_report.operations;
            m_writer.write({FirstRank + batch.rank, "collectives"},
                           {.name = operation.name.empty()
                                        ? std::string(ledger::nameOf(operation.kind))
                                        : masked(operation.name),
                            .category = std::string(ledger::nameOf(operation.backend)),
                            .fromNs = beganNs(operation),
                            .untilNs = until,
                            .arguments = argumentsOf(operation, batch)});
        }
    }

    static std::int64_t beganNs(const Operation& operation)
    {
        return operation.enqueuedNs != 0 ? operation.enqueuedNs : operation.startedNs;
    }

    TraceWriter::Json argumentsOf(const Operation& operation, const OperationBatch& batch) const
    {
        TraceWriter::Json all{
            {"number", operation.number}, {"bytes", operation.bytes}, {"attempt", batch.attempt}};
        const auto add = [&all](const char* name, std::string_view text) {
            if (!text.empty())
                all[name] = text;
        };
        add("type", ledger::nameOf(operation.type));
        add("reduction", ledger::nameOf(operation.reduction));
        add("algorithm", ledger::nameOf(operation.algorithm));
        if (operation.peer >= 0)
            all["peer"] = operation.peer;
        const auto group = std::ranges::find(batch.groups, operation.group, &LedgerGroup::group);
        if (group != batch.groups.end()) {
            add("group", masked(group->name));
            all["ranks"] = group->members;
        }
        const auto site = std::ranges::find(batch.sites, operation.site, &CallSite::site);
        if (site != batch.sites.end())
            all["place"] = masked(site->file + ":" + std::to_string(site->line));
        if (operation.startedNs != 0 && operation.endedNs > operation.startedNs)
            all["wire_us"] = static_cast<double>(operation.endedNs - operation.startedNs) / 1e3;
        if (operation.outcome == Operation::Outcome::Failed)
            all["outcome"] = "failed";
        if (operation.outcome == Operation::Outcome::Abandoned)
            all["outcome"] = "abandoned";
        return all;
    }

    const RunFileReader& m_reader;
    const Secrets& m_secrets;
    const Event& m_first;
    TraceWriter m_writer;
    TraceReport m_report;
    std::int64_t m_nowNs = 0; ///< Of the latest event.
    std::optional<Open> m_state;
    std::map<int, std::optional<Open>> m_ranks;
    std::map<std::uint64_t, std::optional<Open>> m_verdicts;
};

} // namespace

Result<TraceReport> writeTrace(const RunFolder& folder, const fs::path& file)
{
    const RunFileReader reader = RM_TRY(folder.openReader());
    const Secrets secrets = RM_TRY(secretsOf(folder, reader));
    const std::vector<Event> first = RM_TRY(reader.events(0, {.events = 1}));
    const Event begin = first.empty() ? Event{} : first.front();
    TraceReport report;
    RM_TRY(writeWhole(file, [&](std::ostream& out) -> Result<void> {
        report = RM_TRY(RunTrace(out, reader, secrets, begin).write());
        return {};
    }));
    std::error_code error;
    report.fileBytes = fs::file_size(file, error);
    return report;
}

} // namespace ringmaster
