#include "engine/record/Sqlite.h"

#include "engine/base/Codes.h"
#include "engine/record/Codes.h"

#include <sqlite3.h>

namespace ringmaster {

Error sqliteError(const SQLite::Exception& exception, const std::filesystem::path& path)
{
    const auto error = [&](Code code, std::string detail = {}) {
        return Error{{code, {{"path", path.string()}}, std::move(detail)}, {}};
    };
    switch (exception.getErrorCode()) {
    case SQLITE_FULL: return error(code::DiskFull);
    case SQLITE_CORRUPT: return error(code::RunFileDamaged, exception.what());
    case SQLITE_NOTADB: return error(code::RunFileNotOne);
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return error(code::RunFileBusy);
    case SQLITE_CANTOPEN: return error(code::FileNotReadable, exception.what());
    case SQLITE_READONLY: return error(code::FileNotWritable, exception.what());
    case SQLITE_IOERR: break;
    }
    if (exception.getExtendedErrorCode() == SQLITE_IOERR_SHORT_READ)
        return error(code::RunFileDamaged, exception.what());
    if (exception.getErrorCode() == SQLITE_IOERR)
        return error(code::FileNotWritable, exception.what());
    // A schema that isn't ours after all: a missing column, a value of another type.
    return error(code::RunFileDamaged, exception.what());
}

std::string bytesOf(const SQLite::Column& column)
{
    const auto* bytes = static_cast<const char*>(column.getBlob());
    return bytes == nullptr ? std::string()
                            : std::string(bytes, static_cast<size_t>(column.getBytes()));
}

} // namespace ringmaster
