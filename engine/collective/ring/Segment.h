#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"
#include "engine/collective/ring/Channel.h"

namespace ringmaster::ring {

/// Why a group was given up. Plain: lies in shared memory and travels over sockets.
struct AlarmRecord
{
    std::uint64_t sequence = 0; ///< Of the collective that can't complete: those before it still
                                ///< can. 0: nothing can.
    std::int32_t raisedBy = -1;
    std::int32_t culprit = -1;
    std::array<char, 48> code{};    ///< codeName() of the error.
    std::array<char, 400> reason{}; ///< The error in English.
};

static_assert(sizeof(AlarmRecord) % sizeof(std::uint64_t) == 0);

struct AlarmMemory
{
    std::atomic<std::uint64_t> givenUp; ///< 0: calm; else the earliest `sequence`, and 1.
    std::atomic<std::uint32_t> version; ///< Of the record; odd while it is written.
    std::array<std::atomic<std::uint64_t>, sizeof(AlarmRecord) / sizeof(std::uint64_t)> record;
};

/// A Signature, word by word.
using SharedCall = std::array<std::atomic<std::uint64_t>, 3>;

/// What one rank shows the others of its host.
struct RankMemory
{
    alignas(64) std::atomic<std::uint64_t> sequence; ///< Of the collective it is in or was in last.
    SharedCall call;                                 ///< Its signature.
    alignas(64) std::atomic<std::uint32_t> barriers; ///< Times that it came to the board.
    std::array<SharedCall, 2> barrierCalls; ///< In which it came, in turn: nobody is two barriers
                                            ///< ahead of another.
    alignas(64) std::atomic<std::uint32_t> ending;
    std::atomic<std::int32_t> process; ///< Its number, in the space of process numbers below.
    std::atomic<std::uint64_t> startTime;
    std::atomic<std::uint64_t> processSpace;
    Bell inbox; ///< Rung when its point-to-point channels change.
};

struct SegmentHeader
{
    AlarmMemory alarm;
    alignas(64) std::atomic<std::uint32_t> arrived; ///< Counts ranks that came to the board.
    Bell board;
};

/// The memory that the ranks of one host share: a few words a rank, a board that all read, and two
/// channels for each ordered pair. Sparse: what isn't used costs no memory. Nothing of it has a
/// name, so nothing is left behind when all are killed, and /dev/shm may be as small as it is.
class Segment
{
public:
    static constexpr Channel::Shape CollectiveShape{8, 256U << 10U};
    static constexpr Channel::Shape MessageShape{8, 64U << 10U};
    static constexpr size_t BoardBytes = size_t{1} << 20U;

    static Result<Segment> create(int ranks);
    static Result<Segment> attach(FileDescriptor memory, int ranks);

    Segment(Segment&& other) noexcept;
    Segment& operator=(Segment&&) = delete;
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;
    ~Segment();

    int descriptor() const { return m_memory.get(); }
    void closeDescriptor() { m_memory.close(); } ///< Once everybody has it; the mapping stays.

    int ranks() const { return m_ranks; }
    SegmentHeader& header() const;
    RankMemory& rank(int local) const;
    void* collectiveChannel(int from, int to) const;
    void* messageChannel(int from, int to) const;
    Bytes board(int local, unsigned slot) const;

    /// Wakes whoever waits for anything here, to look again.
    void wakeAll() const;

private:
    Segment(FileDescriptor memory, std::byte* start, int ranks);

    static size_t bytesFor(int ranks);
    static Result<std::byte*> map(int fd, size_t bytes);

    FileDescriptor m_memory;
    std::byte* m_start = nullptr;
    int m_ranks = 0;
};

} // namespace ringmaster::ring
