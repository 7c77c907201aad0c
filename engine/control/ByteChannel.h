#pragma once

#include "engine/base/FileDescriptor.h"

#include <chrono>
#include <memory>
#include <string_view>

namespace ringmaster {

/// Two pipes made to look like one socket: what gRPC needs of a connection that comes over
/// somebody's standard input and output (ssh, Slurm, a container). Bytes are pumped by a thread of
/// its own until either side ends; a stalled side stalls nobody else.
class ByteChannel
{
public:
    /// What an agent says first, so that what a login shell prints before it can be skipped.
    static constexpr std::string_view Sentinel = "RINGMASTER-AGENT/1\n";

    /// The agent's end: says the sentinel, then carries bytes.
    static Result<ByteChannel> serve(FileDescriptor input, FileDescriptor output);

    /// The other end: waits for the sentinel, at most so long and past a bounded amount of noise.
    static Result<ByteChannel> connect(FileDescriptor input, FileDescriptor output,
                                       std::chrono::milliseconds patience);

    /// Without a word: the two ends have found each other before.
    static Result<ByteChannel> carry(FileDescriptor input, FileDescriptor output);

    /// Carries bytes between the two pipes and `socket` until either side ends. Blocks.
    static Result<void> relay(FileDescriptor input, FileDescriptor output, FileDescriptor socket);

    ByteChannel(ByteChannel&&) noexcept;
    ByteChannel& operator=(ByteChannel&&) noexcept;
    ~ByteChannel();

    /// The socket to hand on, once.
    FileDescriptor takeSocket();

private:
    class Pump;
    ByteChannel();

    std::unique_ptr<Pump> m_pump;
    FileDescriptor m_socket;
};

} // namespace ringmaster
