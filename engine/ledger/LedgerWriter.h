#pragma once

// See Layout.h: C++17 and libc only; objects of the hook compile LedgerWriter.cpp themselves.

#include "engine/ledger/Layout.h"

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace ringmaster::ledger {

/// CLOCK_MONOTONIC, as all times of the ledger.
std::int64_t monotonicNs();

/// What an operation is, as its caller knows it.
struct Call
{
    OperationKind kind = OperationKind::Other;
    DataType type = DataType::None;
    Reduction reduction = Reduction::None;
    Algorithm algorithm = Algorithm::Unknown;
    Caller caller = Caller::Unknown;
    Backend backend = Backend::Unknown;
    std::uint16_t site = 0;
    std::uint32_t group = 0;
    std::int32_t peer = -1;
    std::int32_t tag = 0;
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;
    std::uint64_t elements = 0;
    std::string_view name{};
};

/// When the caller of an operation goes on.
struct CallerReturn
{
    std::int64_t ns = 0;   ///< 0: unknown.
    bool isToCome = false; ///< returned() will be called.
};

/// Writes the ledger of this process. Any thread; never waits and never fails: a record that has no
/// place is counted. Not usable in a forked child, which must not touch it.
class LedgerWriter
{
public:
    enum class Refusal { None, NotReadable, NotOne, OtherVersion, Taken };

    struct Attached
    {
        std::unique_ptr<LedgerWriter> writer{}; ///< Null: refused.
        Refusal refusal = Refusal::None;
        std::uint32_t found = 0; ///< OtherVersion: which; Taken: by which process; else errno.
    };

    /// Claims the file for this process. A dead process's, or that of this process before it
    /// replaced itself by exec, is gone on with. `version` is told to the reader.
    static Attached attach(const char* path, Recorder recorder, std::string_view version = {});
    /// Another writer of the ledger that this process has claimed; null: it has none there.
    static std::unique_ptr<LedgerWriter> join(const char* path);
    ~LedgerWriter();
    LedgerWriter(const LedgerWriter&) = delete;
    LedgerWriter& operator=(const LedgerWriter&) = delete;

    /// The number for Call::group. `bell`: rung when the ring is half full of unread records.
    std::uint32_t addGroup(std::string_view name, const std::vector<std::int32_t>& members);
    /// The number for Call::site; 0: there is no room for more.
    std::uint16_t addSite(std::string_view file, std::string_view function, std::uint32_t line);
    void setBell(int fd) { m_bell = fd; }

    /// An operation is called: its number, for end().
    std::uint64_t begin(const Call& call, std::int64_t enqueuedNs);
    /// It is over; an unknown `startedNs` is 0.
    void end(std::uint64_t operation, const Call& call, std::int64_t enqueuedNs,
             std::int64_t startedNs, std::int64_t endedNs, bool failed = false,
             CallerReturn caller = {});
    /// The caller of one that has ended goes on; 0: nobody will say when it does.
    void returned(std::uint64_t operation, const Call& call, std::int64_t returnedNs);
    /// The call that this thread is in has given something to a GPU: its number, for deviceEnd().
    std::uint64_t deviceBegin(const Call& call, std::int64_t enqueuedNs);
    /// It is over there; unknown moments are 0. Any thread.
    void deviceEnd(std::uint64_t launch, const Call& call, std::int64_t startedNs,
                   std::int64_t endedNs, std::uint32_t channels);

private:
    LedgerWriter(void* memory, std::size_t size, const Header& checked);

    static Refusal check(const Header& header, std::size_t size, std::uint32_t& found);
    bool claim(std::uint32_t& holder);
    void releaseAbandonedSlots();
    void announce(Recorder recorder, std::string_view version);
    std::uint64_t take();
    void put(std::uint64_t ticket, const Record& record);
    void ringBell(std::uint64_t ticket);
    /// Room in an area that `used` bytes of are taken; null: there is none.
    static char* placeIn(char* area, std::uint32_t areaBytes, std::uint64_t used,
                         std::size_t bytes);
    static Record recordOf(RecordKind record, std::uint64_t operation, const Call& call);

    Header* m_header;
    char* m_groups;
    char* m_sites;
    Record* m_slots;
    std::size_t m_size;
    std::uint32_t m_slotCount;
    std::uint32_t m_groupBytes;
    std::uint32_t m_siteBytes;
    int m_bell = -1;
    std::mutex m_areaMutex;
};

} // namespace ringmaster::ledger
