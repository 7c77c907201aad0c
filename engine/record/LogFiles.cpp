#include "engine/record/LogFiles.h"

#include "engine/record/Codes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t MostOpenFiles = 64;

bool liesUnder(const fs::path& folder, const fs::path& path)
{
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    const fs::path relative = real.lexically_relative(fs::weakly_canonical(folder, error));
    return !error && !relative.empty() && *relative.begin() != "..";
}

} // namespace

LogFiles::LogFiles(SQLite::Database& database, const fs::path& folder, RunFileReader::Origin origin)
    : m_database(database)
{
    SQLite::Statement query(database,
                            "SELECT id, attempt, rank, stream, path, "
                            "EXISTS (SELECT 1 FROM log_data WHERE file = id) FROM log_files");
    while (query.executeStep()) {
        File file{query.getColumn(1).getInt(), query.getColumn(2).getInt(),
                  query.getColumn(3).getInt() == 0 ? Stream::Stdout : Stream::Stderr,
                  folder / bytesOf(query.getColumn(4))};
        file.isEmbedded = query.getColumn(5).getInt() != 0;
        file.isAllowed = file.isEmbedded || origin == RunFileReader::Origin::OwnRun ||
                         liesUnder(folder, file.path);
        m_files.emplace(query.getColumn(0).getInt(), std::move(file));
    }
}

std::string LogFiles::read(int id, std::uint64_t offset, std::uint64_t length)
{
    const auto found = m_files.find(id);
    if (found == m_files.end())
        return {};
    const File& file = found->second;
    if (!file.isAllowed) {
        report(code::LogFileOutside, file);
        return {};
    }
    std::string bytes =
        file.isEmbedded ? readEmbedded(id, offset, length) : readFromDisk(id, file, offset, length);
    if (bytes.size() < length && (file.isEmbedded || m_open[id].isOpen()))
        report(code::LogFileShort, file);
    return bytes;
}

std::string LogFiles::readEmbedded(int file, std::uint64_t offset, std::uint64_t length)
{
    SQLite::Statement query(m_database,
                            "SELECT offset, bytes FROM log_data WHERE file = ?1 AND offset < ?3 "
                            "AND offset >= ifnull((SELECT max(offset) FROM log_data "
                            "WHERE file = ?1 AND offset <= ?2), ?2) ORDER BY offset");
    query.bind(1, file);
    query.bind(2, signedOf(offset));
    query.bind(3, signedOf(offset + length));
    std::string bytes;
    while (query.executeStep()) {
        const std::uint64_t at = unsignedOf(query.getColumn(0).getInt64());
        const std::string block = bytesOf(query.getColumn(1));
        const std::uint64_t wanted = offset + bytes.size();
        if (at > wanted || wanted - at >= block.size())
            break;
        bytes += block.substr(wanted - at, length - bytes.size());
    }
    return bytes;
}

std::string LogFiles::readFromDisk(int id, const File& file, std::uint64_t offset,
                                   std::uint64_t length)
{
    const int descriptor = descriptorOf(id, file);
    if (descriptor < 0)
        return {};
    std::string bytes(length, '\0');
    size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = pread(descriptor, bytes.data() + filled, bytes.size() - filled,
                                  signedOf(offset + filled));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        filled += static_cast<size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
}

int LogFiles::descriptorOf(int id, const File& file)
{
    const auto known = m_open.find(id);
    if (known != m_open.end())
        return known->second.get();
    if (m_open.size() >= MostOpenFiles)
        m_open.clear();
    // Not blocking: what stands under the name may be a pipe by now.
    FileDescriptor opened(open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat info
    {
    };
    if (!opened.isOpen() || fstat(opened.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
        report(code::LogFileMissing, file, opened.isOpen() ? "" : errnoText(errno));
        opened.close();
    }
    return (m_open[id] = std::move(opened)).get();
}

void LogFiles::report(Code code, const File& file, std::string detail)
{
    if (m_reported.emplace(code, file.path).second)
        m_problems.push_back({code, {{"path", file.path.string()}}, std::move(detail)});
}

} // namespace ringmaster
