#pragma once

#include "engine/record/Sqlite.h"
#include "engine/record/WriteQueue.h"

#include <map>
#include <tuple>

#include <SQLiteCpp/Transaction.h>

namespace ringmaster {

/// The writing half of the tables: batches into an open database. Throws SQLite::Exception; inside
/// engine/record only.
class RecordTables
{
public:
    /// `folder`: log files under it are kept by their relative path.
    RecordTables(SQLite::Database& database, std::filesystem::path folder);

    /// All of it or, when this throws, nothing.
    void write(const WriteQueue::Batch& batch);

    /// One sample every ten seconds is enough of those that are older than an hour before `nowNs`.
    void foldOldSamples(std::int64_t nowNs);

    /// Operations that ended more than an hour before `nowNs`, of the agent's monotonic clock, stay
    /// as folds only. Those that there is no fold of stay as they are.
    void foldOldOperations(std::int64_t nowNs);

    int lastLogFile() const { return m_lastLogFile; }

private:
    EventBody withoutSecrets(const RunStarted& started) const;
    void insertEvent(const Event& event);
    void insertSample(const Event& event);
    void insertLogFile(int id, const LogFile& file);
    void insertLogRow(LogIndexEntry row);
    void insertGap(const RecordGap& gap);
    void insertOperations(const OperationRow& row);
    void insertFold(const FoldRow& row);
    std::int64_t sourceOf(const Event& event);

    SQLite::Database& m_database;
    std::filesystem::path m_folder;
    SQLite::Statement m_event;
    SQLite::Statement m_sample;
    SQLite::Statement m_logFile;
    SQLite::Statement m_logRow;
    SQLite::Statement m_gap;
    SQLite::Statement m_operations;
    SQLite::Statement m_fold;
    std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> m_sources;
    std::int64_t m_cursor = 0;
    std::int64_t m_foldedBeforeNs = 0;
    int m_lastLogFile = 0;
};

} // namespace ringmaster
