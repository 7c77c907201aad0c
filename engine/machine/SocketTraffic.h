#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

namespace ringmaster {

/// Who is at the other end of a TCP connection, and what has gone through it since it began.
struct SocketTraffic
{
    std::string peer{};         ///< "10.0.0.1:443", "[fe80::1]:443"
    std::int64_t received = -1; ///< Bytes; -1: the system doesn't say.
    std::int64_t sent = -1;     ///< Bytes that have arrived there.
};

/// Of the process's socket of that inode; nothing: it is no TCP connection.
std::optional<SocketTraffic> trafficOf(pid_t pid, std::uint64_t inode);

} // namespace ringmaster
