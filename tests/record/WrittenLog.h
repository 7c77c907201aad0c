#pragma once

#include "engine/record/RunFileReader.h"
#include "engine/record/RunFileWriter.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stop_token>

namespace ringmaster {

/// A run's log as an agent keeps it: bytes in files, rows in the index.
class WrittenLog
{
public:
    explicit WrittenLog(const std::filesystem::path& folder) : m_folder(folder)
    {
        m_writer = RunFileWriter::open(folder / "run.ringrun", {.run = "run-1"}).value();
    }

    int addFile(int rank, int attempt = 0, std::filesystem::path path = {})
    {
        if (path.empty())
            path = m_folder / "logs" / std::to_string(attempt) / std::to_string(rank);
        std::filesystem::create_directories(path.parent_path());
        const int id = m_writer->addLogFile({attempt, rank, Stream::Stdout, path});
        m_files[id] = {path, 0};
        return id;
    }

    void write(int file, const std::string& bytes)
    {
        auto& [path, offset] = m_files.at(file);
        std::ofstream(path, std::ios::app) << bytes;
        // Apart in time, so that rows aren't merged.
        m_now.monotonicNs += 1'000'000'000;
        m_writer->appendLog({file, m_now, offset, bytes.size()});
        offset += bytes.size();
    }

    const std::filesystem::path& pathOf(int file) { return m_files.at(file).first; }
    RunFileWriter& writer() { return *m_writer; }

    LogPage read(const LogQuery& query,
                 RunFileReader::Origin origin = RunFileReader::Origin::OwnRun)
    {
        const auto opened = reader(origin);
        return opened ? opened->readLog(query).value_or(LogPage{}) : LogPage{};
    }

    Result<RunFileReader> reader(RunFileReader::Origin origin = RunFileReader::Origin::OwnRun)
    {
        RM_TRY(m_writer->flush());
        return RunFileReader::open(m_folder / "run.ringrun", origin);
    }

private:
    std::filesystem::path m_folder;
    std::unique_ptr<RunFileWriter> m_writer;
    std::map<int, std::pair<std::filesystem::path, std::uint64_t>> m_files;
    Moment m_now{};
};

/// Until it is told to stop: each time a log file that is new, a row of it, and one of `known`.
inline void growLog(RunFileWriter& writer, int known, const std::filesystem::path& path,
                    const std::stop_token& stop)
{
    for (int attempt = 1; !stop.stop_requested(); ++attempt) {
        const int file = writer.addLogFile({attempt, 0, Stream::Stdout, path});
        for (const int grown : {file, known})
            writer.appendLog({grown, {}, 0, 1});
        (void)writer.flush();
    }
}

} // namespace ringmaster
