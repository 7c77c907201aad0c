#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/record/RunFileReaderNative.h"

#include <map>
#include <set>

namespace ringmaster {

/// The bytes behind the rows of a log index, from the files beside the run file or, in an exported
/// one, from inside it. Says once what can't be read. Inside engine/record only.
class LogFiles
{
public:
    struct File
    {
        int attempt = 0;
        int globalRank = 0;
        Stream stream = Stream::Stdout;
        std::filesystem::path path{};
        bool isAllowed = true;
        bool isEmbedded = false;
    };

    /// Throws SQLite::Exception.
    LogFiles(SQLite::Database& database, const std::filesystem::path& folder,
             RunFileReader::Origin origin);

    const std::map<int, File>& all() const { return m_files; }

    /// Less than `length` where the file ends before. Throws SQLite::Exception.
    std::string read(int id, std::uint64_t offset, std::uint64_t length);

    std::vector<Message> takeProblems() { return std::exchange(m_problems, {}); }

private:
    std::string readEmbedded(int file, std::uint64_t offset, std::uint64_t length);
    std::string readFromDisk(int id, const File& file, std::uint64_t offset, std::uint64_t length);
    int descriptorOf(int id, const File& file);
    void report(Code code, const File& file, std::string detail = {});

    SQLite::Database& m_database;
    std::map<int, File> m_files;
    std::map<int, FileDescriptor> m_open;
    std::set<std::pair<Code, std::filesystem::path>> m_reported;
    std::vector<Message> m_problems;
};

} // namespace ringmaster
