#pragma once

#include "engine/base/Clock.h"
#include "engine/base/FileDescriptor.h"
#include "engine/worker/WorkerExit.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <sys/types.h>

/// What an agent and a keeper say to each other over an AF_UNIX stream socket. A frame is a header
/// (u32 length of the payload, u8 version, u8 type, u16 count of descriptors, in the machine's byte
/// order) and its payload; its descriptors travel with its first byte (SCM_RIGHTS). Every length is
/// bounded. Whoever speaks it is a keeper, however its workers come to be.
namespace ringmaster::keeper {

constexpr std::uint8_t ProtocolVersion = 3;
constexpr int SocketDescriptor = 3; ///< Where the keeper process finds its end.
constexpr std::size_t LongestPayload = 16U << 20U;
constexpr std::size_t MostDescriptors = 3;

/// Keeper to agent, first of all.
struct Hello
{
    std::int32_t pid = 0;
};

/// Agent to keeper, with three descriptors: the worker's 0, 1 and 2.
struct Launch
{
    std::int32_t localRank = 0;
    std::uint8_t ignoreHangup = 0;
    std::vector<std::string> arguments{};
    std::vector<std::string> environment{};
    std::string workingFolder{};
};

/// Agent to keeper: to the process group of one worker, or of all.
struct Signal
{
    static constexpr std::int32_t AllWorkers = -1;
    std::int32_t localRank = AllWorkers;
    std::int32_t number = 0;
};

/// Agent to keeper: end every descendant. The answer is AllGone with the same number.
struct KillAll
{
    std::uint32_t request = 0;
};

struct AllGone
{
    std::uint32_t request = 0;
};

/// Keeper to agent, with the pidfd: the worker's program runs.
struct Started
{
    std::int32_t localRank = 0;
    std::int32_t pid = 0;
    Moment at{};
};

enum class SpawnStep : std::uint8_t { Fork, StandardStreams, WorkingFolder, Program };

/// Keeper to agent, instead of Started.
struct NotStarted
{
    std::int32_t localRank = 0;
    SpawnStep step = SpawnStep::Fork;
    std::int32_t error = 0; ///< errno
    std::string path{};     ///< Of what failed: the folder, the program.
};

struct Exited
{
    std::int32_t localRank = 0;
    std::int32_t pid = 0;
    WorkerExit exit{};
};

/// Agent to keeper: a worker shall end. Only the worker is told; the rest of its session follows
/// when it has ended. Once nothing of the session is left, the answer is SessionEnded. SIGKILL is
/// for the worker: the session follows with the number of the Stop before.
struct Stop
{
    std::int32_t localRank = 0;
    std::int32_t number = 0;
};

/// Keeper to agent, never before the worker's Exited.
struct SessionEnded
{
    std::int32_t localRank = 0;
};

using Frame = std::variant<Hello, Launch, Signal, KillAll, AllGone, Started, NotStarted, Exited,
                           Stop, SessionEnded>;

std::string encode(const Frame& frame, std::size_t descriptors = 0);

struct ReceivedFrame
{
    Frame frame;
    std::vector<FileDescriptor> descriptors{};
};

/// Takes frames off a socket without blocking.
class FrameReader
{
public:
    enum class State { Open, Closed, Broken };

    /// Reads what is there. Closed: the other side is gone; frames may still wait in next().
    State receive(int socket);

    /// Nothing while a frame is incomplete, or when the stream is broken.
    std::optional<ReceivedFrame> next();

    bool isBroken() const { return m_broken; }

private:
    bool takeDescriptors(std::size_t count, std::vector<FileDescriptor>& taken);

    std::string m_buffer;
    std::size_t m_consumed = 0;
    std::deque<FileDescriptor> m_descriptors;
    bool m_broken = false;
};

} // namespace ringmaster::keeper
