#pragma once

#include "engine/node/LogGatherer.h"
#include "engine/record/RunFileWriter.h"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace ringmaster {

/// The output of all hosts' workers, in the lead's run folder and its run file, and on the console
/// line by line.
class GatheredLogs : public LogGatherer::Sink
{
public:
    /// Where lines are shown; nothing: nowhere.
    using Show = std::function<void(Stream stream, const std::string& line)>;

    GatheredLogs(std::filesystem::path folder, RunFileWriter& writer, Show show);
    ~GatheredLogs() override;

    void logged(const LogChunk& chunk) override;
    void logLost(std::uint64_t bytes) override;

    /// Lines without an end.
    void finish();

private:
    struct File
    {
        std::FILE* handle = nullptr;
        int number = -1;
        std::uint64_t size = 0;
        std::string rest{}; ///< Of a line that isn't whole yet.
    };
    using Key = std::tuple<int, int, Stream>;

    File& fileOf(const LogChunk& chunk);
    void showLines(const LogChunk& chunk, File& file);

    std::filesystem::path m_folder;
    RunFileWriter& m_writer;
    Show m_show;
    std::map<Key, File> m_files;
};

} // namespace ringmaster
