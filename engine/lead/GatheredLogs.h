#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/LoopThread.h"
#include "engine/lead/LogGatherer.h"
#include "engine/lead/RankLines.h"
#include "engine/record/RunFileWriter.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace ringmaster {

/// The output of all hosts' workers, in the lead's run folder and its run file, and on the console
/// line by line. Written by a thread of its own ("rm-logs"), so that a stalled disk doesn't hold up
/// the lead. A disk or a console that is behind holds up the hosts' output, but not a console that
/// nobody reads.
class GatheredLogs : public LogGatherer::Sink
{
public:
    /// Bytes by attempt, rank and stream.
    using Sizes = std::map<std::tuple<int, int, Stream>, std::uint64_t>;

    /// Of a former lead.
    struct Recorded
    {
        Sizes sizes{};
        std::uint64_t lostBytes = 0;
    };

    /// `recorded`: this comes, or is told, once more, and isn't recorded again. What the former
    /// lead's files have beyond that is cut off, and comes as well.
    GatheredLogs(std::filesystem::path folder, RunFileWriter& writer, Consoles consoles,
                 std::optional<Recorded> recorded = {});

    void logged(const LogChunk& chunk) override;
    void logLost(std::uint64_t bytes) override;
    bool isBehind() const override;

    /// All that came is written, with the lines that have no end: `done` comes on the thread then.
    void finish(std::function<void()> done);

    /// Grows as long as the disk takes something.
    std::uint64_t written() const { return m_written; }

private:
    struct File
    {
        FileDescriptor handle{}; ///< Closed while others are written, too.
        int number = -1;
        std::uint64_t size = 0;
        std::uint64_t had = 0; ///< Bytes that are still to come once more.
    };
    using Key = std::tuple<int, int, Stream>;

    void keep(LogChunk chunk);
    File& fileOf(const LogChunk& chunk);
    std::filesystem::path pathOf(const LogChunk& chunk) const;
    bool write(const LogChunk& chunk, File& file);
    void beginAttempt(int attempt);
    void closeAll();

    std::filesystem::path m_folder;
    RunFileWriter& m_writer;
    const std::optional<Recorded> m_recorded;
    std::atomic<std::uint64_t> m_hadLost; ///< Lost bytes that are still to come once more.
    std::atomic<size_t> m_waitingBytes = 0;
    std::atomic<std::uint64_t> m_written = 0; ///< Chunks.

    // The thread's own.
    std::map<Key, File> m_files;
    RankLines m_lines;  ///< Any thread may ask whether it is behind.
    int m_attempt = -1; ///< The newest.
    size_t m_openFiles = 0;
    bool m_isLossTold = false;

    LoopThread m_thread{"rm-logs"}; ///< Last: what it uses is there as long.
};

} // namespace ringmaster
