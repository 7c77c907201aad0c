#include "engine/record/RecordTables.h"

#include "engine/event/Proto.h"
#include "engine/record/PrivateRecord.h"
#include "engine/record/Schema.h"

namespace ringmaster {

namespace {

/// A row is a unit of reading, so even a merged one stays small.
constexpr std::uint64_t LongestRowBytes = 64U << 10U;
constexpr std::int64_t SecondNs = 1'000'000'000;
constexpr std::int64_t HourNs = 3600 * SecondNs;
constexpr std::int64_t FoldedStepNs = 10 * SecondNs;
/// Ranks leave an operation that all have entered at about the same time.
constexpr std::int64_t FoldMarginNs = 60 * SecondNs;

void run(SQLite::Statement& statement)
{
    statement.exec();
    statement.reset();
}

void bindBytes(SQLite::Statement& statement, int index, const std::string& bytes)
{
    statement.bind(index, bytes.data(), static_cast<int>(bytes.size()));
}

std::int64_t number(SQLite::Database& database, const char* query)
{
    return database.execAndGet(query).getInt64();
}

} // namespace

RecordTables::RecordTables(SQLite::Database& database, std::filesystem::path folder)
    : m_database(database)
    , m_folder(std::move(folder))
    , m_event(database, "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?)")
    , m_sample(database, "INSERT OR IGNORE INTO samples VALUES (?, ?, ?, ?, ?, ?, ?)")
    , m_logFile(database, "INSERT INTO log_files VALUES (?, ?, ?, ?, ?)")
    , m_logRow(database, "INSERT INTO log_index VALUES (?, ?, ?, ?, ?, ?)")
    , m_gap(database, "INSERT INTO gaps(kind, first_wall, last_wall, rows, bytes) "
                      "VALUES (?, ?, ?, ?, ?)")
    , m_operations(database, "INSERT INTO operations(attempt, rank, first_mono, last_mono, count, "
                             "body) VALUES (?, ?, ?, ?, ?, ?)")
    , m_fold(database, "INSERT INTO operation_folds(attempt, first_mono, until_mono, count, body) "
                       "VALUES (?, ?, ?, ?, ?)")
    , m_cursor(number(database, "SELECT ifnull(max(cursor), 0) FROM log_index"))
    , m_lastLogFile(static_cast<int>(number(database, "SELECT ifnull(max(id), 0) FROM log_files")))
{
}

void RecordTables::write(const WriteQueue::Batch& batch)
{
    const std::int64_t cursorBefore = m_cursor;
    try {
        SQLite::Transaction transaction(m_database);
        for (const Event& event : batch.events)
            insertEvent(event);
        for (const Event& event : batch.samples)
            insertSample(event);
        for (const auto& [id, file] : batch.logFiles)
            insertLogFile(id, file);
        for (const LogIndexEntry& row : batch.logRows)
            insertLogRow(row);
        for (const RecordGap& gap : batch.gaps)
            insertGap(gap);
        for (const OperationRow& row : batch.operations)
            insertOperations(row);
        for (const FoldRow& row : batch.folds)
            insertFold(row);
        transaction.commit();
    } catch (...) {
        // The sources that this transaction made are gone with it.
        m_sources.clear();
        m_cursor = cursorBefore;
        for (SQLite::Statement* statement :
             {&m_event, &m_sample, &m_logFile, &m_logRow, &m_gap, &m_operations, &m_fold})
            statement->tryReset();
        throw;
    }
}

/// The secrets of a job stay beside the run file: that one may be copied and shown.
EventBody RecordTables::withoutSecrets(const RunStarted& started) const
{
    RunStarted masked = started;
    const Secrets secrets = maskSecrets(masked);
    if (secrets.names.empty() && masked.torchrunLine == started.torchrunLine)
        return started;
    // Without it the job can't be launched again from the record, nothing else.
    (void)PrivateRecord(m_folder).keepJob(started);
    return masked;
}

void RecordTables::insertEvent(const Event& event)
{
    const auto* started = std::get_if<RunStarted>(&event.body);
    m_event.bind(1, signedOf(event.runSequence));
    m_event.bind(2, sourceOf(event));
    m_event.bind(3, signedOf(event.id.sequence));
    m_event.bind(4, event.at.monotonicNs);
    m_event.bind(5, event.at.wallNs);
    m_event.bind(6, kindOf(event.body));
    bindBytes(m_event, 7, serialize(started == nullptr ? event.body : withoutSecrets(*started)));
    run(m_event);
}

void RecordTables::insertSample(const Event& event)
{
    m_sample.bind(1, signedOf(event.runSequence));
    m_sample.bind(2, sourceOf(event));
    m_sample.bind(3, signedOf(event.id.sequence));
    m_sample.bind(4, event.at.monotonicNs);
    m_sample.bind(5, event.at.wallNs);
    m_sample.bind(6, sampledRank(event.body));
    bindBytes(m_sample, 7, serialize(event.body));
    run(m_sample);
}

void RecordTables::insertLogFile(int id, const LogFile& file)
{
    const std::filesystem::path relative = file.path.lexically_relative(m_folder);
    const bool isInside = !relative.empty() && *relative.begin() != "..";
    m_logFile.bind(1, id);
    m_logFile.bind(2, file.attempt);
    m_logFile.bind(3, file.globalRank);
    m_logFile.bind(4, static_cast<int>(file.stream));
    bindBytes(m_logFile, 5, isInside ? relative.string() : file.path.string());
    run(m_logFile);
}

void RecordTables::insertLogRow(LogIndexEntry row)
{
    while (row.length > 0) {
        const std::uint64_t length = std::min(row.length, LongestRowBytes);
        m_logRow.bind(1, ++m_cursor);
        m_logRow.bind(2, row.file);
        m_logRow.bind(3, row.at.monotonicNs);
        m_logRow.bind(4, row.at.wallNs);
        m_logRow.bind(5, signedOf(row.offset));
        m_logRow.bind(6, signedOf(length));
        run(m_logRow);
        row.offset += length;
        row.length -= length;
    }
}

void RecordTables::insertGap(const RecordGap& gap)
{
    m_gap.bind(1, static_cast<int>(gap.kind));
    m_gap.bind(2, gap.firstWallNs);
    m_gap.bind(3, gap.lastWallNs);
    m_gap.bind(4, signedOf(gap.rows));
    m_gap.bind(5, signedOf(gap.bytes));
    run(m_gap);
}

void RecordTables::insertOperations(const OperationRow& row)
{
    m_operations.bind(1, row.attempt);
    m_operations.bind(2, row.globalRank);
    m_operations.bind(3, row.firstNs);
    m_operations.bind(4, row.lastNs);
    m_operations.bind(5, signedOf(row.count));
    bindBytes(m_operations, 6, row.block);
    run(m_operations);
}

void RecordTables::insertFold(const FoldRow& row)
{
    m_fold.bind(1, row.attempt);
    m_fold.bind(2, row.firstNs);
    m_fold.bind(3, row.untilNs);
    m_fold.bind(4, signedOf(row.count));
    bindBytes(m_fold, 5, row.block);
    run(m_fold);
}

std::int64_t RecordTables::sourceOf(const Event& event)
{
    const auto key = std::tuple(event.id.agent, event.node, event.clock);
    const auto known = m_sources.find(key);
    if (known != m_sources.end())
        return known->second;
    SQLite::Statement insert(m_database,
                             "INSERT OR IGNORE INTO sources(agent, node, clock) VALUES (?, ?, ?)");
    SQLite::Statement query(m_database,
                            "SELECT id FROM sources WHERE agent = ? AND node = ? AND clock = ?");
    for (SQLite::Statement* statement : {&insert, &query}) {
        statement->bind(1, event.id.agent);
        bindBytes(*statement, 2, event.node);
        statement->bind(3, event.clock);
    }
    insert.exec();
    query.executeStep();
    return m_sources[key] = query.getColumn(0).getInt64();
}

void RecordTables::foldOldSamples(std::int64_t nowNs)
{
    const std::int64_t before = (nowNs - HourNs) / FoldedStepNs * FoldedStepNs;
    SQLite::Statement fold(
        m_database, "DELETE FROM samples WHERE wall >= ?1 AND wall < ?2 AND run_sequence NOT IN "
                    "(SELECT min(run_sequence) FROM samples WHERE wall >= ?1 AND wall < ?2 "
                    "GROUP BY source, rank, wall / ?3)");
    fold.bind(1, m_foldedBeforeNs);
    fold.bind(2, before);
    fold.bind(3, FoldedStepNs);
    SQLite::Transaction transaction(m_database);
    const int rows = fold.exec();
    if (rows > 0)
        insertGap({RecordGap::Kind::Folded, m_foldedBeforeNs, before,
                   static_cast<std::uint64_t>(rows), 0});
    transaction.commit();
    m_foldedBeforeNs = before;
}

void RecordTables::foldOldOperations(std::int64_t nowNs)
{
    const std::int64_t known =
        number(m_database, "SELECT ifnull(max(until_mono), 0) FROM operation_folds");
    const std::int64_t before = std::min(known, (nowNs - HourNs) / FoldedStepNs * FoldedStepNs);
    if (before <= schema::foldedBefore(m_database))
        return;
    SQLite::Statement drop(m_database, "DELETE FROM operations WHERE last_mono < ?");
    drop.bind(1, before - FoldMarginNs);
    SQLite::Transaction transaction(m_database);
    drop.exec();
    schema::setFoldedBefore(m_database, before);
    transaction.commit();
}

} // namespace ringmaster
