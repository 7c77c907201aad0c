#pragma once

#include "engine/event/Event.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace ringmaster {

/// Where the output of one worker of one attempt goes.
struct LogFile
{
    int attempt = 0;
    int globalRank = 0;
    Stream stream = Stream::Stdout;
    std::filesystem::path path{};
    bool operator==(const LogFile&) const = default;
};

/// Bytes that were read from a worker at a time and stand in its log file at `offset`.
struct LogIndexEntry
{
    int file = 0; ///< As RunFileWriter::addLogFile() numbered it.
    Moment at{};
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool operator==(const LogIndexEntry&) const = default;
};

/// What isn't in a run file that could have been.
struct RecordGap
{
    enum class Kind {
        Samples,    ///< Samples were left out.
        LogTimes,   ///< Log rows were merged: the bytes are there, their times are coarse.
        LogOutput,  ///< Output itself could not be kept.
        Folded,     ///< Old samples were folded to one every ten seconds.
        Operations, ///< Operations were left out.
    };
    Kind kind = Kind::Samples;
    std::int64_t firstWallNs = 0;
    std::int64_t lastWallNs = 0;
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    bool operator==(const RecordGap&) const = default;
};

/// Operations of one rank's process groups, packed (see engine/ledger/OperationBlock.h).
struct OperationRow
{
    int attempt = 0;
    int globalRank = 0;
    std::int64_t firstNs = 0; ///< Of the agent's monotonic clock, as the next.
    std::int64_t lastNs = 0;
    std::uint64_t count = 0;
    std::int64_t wallNs = 0; ///< When it was handed over, for a gap to say; not in the file.
    std::string block{};
    bool operator==(const OperationRow&) const = default;
};

/// What the operations of a span of time amount to, packed (see engine/ledger/OperationFold.h).
struct FoldRow
{
    int attempt = 0;
    std::int64_t firstNs = 0; ///< Of the agent's monotonic clock, as the next.
    std::int64_t untilNs = 0;
    std::uint64_t count = 0;
    std::string block{};
    bool operator==(const FoldRow&) const = default;
};

/// What waits to be written. Events are never given up, however long a disk stalls: the job is
/// supervised meanwhile, and what happens to it is told once, so hours of it are a few megabytes.
/// What comes at a rate (samples, log rows, operations) keeps to its limits by being thinned,
/// merged and left out. Pure; the writer's mutex guards it.
class WriteQueue
{
public:
    struct Limits
    {
        size_t samples = 16'384;
        size_t logRows = 65'536;
        size_t operationBytes = 64U << 20U;
    };

    struct Batch
    {
        std::vector<Event> events{};
        std::vector<Event> samples{};
        std::vector<std::pair<int, LogFile>> logFiles{};
        std::vector<LogIndexEntry> logRows{};
        std::vector<RecordGap> gaps{};
        std::vector<OperationRow> operations{};
        std::vector<FoldRow> folds{};

        size_t size() const;
    };

    explicit WriteQueue(Limits limits) : m_limits(limits) {}

    void add(Event event);
    void add(int id, LogFile file) { m_waiting.logFiles.emplace_back(id, std::move(file)); }
    void add(const LogIndexEntry& row);
    void add(const RecordGap& gap);
    void add(OperationRow row);
    /// Never given up: a few hundred bytes in ten seconds.
    void add(FoldRow row) { m_waiting.folds.push_back(std::move(row)); }

    Batch take();
    /// A batch that could not be written waits again, before what came meanwhile.
    void putBack(Batch batch);

    size_t size() const { return m_waiting.size(); }
    size_t eventCount() const { return m_waiting.events.size(); }

private:
    void thinSamples();

    Limits m_limits;
    Batch m_waiting;
    std::unordered_map<int, size_t> m_lastRowOfFile;
    size_t m_operationBytes = 0;
};

} // namespace ringmaster
