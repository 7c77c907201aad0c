#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringmaster {

std::string durationText(std::int64_t nanoseconds); ///< "0.03 s", "12 s", "3 min 5 s", "2 h 7 min"
std::string sizeText(std::uint64_t bytes);          ///< "812 B", "1.4 MiB"
std::string timeText(std::int64_t wallNs);          ///< Local: "2026-11-21 08:02:05"
std::string counted(size_t count, std::string_view noun); ///< "1 worker", "4 workers"

/// Cut or filled to a width; counts bytes of UTF-8 characters' starts only.
std::string padded(std::string_view text, size_t columns);

} // namespace ringmaster
