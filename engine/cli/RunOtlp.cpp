#include "engine/cli/RunOtlp.h"

#include "engine/base/Codes.h"
#include "engine/control/OperationReading.h"
#include "engine/event/States.h"
#include "engine/event/VerdictTraits.h"
#include "engine/ledger/OperationNames.h"
#include "engine/record/LogAssembler.h"
#include "engine/record/PartialFile.h"
#include "engine/record/RunExport.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

using Span = OtlpWriter::Span;
using Severity = OtlpWriter::Severity;

Severity severityOf(Notice::Severity severity)
{
    switch (severity) {
    case Notice::Severity::Info: return Severity::Info;
    case Notice::Severity::Warning: return Severity::Warning;
    case Notice::Severity::Error: return Severity::Error;
    }
    return Severity::Unspecified;
}

Severity severityOf(LogLevel level)
{
    switch (level) {
    case LogLevel::Info: return Severity::Info;
    case LogLevel::Warning: return Severity::Warning;
    case LogLevel::Error: return Severity::Error;
    }
    return Severity::Unspecified;
}

OtlpWriter::Attributes resourceOf(const RunSnapshot& run)
{
    OtlpWriter::Attributes resource;
    resource.add("service.name", run.started.name.empty() ? run.run : run.started.name)
        .add("service.namespace", "ringmaster")
        .add("service.instance.id", run.run);
    return resource;
}

/// Times are the wall's: the only ones that several nodes and a collector share.
class RunOtlp
{
public:
    RunOtlp(OtlpWriter::Sink& sink, const RunFileReader& reader, const Secrets& secrets,
            const RunSnapshot& run)
        : m_reader(reader)
        , m_secrets(secrets)
        , m_run(run)
        , m_writer(sink, resourceOf(run), run.run)
        , m_root(m_writer.spanId("run"))
    {
    }

    Result<OtlpReport> write(bool withLogs)
    {
        RM_TRY(writeEvents());
        endAll();
        writeRun();
        RM_TRY(writeOperations());
        if (withLogs)
            RM_TRY(writeLog());
        RM_TRY(m_writer.finish());
        return m_report;
    }

private:
    std::string masked(const Message& message) const
    {
        return message.code == code::None ? std::string() : masked(describe(message));
    }
    std::string masked(std::string text) const
    {
        scrub(text, m_secrets);
        return text;
    }

    void put(const Span& span)
    {
        m_writer.write(span);
        ++m_report.spans;
    }
    void put(const OtlpWriter::Record& record)
    {
        m_writer.write(record);
        ++m_report.records;
    }

    std::string attemptId(int attempt) const
    {
        return m_writer.spanId("attempt " + std::to_string(attempt));
    }
    std::string rankId(int attempt, int rank) const
    {
        return m_writer.spanId("attempt " + std::to_string(attempt) + " rank " +
                               std::to_string(rank));
    }

    Result<void> writeEvents()
    {
        for (std::uint64_t last = 0;;) {
            const auto events = RM_TRY(m_reader.events(last));
            if (events.empty())
                return {};
            for (const Event& event : events) {
                m_lastNs = std::max(m_lastNs, event.at.wallNs);
                std::visit([&](const auto& body) { happened(body, event); }, event.body);
            }
            last = events.back().runSequence;
        }
    }

    template <class T>
    void happened(const T& /*body*/, const Event& /*event*/)
    {
    }

    /// Each of several hosts tells of it.
    void happened(const AttemptStarted& attempt, const Event& event)
    {
        if (attempt.attempt <= m_attemptNumber)
            return;
        end(m_attempt, event.at.wallNs);
        end(m_restart, event.at.wallNs);
        m_attemptNumber = attempt.attempt;
        m_attempt = Span{.id = attemptId(attempt.attempt),
                         .parent = m_root,
                         .name = "attempt " + std::to_string(attempt.attempt),
                         .fromNs = event.at.wallNs};
        m_attempt->attributes.add("ringmaster.attempt", std::int64_t{attempt.attempt})
            .add("ringmaster.world_size", std::int64_t{attempt.worldSize});
    }

    void happened(const GroupRestarting& restart, const Event& event)
    {
        if (restart.attempt <= m_restarted)
            return;
        m_restarted = restart.attempt;
        if (m_attempt) {
            m_attempt->status = OtlpWriter::Status::Error;
            m_attempt->message = masked(restart.cause);
        }
        end(m_attempt, event.at.wallNs);
        m_restart = Span{.id = m_writer.spanId("restart " + std::to_string(restart.attempt)),
                         .parent = m_root,
                         .name = "restart",
                         .fromNs = event.at.wallNs};
        m_restart->attributes.add("ringmaster.attempt", std::int64_t{restart.attempt})
            .add("ringmaster.cause", masked(restart.cause))
            .add("ringmaster.restarts_left", std::int64_t{restart.budgetAfter});
    }

    void happened(const WorkerStateChanged& change, const Event& event)
    {
        if (change.state != WorkerState::Healthy)
            return;
        std::optional<Span>& open = m_ranks[{change.attempt, change.globalRank}];
        if (open)
            return;
        open = Span{.id = rankId(change.attempt, change.globalRank),
                    .parent = attemptId(change.attempt),
                    .name = "rank " + std::to_string(change.globalRank),
                    .fromNs = event.at.wallNs};
        open->attributes.add("ringmaster.rank", std::int64_t{change.globalRank})
            .add("ringmaster.attempt", std::int64_t{change.attempt})
            .add("host.name", event.node)
            .add("process.pid", std::int64_t{change.pid});
    }

    void happened(const WorkerExited& exit, const Event& event)
    {
        std::optional<Span>& open = m_ranks[{exit.attempt, exit.globalRank}];
        if (!open)
            return;
        open->attributes.add("process.exit.code", std::int64_t{exit.status.exitCode()});
        if (!exit.status.succeeded() && !exit.endedByAgent) {
            open->status = OtlpWriter::Status::Error;
            open->message = masked(exit.explanation);
        }
        end(open, event.at.wallNs);
    }

    void happened(const Verdict& verdict, const Event& event)
    {
        OtlpWriter::Record record{.atNs = event.at.wallNs,
                                  .severity = severityOf(traitsOf(verdict.kind).severity),
                                  .body = masked(verdict.statement),
                                  .span = attemptId(verdict.attempt)};
        record.attributes.add("ringmaster.verdict", traitsOf(verdict.kind).name)
            .add("ringmaster.verdict.id", static_cast<std::int64_t>(verdict.id))
            .add("ringmaster.verdict.standing", verdict.isStanding ? "true" : "false");
        put(record);
    }

    void happened(const Notice& notice, const Event& event)
    {
        OtlpWriter::Record record{.atNs = event.at.wallNs,
                                  .severity = severityOf(notice.severity),
                                  .body = masked(notice.message),
                                  .span = m_root};
        record.attributes.add("host.name", event.node);
        if (notice.globalRank >= 0)
            record.attributes.add("ringmaster.rank", std::int64_t{notice.globalRank});
        put(record);
    }

    void end(std::optional<Span>& open, std::int64_t atNs)
    {
        if (!open)
            return;
        open->untilNs = std::max(atNs, open->fromNs);
        put(*open);
        open.reset();
    }

    /// Of a run that goes on, or was lost: until the latest that is known.
    void endAll()
    {
        for (auto& [of, open] : m_ranks)
            end(open, m_lastNs);
        end(m_restart, m_lastNs);
        if (m_attempt && m_run.state == RunState::Failed)
            m_attempt->status = OtlpWriter::Status::Error;
        end(m_attempt, m_lastNs);
    }

    void writeRun()
    {
        Span span{.id = m_root,
                  .name = m_run.started.name.empty() ? "run" : masked(m_run.started.name),
                  .fromNs = m_run.startedAt.wallNs,
                  .untilNs = std::max(m_lastNs, m_run.startedAt.wallNs)};
        span.attributes.add("ringmaster.run", m_run.run)
            .add("ringmaster.state", nameOf(m_run.state))
            .add("ringmaster.restarts", std::int64_t{m_run.restartsUsed});
        if (isFinal(m_run.state) && m_run.state != RunState::Lost)
            span.attributes.add("process.exit.code", std::int64_t{m_run.exitCode});
        if (m_run.state == RunState::Succeeded)
            span.status = OtlpWriter::Status::Ok;
        if (m_run.state == RunState::Failed || m_run.state == RunState::Lost) {
            span.status = OtlpWriter::Status::Error;
            span.message = masked(m_run.firstCause ? m_run.firstCause->cause : m_run.reason);
        }
        put(span);
    }

    /// One by one they would be millions.
    Result<void> writeOperations()
    {
        constexpr size_t Part = 1000; // blocks
        OperationReading operations;
        while (RM_TRY(operations.readOn(m_reader, Part))) {
        }
        const OperationSummary summary = operations.tally().summary();
        const std::int64_t aheadNs = m_run.startedAt.wallNs - m_run.startedAt.monotonicNs;
        for (const OperationSummary::Series& series : summary.series) {
            const std::string kind(ledger::nameOf(series.kind));
            for (const OperationSummary::Point& point : series.points) {
                Span span{.id = m_writer.spanId(kind + " " + std::to_string(point.fromNs)),
                          .parent = m_root,
                          .name = kind,
                          .fromNs = point.fromNs + aheadNs,
                          .untilNs = point.fromNs + summary.spanNs + aheadNs};
                span.attributes.add("ringmaster.operations", static_cast<std::int64_t>(point.count))
                    .add("ringmaster.bytes", point.bytes);
                if (point.transferNs > 0)
                    span.attributes.add("ringmaster.busbw", point.busBandwidth());
                put(span);
            }
        }
        return {};
    }

    Result<void> writeLog()
    {
        LogAssembler lines([this](const LogLine& line) {
            if (!line.isOpen)
                put(recordOf(line));
        });
        for (std::uint64_t cursor = 0; !m_writer.hasFailed();) {
            const LogPage page = RM_TRY(m_reader.readLog({.cursor = cursor}));
            for (const LogChunk& chunk : page.chunks)
                lines.add(chunk);
            if (page.chunks.empty() || page.chunks.back().cursor <= cursor)
                break;
            cursor = page.chunks.back().cursor;
        }
        lines.finish();
        return {};
    }

    OtlpWriter::Record recordOf(const LogLine& line) const
    {
        OtlpWriter::Record record{.atNs = line.at.wallNs,
                                  .severity = severityOf(line.level),
                                  .body = masked(line.text),
                                  .span = rankId(line.attempt, line.globalRank)};
        record.attributes.add("ringmaster.rank", std::int64_t{line.globalRank})
            .add("ringmaster.attempt", std::int64_t{line.attempt})
            .add("log.iostream", nameOf(line.stream));
        return record;
    }

    const RunFileReader& m_reader;
    const Secrets& m_secrets;
    const RunSnapshot& m_run;
    OtlpWriter m_writer;
    std::string m_root;
    OtlpReport m_report;
    std::int64_t m_lastNs = 0; ///< Of the latest event.
    int m_attemptNumber = -1;
    int m_restarted = -1; ///< The attempt after which it was restarted last.
    std::optional<Span> m_attempt;
    std::optional<Span> m_restart;
    std::map<std::pair<int, int>, std::optional<Span>> m_ranks; ///< By attempt and rank.
};

class LinesOfFile : public OtlpWriter::Sink
{
public:
    explicit LinesOfFile(std::ostream& out) : m_out(out) {}

    Result<void> put(OtlpWriter::Signal /*signal*/, const std::string& request) override
    {
        m_out << request << '\n';
        return {};
    }

private:
    std::ostream& m_out;
};

} // namespace

Result<OtlpReport> writeOtlp(const RunFolder& folder, OtlpWriter::Sink& sink, bool withLogs)
{
    const RunFileReader reader = RM_TRY(folder.openReader());
    const Secrets secrets = RM_TRY(secretsOf(folder, reader));
    const RunSnapshot run = RM_TRY(reader.snapshot());
    return RunOtlp(sink, reader, secrets, run).write(withLogs);
}

Result<OtlpReport> writeOtlp(const RunFolder& folder, const fs::path& file, bool withLogs)
{
    OtlpReport report;
    RM_TRY(writeWhole(file, [&](std::ostream& out) -> Result<void> {
        LinesOfFile lines(out);
        report = RM_TRY(writeOtlp(folder, lines, withLogs));
        return {};
    }));
    return report;
}

} // namespace ringmaster
