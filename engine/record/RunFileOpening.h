#pragma once

#include "engine/record/Sqlite.h"

#include <memory>

namespace ringmaster {

/// A run file opened for reading, and the private copy of it where it had to be copied. Inside
/// engine/record only.
class OpenedRunFile
{
public:
    static Result<std::unique_ptr<OpenedRunFile>> open(const std::filesystem::path& file);
    OpenedRunFile(const OpenedRunFile&) = delete;
    OpenedRunFile& operator=(const OpenedRunFile&) = delete;
    ~OpenedRunFile();

    SQLite::Database& database() { return *m_database; }

private:
    OpenedRunFile() = default;
    Result<void> openInPlace(const std::filesystem::path& file, bool isImmutable);
    Result<void> openCopy(const std::filesystem::path& file);

    std::filesystem::path m_copy; ///< A folder of its own, or empty.
    std::unique_ptr<SQLite::Database> m_database;
};

} // namespace ringmaster
