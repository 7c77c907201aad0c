#include "engine/record/RunExport.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/event/Proto.h"
#include "engine/record/LogFiles.h"
#include "engine/record/PartialFile.h"
#include "engine/record/PrivateRecord.h"
#include "engine/record/RecordTables.h"
#include "engine/record/Secrets.h"

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t BlockBytes = 64U << 10U;
constexpr size_t EventsABatch = 2000;

/// Rows up to this cursor stay at home; those after it are the newest that fit.
struct LogCut
{
    std::uint64_t cursor = 0;
    std::uint64_t kept = 0;
    std::uint64_t omitted = 0;
};

Result<void> unlessCancelled(const ExportOptions& options)
{
    if (options.isCancelled && options.isCancelled())
        return fail(code::Cancelled, {{"what", "The export"}});
    return {};
}

LogCut cutOf(SQLite::Database& database, const ExportOptions& options)
{
    LogCut cut;
    const std::uint64_t limit = options.withLogs ? options.logLimit : 0;
    SQLite::Statement rows(database, "SELECT cursor, length FROM log_index ORDER BY cursor DESC");
    while (cut.cursor == 0 && rows.executeStep()) {
        const std::uint64_t length = unsignedOf(rows.getColumn(1).getInt64());
        if (length > limit - cut.kept)
            cut.cursor = unsignedOf(rows.getColumn(0).getInt64());
        else
            cut.kept += length;
    }
    SQLite::Statement rest(database,
                           "SELECT ifnull(sum(length), 0) FROM log_index WHERE cursor <= ?");
    rest.bind(1, signedOf(cut.cursor));
    if (cut.cursor != 0 && rest.executeStep())
        cut.omitted = unsignedOf(rest.getColumn(0).getInt64());
    return cut;
}

Event masked(Event event, const Secrets& secrets)
{
    if (auto* started = std::get_if<RunStarted>(&event.body))
        (void)maskSecrets(*started);
    if (secrets.values.empty() && secrets.fingerprints.empty())
        return event;
    // The length of no field changes, so what was an event is one still.
    std::string bytes = serialize(event.body);
    scrub(bytes, secrets);
    Result<EventBody> body = parseEventBody(bytes);
    event.body = body ? *std::move(body) : noticeInsteadOf(body.error());
    return event;
}

Result<std::uint64_t> copyEvents(const RunFileReader& reader, const Secrets& secrets,
                                 RecordTables& tables, const fs::path& target,
                                 const ExportOptions& options)
{
    std::uint64_t count = 0;
    for (std::uint64_t last = 0;;) {
        RM_TRY(unlessCancelled(options));
        const auto events = RM_TRY(reader.events(last, {.events = EventsABatch}));
        if (events.empty())
            return count;
        WriteQueue::Batch batch;
        for (const Event& event : events) {
            (isSample(event.body) ? batch.samples : batch.events).push_back(masked(event, secrets));
        }
        RM_TRY(guarded(target, [&] { tables.write(batch); }));
        last = events.back().runSequence;
        count += events.size();
    }
}

/// Copies the tables that have to do with logs, and the bytes of the logs into the file.
class LogCopy
{
public:
    LogCopy(SQLite::Database& source, SQLite::Database& target, const Secrets& secrets,
            const ExportOptions& options)
        : m_source(source), m_target(target), m_secrets(secrets), m_options(options)
    {
    }

    /// As they are at one moment: the run may be written meanwhile.
    Result<LogCut> copyTables()
    {
        const SQLite::Transaction transaction(m_source);
        const LogCut cut = cutOf(m_source, m_options);
        RM_TRY(copyRows("SELECT * FROM log_files WHERE ? IS NOT NULL", "log_files", 5, cut));
        RM_TRY(copyRows("SELECT * FROM log_index WHERE cursor > ?", "log_index", 6, cut));
        RM_TRY(copyRows("SELECT * FROM gaps WHERE ? IS NOT NULL", "gaps", 6, cut));
        if (cut.omitted > 0)
            noteOmitted(cut);
        SQLite::Statement regions(m_source,
                                  "SELECT file, min(offset), max(offset + length) FROM log_index "
                                  "WHERE cursor > ? GROUP BY file");
        regions.bind(1, signedOf(cut.cursor));
        while (regions.executeStep()) {
            m_regions.push_back({regions.getColumn(0).getInt(),
                                 unsignedOf(regions.getColumn(1).getInt64()),
                                 unsignedOf(regions.getColumn(2).getInt64())});
        }
        return cut;
    }

    /// That the copied tables tell of.
    Result<void> copyBytes(LogFiles& files)
    {
        for (const Region& region : m_regions)
            RM_TRY(copyRegion(files, region));
        return {};
    }

private:
    struct Region
    {
        int file = 0;
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    Result<void> copyRows(const char* query, const std::string& table, int columns,
                          const LogCut& cut)
    {
        std::string places = "?";
        for (int i = 1; i < columns; ++i)
            places += ", ?";
        SQLite::Statement rows(m_source, query);
        rows.bind(1, signedOf(cut.cursor));
        SQLite::Statement insert(m_target, "INSERT INTO " + table + " VALUES (" + places + ")");
        while (rows.executeStep()) {
            RM_TRY(unlessCancelled(m_options));
            for (int i = 0; i < columns; ++i) {
                const SQLite::Column value = rows.getColumn(i);
                if (value.isInteger())
                    insert.bind(i + 1, value.getInt64());
                else
                    insert.bind(i + 1, value.getBlob(), value.getBytes());
            }
            insert.exec();
            insert.reset();
        }
        return {};
    }

    void noteOmitted(const LogCut& cut)
    {
        SQLite::Statement insert(m_target, "INSERT INTO gaps(kind, first_wall, last_wall, rows, "
                                           "bytes) VALUES (?, 0, 0, 1, ?)");
        insert.bind(1, static_cast<int>(RecordGap::Kind::LogOutput));
        insert.bind(2, signedOf(cut.omitted));
        insert.exec();
    }

    Result<void> copyRegion(LogFiles& files, const Region& region)
    {
        const auto [file, begin, end] = region;
        // A value may lie across two blocks, so each is read with its neighbourhood.
        const std::uint64_t reach = longestValue(m_secrets);
        SQLite::Statement insert(m_target, "INSERT INTO log_data VALUES (?, ?, ?)");
        for (std::uint64_t at = begin; at < end; at += BlockBytes) {
            RM_TRY(unlessCancelled(m_options));
            const std::uint64_t from = at - std::min(reach, at - begin);
            const std::uint64_t length = std::min(BlockBytes, end - at);
            std::string bytes = files.read(file, from, std::min(at + length + reach, end) - from);
            scrub(bytes, m_secrets);
            if (bytes.size() <= at - from)
                break;
            bytes = bytes.substr(at - from, length);
            insert.bind(1, file);
            insert.bind(2, signedOf(at));
            insert.bind(3, bytes.data(), static_cast<int>(bytes.size()));
            insert.exec();
            insert.reset();
        }
        return {};
    }

    SQLite::Database& m_source;
    SQLite::Database& m_target;
    const Secrets& m_secrets;
    const ExportOptions& m_options;
    std::vector<Region> m_regions;
};

} // namespace

Result<Secrets> secretsOf(const RunFolder& folder, const RunFileReader& reader)
{
    Secrets secrets;
    for (const Event& event : RM_TRY(reader.events(0, {.events = 100}))) {
        if (const auto* started = std::get_if<RunStarted>(&event.body)) {
            RunStarted copy = *started;
            secrets = maskSecrets(copy);
            break;
        }
    }
    if (!folder.isImported())
        PrivateRecord(folder.path()).addTo(secrets);
    return secrets;
}

Result<ExportReport> previewExport(const RunFolder& folder, const ExportOptions& options)
{
    const RunFileReader reader = RM_TRY(folder.openReader());
    const auto opened = RM_TRY(OpenedRunFile::open(folder.runFile()));
    return guarded(folder.runFile(), [&]() -> Result<ExportReport> {
        const LogCut cut = cutOf(opened->database(), options);
        const auto events = opened->database().execAndGet(
            "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM samples)");
        auto maskedNames = RM_TRY(secretsOf(folder, reader)).names;
        return ExportReport{.events = unsignedOf(events.getInt64()),
                            .logBytes = cut.kept,
                            .omittedLogBytes = cut.omitted,
                            .maskedNames = std::move(maskedNames)};
    });
}

Result<ExportReport> exportRun(const RunFolder& folder, const fs::path& file,
                               const ExportOptions& options)
{
    const RunFileReader reader = RM_TRY(folder.openReader());
    const auto opened = RM_TRY(OpenedRunFile::open(folder.runFile()));
    const Secrets secrets = RM_TRY(secretsOf(folder, reader));
    const PartialFile partial(file);
    RM_TRY(partial.create());
    ExportReport report{.maskedNames = secrets.names};
    RM_TRY(guarded(file, [&]() -> Result<void> {
        SQLite::Database target(partial.path().string(), SQLite::OPEN_READWRITE);
        // The whole file is thrown away when anything fails.
        target.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
        schema::create(target, {reader.run(), reader.ringmasterVersion()});
        RecordTables tables(target, folder.path());
        report.events = RM_TRY(copyEvents(reader, secrets, tables, file, options));
        SQLite::Transaction transaction(target);
        LogCopy logs(opened->database(), target, secrets, options);
        const LogCut cut = RM_TRY(logs.copyTables());
        LogFiles files(opened->database(), folder.path(),
                       folder.isImported() ? RunFileReader::Origin::Foreign
                                           : RunFileReader::Origin::OwnRun);
        RM_TRY(logs.copyBytes(files));
        transaction.commit();
        report.logBytes = cut.kept;
        report.omittedLogBytes = cut.omitted;
        return {};
    }));
    RM_TRY(partial.publish(options.isCancelled));
    std::error_code error;
    report.fileBytes = fs::file_size(file, error);
    return report;
}

} // namespace ringmaster
