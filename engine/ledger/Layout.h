#pragma once

// The bytes that a worker and its agent share. Plain C++17 and libc: objects that are loaded into
// the user's process include this and link nothing of the engine.

#include "engine/ledger/CallKinds.h"

#include <cstddef>
#include <cstdint>

namespace ringmaster::ledger {

constexpr std::uint64_t Magic = 0x5245'4744'4c4d'5221ULL; ///< "!RMLDGER" in memory.
/// Raised with every change of the layout or of a number's meaning.
constexpr std::uint32_t Version = 5;

/// Who records. In files: appended, never changed.
enum class Recorder : std::uint8_t { None, CallSites, Compiled, Python };
constexpr std::uint8_t Recorders = 4;

/// Attached: another process image writes from here on; what was open before never ends.
/// DeviceBegun, DeviceEnded: what the call that its thread is in has given to a GPU, which has no
/// group and no number of its own.
/// Returned: whose Done or Failed record said that its caller hasn't gone on yet.
enum class RecordKind : std::uint8_t {
    None,
    Open,
    Done,
    Failed,
    Attached,
    DeviceBegun,
    DeviceEnded,
    Returned
};
constexpr std::uint8_t RecordKinds = 8;

/// One ring slot. Complete for ticket T when `state` is 2 * T + 2; odd while it is being written.
struct Record
{
    std::uint64_t state;
    std::uint64_t operation; ///< The ticket of its open record, or DeviceBegun; Attached: the pid.
    std::int64_t enqueuedNs; ///< CLOCK_MONOTONIC, as the others; 0: unknown.
    std::int64_t startedNs;
    std::int64_t endedNs;
    std::uint64_t bytes;    ///< As nccl-tests shows the size: of all ranks for all_gather.
    std::uint64_t elements; ///< Of this rank's tensors.
    std::uint64_t number;   ///< From 1: in its group; of point-to-point in its group, with that
                            ///< peer, way and tag.
    std::uint32_t group;    ///< As the group area names it.
    OperationKind kind;
    RecordKind record;
    DataType type;
    std::int32_t peer; ///< Rank in the group, or the root's; -1: none.
    std::uint32_t thread;
    Algorithm algorithm;
    Reduction reduction;
    Recorder recorder; ///< Attached only.
    Caller caller;
    std::uint32_t channels;  ///< DeviceEnded: that it took.
    std::int64_t returnedNs; ///< When the call or the wait for it was over; 0: unknown.
    std::int32_t tag;        ///< Of point-to-point; 0 where nobody looks at it.
    std::uint16_t site;      ///< As the site area numbers it; 0: unknown.
    Backend backend;
    std::uint8_t isAwaited; ///< Done, Failed: a Returned record will come. 0 or 1.
    char name[24]; ///< Other: what it is called; Attached: torch's version. Full: not terminated.
};
static_assert(sizeof(Record) == 128 && alignof(Record) == 8);

/// Followed by the group area, the site area and the slots.
struct Header
{
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t headerBytes;
    std::uint32_t recordBytes;
    std::uint32_t slots; ///< A power of two.
    std::uint32_t groupBytes;
    std::uint32_t siteBytes;
    std::uint32_t unused;
    std::int32_t rank;
    std::int32_t attempt;
    char run[88];

    // The worker's.
    alignas(64) std::uint32_t writerPid;
    Recorder recorder;
    char recorderVersion[56];             ///< Of torch.
    alignas(64) std::uint64_t head;       ///< Tickets handed out.
    alignas(64) std::uint64_t groupsUsed; ///< Bytes of the group area that are complete.
    std::uint32_t groups;
    std::uint32_t groupsUnnamed; ///< For which the area had no room.
    std::uint64_t sitesUsed;     ///< Bytes of the site area that are complete.
    std::uint32_t sites;         ///< Described.
    std::uint32_t sitesUnnamed;

    // The agent's.
    alignas(64) std::uint64_t readPosition;
    std::uint32_t bellRung; ///< Set by the worker, cleared by the agent.
    std::uint32_t reserved;
};
constexpr std::size_t HeaderBytes = 4096;
static_assert(sizeof(Header) <= HeaderBytes);

/// In the group area: this, the name, then the members' global ranks as int32; padded to 8 bytes.
struct GroupEntry
{
    std::uint32_t bytes; ///< With all that follows.
    std::uint32_t group;
    std::uint32_t nameBytes;
    std::uint32_t members; ///< 0: unknown.
};
constexpr std::uint32_t LongestGroupName = 128;

/// In the site area, one a place in the user's program: this, the path of the file, the name of the
/// function; padded to 8 bytes.
struct SiteEntry
{
    std::uint32_t bytes; ///< With all that follows.
    std::uint32_t line;
    std::uint16_t site; ///< From 1.
    std::uint16_t fileBytes;
    std::uint16_t functionBytes;
    std::uint16_t reserved;
};
constexpr std::size_t LongestSiteFile = 512; ///< Of a longer path, its end.
constexpr std::size_t LongestSiteFunction = 128;
constexpr std::uint16_t MostSites = 4096;

constexpr std::size_t fileBytes(std::uint32_t slots, std::uint32_t groupBytes,
                                std::uint32_t siteBytes)
{
    return HeaderBytes + groupBytes + siteBytes + std::size_t(slots) * sizeof(Record);
}

constexpr std::uint64_t stateOf(std::uint64_t ticket)
{
    return 2 * ticket + 2;
}

} // namespace ringmaster::ledger
