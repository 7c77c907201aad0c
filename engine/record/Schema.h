#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace SQLite {
class Database;
}

/// The tables of a run file. Inside engine/record only.
namespace ringmaster::schema {

/// Raised when a table's meaning changes; older ones stay readable.
constexpr int Format = 3;

/// In the file's header, so that `file` and we know a run file from other SQLite files.
constexpr std::int32_t ApplicationId = 0x524D7231;

struct Identity
{
    std::string run{};
    std::string ringmasterVersion{};
};

/// Makes the tables in an empty file. Throws SQLite::Exception.
void create(SQLite::Database& database, const Identity& identity);

/// Whose file it is; refuses what isn't ours, is newer, or holds more than plain tables (a foreign
/// file's views and triggers would run as ours). Throws SQLite::Exception.
Result<Identity> verify(SQLite::Database& database, const std::filesystem::path& path);

/// Makes a verified file of an older format one of this, for its writer. Throws SQLite::Exception.
void upgrade(SQLite::Database& database);

/// False in files of format 1.
bool hasOperations(SQLite::Database& database);
/// False in files before format 3.
bool hasFolds(SQLite::Database& database);

/// Operations that ended before are folded and no longer there one by one; of the agent's monotonic
/// clock, 0: all are there. Throws SQLite::Exception.
std::int64_t foldedBefore(SQLite::Database& database);
void setFoldedBefore(SQLite::Database& database, std::int64_t ns);

} // namespace ringmaster::schema
