#pragma once

#include "engine/event/Event.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// A piece of one worker's output as it was read: the log index has one row for each. Bytes are in
/// the log file of (attempt, rank, stream) at `offset`.
struct LogChunk
{
    std::uint64_t cursor = 0; ///< Position in the run's log, from 1, in the order of arrival.
    Moment at{};
    int attempt = 0;
    int globalRank = 0;
    Stream stream = Stream::Stdout;
    std::uint64_t offset = 0;
    std::string bytes{}; ///< UTF-8 not guaranteed; may start or end within a line or a character.
    bool operator==(const LogChunk&) const = default;
};

struct LogQuery
{
    enum class Direction { Forward, Backward };
    std::uint64_t cursor = 0; ///< Forward: chunks after it; Backward: before it (0: from the end).
    Direction direction = Direction::Forward;
    /// Forward: from the first chunk that came then, instead of behind the cursor; 0: not.
    std::int64_t fromNs = 0;
    std::vector<int> ranks{}; ///< Empty: all.
    int attempt = -1;         ///< -1: all.
    std::size_t maxBytes = 256U << 10U;
};

struct LogPage
{
    std::vector<LogChunk> chunks{};  ///< Ascending by cursor, whichever direction was asked.
    std::uint64_t firstCursor = 0;   ///< Oldest that exists for the query's ranks; 0: none.
    std::uint64_t lastCursor = 0;    ///< Newest that exists.
    std::uint64_t lostBytes = 0;     ///< Output that could not be kept, in all.
    std::vector<Message> problems{}; ///< A log file that is gone: its chunks are empty.
    bool operator==(const LogPage&) const = default;
};

} // namespace ringmaster
