#pragma once

#include "engine/event/Event.h"

#include <cstdint>

namespace ringmaster {

/// Where a line of a run's log stands, without its text.
struct LogPlace
{
    std::uint64_t cursor = 0; ///< Of the chunk that it begins in.
    std::uint64_t offset = 0; ///< Of its first byte in the file of (attempt, rank, stream).
    std::uint64_t length = 0; ///< In bytes, without the newline.
    std::uint64_t number = 0; ///< Of the line in that file, from 1.
    Moment at{};              ///< When it began.
    int attempt = 0;
    int globalRank = 0;
    Stream stream = Stream::Stdout;
    bool isMatch = true; ///< Else it stands around one.
    bool operator==(const LogPlace&) const = default;
};

} // namespace ringmaster
