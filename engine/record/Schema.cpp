#include "engine/record/Schema.h"

#include "engine/record/Codes.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

namespace ringmaster::schema {

namespace {

// Times are nanoseconds of the agent's clocks; a body is a serialised ringmaster.v1.EventBody.
// A log file's path is relative to the run file's folder, or absolute when it lies elsewhere.
constexpr const char* Tables = R"(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE sources(id INTEGER PRIMARY KEY, agent TEXT NOT NULL, node BLOB NOT NULL,
                     clock TEXT NOT NULL, UNIQUE(agent, node, clock)) STRICT;
CREATE TABLE events(run_sequence INTEGER PRIMARY KEY, source INTEGER NOT NULL,
                    sequence INTEGER NOT NULL, mono INTEGER NOT NULL, wall INTEGER NOT NULL,
                    kind INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE(source, sequence)) STRICT;
CREATE TABLE samples(run_sequence INTEGER PRIMARY KEY, source INTEGER NOT NULL,
                     sequence INTEGER NOT NULL, mono INTEGER NOT NULL, wall INTEGER NOT NULL,
                     rank INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
CREATE INDEX samples_by_time ON samples(wall);
CREATE TABLE log_files(id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, rank INTEGER NOT NULL,
                       stream INTEGER NOT NULL, path BLOB NOT NULL) STRICT;
CREATE TABLE log_index(cursor INTEGER PRIMARY KEY, file INTEGER NOT NULL, mono INTEGER NOT NULL,
                       wall INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL)
                       STRICT;
CREATE INDEX log_index_by_file ON log_index(file);
CREATE TABLE log_data(file INTEGER NOT NULL, offset INTEGER NOT NULL, bytes BLOB NOT NULL,
                      PRIMARY KEY(file, offset)) STRICT, WITHOUT ROWID;
CREATE TABLE gaps(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, first_wall INTEGER NOT NULL,
                  last_wall INTEGER NOT NULL, rows INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
)";

// Of format 2. A body is a block of packOperations(), which this folder needn't understand.
constexpr const char* OperationsTable = R"(
CREATE TABLE operations(id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL, rank INTEGER NOT NULL,
                        first_mono INTEGER NOT NULL, last_mono INTEGER NOT NULL,
                        count INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
)";

// Of format 3. A body is packFold()'s.
constexpr const char* FoldsTable = R"(
CREATE TABLE operation_folds(id INTEGER PRIMARY KEY, attempt INTEGER NOT NULL,
                             first_mono INTEGER NOT NULL, until_mono INTEGER NOT NULL,
                             count INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
)";

constexpr const char* FoldedBefore = "operations_folded_before";

constexpr auto TableNames = std::to_array<const char*>(
    {"meta", "sources", "events", "samples", "log_files", "log_index", "log_data", "gaps"});

int pragma(SQLite::Database& database, const std::string& name)
{
    return database.execAndGet("PRAGMA " + name).getInt();
}

std::string metaValue(SQLite::Database& database, const char* name)
{
    SQLite::Statement query(database, "SELECT value FROM meta WHERE name = ?");
    query.bind(1, name);
    return query.executeStep() ? query.getColumn(0).getString() : std::string();
}

bool isPlain(SQLite::Database& database, int format)
{
    SQLite::Statement others(database,
                             "SELECT count(*) FROM sqlite_master WHERE type IN ('view', 'trigger') "
                             "OR sql LIKE 'CREATE VIRTUAL%'");
    if (!others.executeStep() || others.getColumn(0).getInt() != 0)
        return false;
    for (const char* name : TableNames) {
        if (!database.tableExists(name))
            return false;
    }
    return (format < 2 || database.tableExists("operations")) &&
           (format < 3 || database.tableExists("operation_folds"));
}

} // namespace

void create(SQLite::Database& database, const Identity& identity)
{
    SQLite::Transaction transaction(database);
    database.exec(Tables);
    database.exec(OperationsTable);
    database.exec(FoldsTable);
    SQLite::Statement meta(database, "INSERT INTO meta(name, value) VALUES (?, ?)");
    for (const auto& [name, value] :
         {std::pair<const char*, std::string>{"format", std::to_string(Format)},
          {"ringmaster", identity.ringmasterVersion},
          {"run", identity.run}}) {
        meta.bind(1, name);
        meta.bind(2, value);
        meta.exec();
        meta.reset();
    }
    database.exec("PRAGMA application_id = " + std::to_string(ApplicationId));
    database.exec("PRAGMA user_version = " + std::to_string(Format));
    transaction.commit();
}

void upgrade(SQLite::Database& database)
{
    const int format = pragma(database, "user_version");
    if (format >= Format)
        return;
    SQLite::Transaction transaction(database);
    if (format < 2)
        database.exec(OperationsTable);
    database.exec(FoldsTable);
    database.exec("UPDATE meta SET value = '" + std::to_string(Format) + "' WHERE name = 'format'");
    database.exec("PRAGMA user_version = " + std::to_string(Format));
    transaction.commit();
}

bool hasOperations(SQLite::Database& database)
{
    return pragma(database, "user_version") >= 2;
}

bool hasFolds(SQLite::Database& database)
{
    return pragma(database, "user_version") >= 3;
}

std::int64_t foldedBefore(SQLite::Database& database)
{
    const std::string text = metaValue(database, FoldedBefore);
    return std::strtoll(text.c_str(), nullptr, 10);
}

void setFoldedBefore(SQLite::Database& database, std::int64_t ns)
{
    SQLite::Statement meta(database, "INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)");
    meta.bind(1, FoldedBefore);
    meta.bind(2, std::to_string(ns));
    meta.exec();
}

Result<Identity> verify(SQLite::Database& database, const std::filesystem::path& path)
{
    if (pragma(database, "application_id") != ApplicationId)
        return fail(code::RunFileNotOne, {{"path", path.string()}});
    const int format = pragma(database, "user_version");
    if (format > Format) {
        const bool hasMeta = database.tableExists("meta");
        return fail(code::RunFileNewer,
                    {{"path", path.string()},
                     {"format", std::to_string(format)},
                     {"version", hasMeta ? metaValue(database, "ringmaster") : ""}});
    }
    if (format < 1 || !isPlain(database, format))
        return fail(code::RunFileDamaged, {{"path", path.string()}});
    return Identity{metaValue(database, "run"), metaValue(database, "ringmaster")};
}

} // namespace ringmaster::schema
