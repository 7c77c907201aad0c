#include "engine/record/RunFileOpening.h"

#include "engine/base/Codes.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/record/Codes.h"

#include <array>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr int LongestValue = 64 << 20;
constexpr std::string_view Magic{"SQLite format 3\0", 16};
constexpr size_t HeaderBytes = 100;

std::uint64_t bigEndian(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (const char byte : bytes)
        value = value << 8U | static_cast<unsigned char>(byte);
    return value;
}

bool isEmptyOrAbsent(const fs::path& path)
{
    std::error_code error;
    const auto size = fs::file_size(path, error);
    return error || size == 0;
}

fs::path beside(const fs::path& file, const char* suffix)
{
    return file.string() + suffix;
}

bool hasJournal(const fs::path& file)
{
    return !isEmptyOrAbsent(beside(file, "-wal")) || !isEmptyOrAbsent(beside(file, "-journal"));
}

/// What SQLite itself notices only on the page that is missing. The file format's section 1.3.
Result<void> checkHeader(const fs::path& file)
{
    const FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!opened.isOpen()) {
        return fail(errno == ENOENT ? code::FileNotFound : code::FileNotReadable,
                    {{"path", file.string()}}, errno == ENOENT ? "" : errnoText(errno));
    }
    std::array<char, HeaderBytes> header{};
    const ssize_t got = pread(opened.get(), header.data(), header.size(), 0);
    if (got < 0)
        return fail(code::FileNotReadable, {{"path", file.string()}}, errnoText(errno));
    const std::string_view bytes(header.data(), static_cast<size_t>(got));
    if (!Magic.starts_with(bytes.substr(0, Magic.size())))
        return fail(code::RunFileNotOne, {{"path", file.string()}});
    if (hasJournal(file))
        return {};
    if (bytes.size() < HeaderBytes)
        return fail(code::RunFileDamaged, {{"path", file.string()}});
    const std::uint64_t pageSize = bigEndian(bytes.substr(16, 2));
    const std::uint64_t pages = bigEndian(bytes.substr(28, 4));
    std::error_code error;
    if (fs::file_size(file, error) < (pageSize == 1 ? 65536 : pageSize) * pages)
        return fail(code::RunFileDamaged, {{"path", file.string()}});
    return {};
}

/// The file may be anybody's: nothing in it runs, and no value of it fills the memory.
void harden(SQLite::Database& database)
{
    sqlite3* handle = database.getHandle();
    (void)sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    (void)sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    (void)sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, LongestValue);
    database.exec("PRAGMA cell_size_check = ON; PRAGMA query_only = ON");
}

std::string uriOf(const fs::path& file)
{
    std::string uri = "file:";
    for (const char character : absolutePath(file).string()) {
        if (std::strchr("%?#", character) != nullptr) {
            std::array<char, 4> escaped{};
            std::snprintf(escaped.data(), escaped.size(), "%%%02X",
                          static_cast<unsigned char>(character));
            uri += escaped.data();
        } else {
            uri += character;
        }
    }
    return uri + "?immutable=1";
}

/// A journal that only a writer may replay, on a medium or in a folder that can't be written.
bool needsWriting(const Error& error)
{
    return error.code == code::FileNotWritable || error.code == code::FileNotReadable;
}

/// For a message: whatever the user has set.
std::string temporaryName()
{
    const char* name = std::getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    return name != nullptr ? name : "/tmp";
}

} // namespace

OpenedRunFile::~OpenedRunFile()
{
    m_database.reset();
    std::error_code ignored;
    if (!m_copy.empty())
        fs::remove_all(m_copy, ignored);
}

Result<std::unique_ptr<OpenedRunFile>> OpenedRunFile::open(const fs::path& file)
{
    RM_TRY(checkHeader(file));
    std::unique_ptr<OpenedRunFile> opened(new OpenedRunFile);
    Result<void> result = opened->openInPlace(file, false);
    if (!result && needsWriting(result.error()))
        result = hasJournal(file) ? opened->openCopy(file) : opened->openInPlace(file, true);
    if (!result)
        return tl::unexpected(std::move(result).error());
    return opened;
}

Result<void> OpenedRunFile::openInPlace(const fs::path& file, bool isImmutable)
{
    return guarded(file, [&] {
        const int flags = SQLite::OPEN_READONLY | (isImmutable ? SQLite::OPEN_URI : 0);
        m_database = std::make_unique<SQLite::Database>(isImmutable ? uriOf(file) : file.string(),
                                                        flags, BusyTimeoutMs);
        harden(*m_database);
        (void)m_database->execAndGet("SELECT count(*) FROM sqlite_master");
    });
}

Result<void> OpenedRunFile::openCopy(const fs::path& file)
{
    std::error_code missing;
    const fs::path temporary = fs::temp_directory_path(missing);
    if (missing)
        return fail(code::FolderNotWritable, {{"path", temporaryName()}}, missing.message());
    m_copy = temporary / ("ringmaster-read-" + randomToken(12));
    RM_TRY(makeFolder(m_copy));
    const fs::path copied = m_copy / "run.ringrun";
    for (const char* suffix : {"", "-wal", "-journal"}) {
        std::error_code error;
        if (!fs::exists(beside(file, suffix), error))
            continue;
        if (!fs::copy_file(beside(file, suffix), beside(copied, suffix), error))
            return fail(code::FileNotReadable, {{"path", beside(file, suffix).string()}},
                        error.message());
    }
    return guarded(file, [&] {
        m_database = std::make_unique<SQLite::Database>(copied.string(), SQLite::OPEN_READWRITE,
                                                        BusyTimeoutMs);
        (void)m_database->execAndGet("SELECT count(*) FROM sqlite_master");
        harden(*m_database);
    });
}

} // namespace ringmaster
