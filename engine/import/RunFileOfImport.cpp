#include "engine/import/RunFileOfImport.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/LogCopy.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/RunFileWriter.h"

#include <algorithm>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

/// No clock of any machine: these times are told by files.
constexpr const char* ImportClock = "import";
constexpr std::uint64_t LargestLog = 256U << 20U;

class RunFileOfImport
{
public:
    RunFileOfImport(const ImportedRun& run, std::string id, fs::path folder, RunFileWriter& writer)
        : m_run(run), m_id(std::move(id)), m_folder(std::move(folder)), m_writer(writer)
    {
    }

    Result<void> write()
    {
        append(m_run.beganNs, RunStarted{.name = m_run.name,
                                         .runFolder = m_run.source.string(),
                                         .ringmasterVersion = RINGMASTER_VERSION});
        for (const ImportedRun::Fact& fact : m_run.facts)
            append(fact.atNs, fact.body, fact.node, fact.agent);
        for (const ImportedRun::Log& log : m_run.logs)
            RM_TRY(appendLog(log));
        append(m_run.endedNs, m_run.end);
        for (const OperationBatch& batch : m_run.operations)
            appendBlocks(batch);
        return {};
    }

private:
    void append(std::int64_t atNs, EventBody body, const std::string& node = {},
                const std::string& agent = {})
    {
        Event event{.id = {m_id, agent.empty() ? "import" : agent, ++m_sequence},
                    .runSequence = m_sequence,
                    .at = {atNs, atNs},
                    .node = node,
                    .clock = ImportClock,
                    .body = std::move(body)};
        m_writer.append(std::move(event));
    }

    /// A run holds its logs itself: where they came from, they may be removed.
    Result<void> appendLog(const ImportedRun::Log& log)
    {
        const char* name = log.stream == Stream::Stdout ? "stdout.log" : "stderr.log";
        const fs::path folder = m_folder / "logs" / ("attempt_" + std::to_string(log.attempt)) /
                                std::to_string(log.rank);
        RM_TRY(makeFolder(folder));
        const LogCopy copy = RM_TRY(copyLog(log.file, folder / name, LargestLog));
        const int file = m_writer.addLogFile({log.attempt, log.rank, log.stream, folder / name});
        std::uint64_t from = 0;
        for (const std::uint64_t end : copy.ends) {
            m_writer.appendLog({file, {log.atNs, log.atNs}, from, end - from});
            from = end;
        }
        if (copy.isEndOnly)
            append(m_run.endedNs,
                   Notice{.severity = Notice::Severity::Warning,
                          .globalRank = log.rank,
                          .message = {code::ImportedLogEnd,
                                      {{"path", log.file.string()},
                                       {"megabytes", std::to_string(LargestLog >> 20U)}},
                                      {}}});
        return {};
    }

    void appendBlocks(const OperationBatch& batch)
    {
        for (size_t from = 0; from < batch.operations.size(); from += MostOperationsOfABlock) {
            const size_t count = std::min(MostOperationsOfABlock, batch.operations.size() - from);
            const auto begin = batch.operations.begin() + static_cast<std::ptrdiff_t>(from);
            OperationBatch part{.attempt = batch.attempt,
                                .rank = batch.rank,
                                .operations = {begin, begin + static_cast<std::ptrdiff_t>(count)},
                                .groups = batch.groups,
                                .sites = batch.sites};
            OperationRow row{.attempt = batch.attempt,
                             .globalRank = batch.rank,
                             .firstNs = part.operations.front().enqueuedNs,
                             .count = count,
                             .wallNs = m_run.endedNs,
                             .block = packOperations(part)};
            for (const Operation& operation : part.operations)
                row.lastNs = std::max({row.lastNs, operation.enqueuedNs, operation.endedNs});
            m_writer.appendOperations(std::move(row));
        }
    }

    const ImportedRun& m_run;
    const std::string m_id;
    const fs::path m_folder;
    RunFileWriter& m_writer;
    std::uint64_t m_sequence = 0;
};

} // namespace

Result<void> writeRunFile(const ImportedRun& run, const std::string& id, const fs::path& folder)
{
    const auto writer = RM_TRY(RunFileWriter::open(folder / "run.ringrun", {.run = id}));
    RM_TRY(RunFileOfImport(run, id, folder, *writer).write());
    RM_TRY(writer->flush());
    return writer->finish();
}

} // namespace ringmaster
