#include "engine/collective/ring/Segment.h"

#include "engine/base/Codes.h"
#include "engine/collective/Codes.h"

#include <cerrno>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster::ring {

namespace {

constexpr size_t Page = 4096;

constexpr size_t roundedUp(size_t bytes)
{
    return (bytes + Page - 1) / Page * Page;
}

struct Layout
{
    explicit Layout(int rankCount) : ranks(static_cast<size_t>(rankCount)) {}

    size_t rankStart() const { return roundedUp(sizeof(SegmentHeader)); }
    size_t boardStart() const { return rankStart() + roundedUp(ranks * sizeof(RankMemory)); }
    size_t channelStart() const { return boardStart() + ranks * 2 * Segment::BoardBytes; }
    size_t collectiveBytes() const
    {
        return roundedUp(Channel::memoryNeeded(Segment::CollectiveShape));
    }
    size_t pairBytes() const
    {
        return collectiveBytes() + roundedUp(Channel::memoryNeeded(Segment::MessageShape));
    }
    size_t pair(int from, int to) const
    {
        return channelStart() +
               (static_cast<size_t>(from) * ranks + static_cast<size_t>(to)) * pairBytes();
    }
    size_t end() const { return channelStart() + ranks * ranks * pairBytes(); }

    size_t ranks;
};

tl::unexpected<Error> notMade(size_t bytes)
{
    return fail(code::SharedMemoryNotMade, {{"bytes", std::to_string(bytes)}}, errnoText(errno));
}

} // namespace

Segment::Segment(FileDescriptor memory, std::byte* start, int ranks)
    : m_memory(std::move(memory)), m_start(start), m_ranks(ranks)
{
}

Segment::Segment(Segment&& other) noexcept
    : m_memory(std::move(other.m_memory))
    , m_start(std::exchange(other.m_start, nullptr))
    , m_ranks(other.m_ranks)
{
}

Segment::~Segment()
{
    if (m_start != nullptr)
        ::munmap(m_start, bytesFor(m_ranks));
}

size_t Segment::bytesFor(int ranks)
{
    return Layout(ranks).end();
}

Result<std::byte*> Segment::map(int fd, size_t bytes)
{
    void* start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (start == MAP_FAILED)
        return notMade(bytes);
    return static_cast<std::byte*>(start);
}

Result<Segment> Segment::create(int ranks)
{
    const size_t bytes = bytesFor(ranks);
    FileDescriptor memory(::memfd_create("ringmaster-ring", MFD_CLOEXEC));
    if (!memory.isOpen() || ::ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0)
        return notMade(bytes);
    std::byte* start = RM_TRY(map(memory.get(), bytes));
    return Segment(std::move(memory), start, ranks);
}

Result<Segment> Segment::attach(FileDescriptor memory, int ranks)
{
    const size_t bytes = bytesFor(ranks);
    struct stat found
    {
    };
    if (::fstat(memory.get(), &found) != 0 || static_cast<size_t>(found.st_size) != bytes)
        return fail(code::MalformedMessage, {{"what", "shared memory segment"}});
    std::byte* start = RM_TRY(map(memory.get(), bytes));
    return Segment({}, start, ranks);
}

SegmentHeader& Segment::header() const
{
    return *reinterpret_cast<SegmentHeader*>(m_start);
}

RankMemory& Segment::rank(int local) const
{
    return reinterpret_cast<RankMemory*>(m_start + Layout(m_ranks).rankStart())[local];
}

void* Segment::collectiveChannel(int from, int to) const
{
    return m_start + Layout(m_ranks).pair(from, to);
}

void* Segment::messageChannel(int from, int to) const
{
    const Layout layout(m_ranks);
    return m_start + layout.pair(from, to) + layout.collectiveBytes();
}

Bytes Segment::board(int local, unsigned slot) const
{
    const size_t number = static_cast<size_t>(local) * 2 + slot;
    return {m_start + Layout(m_ranks).boardStart() + number * BoardBytes, BoardBytes};
}

void Segment::wakeAll() const
{
    header().board.ring();
    for (int from = 0; from < m_ranks; ++from) {
        rank(from).inbox.ring();
        for (int to = 0; to < m_ranks; ++to) {
            Channel(collectiveChannel(from, to), CollectiveShape).wakeBoth();
            Channel(messageChannel(from, to), MessageShape).wakeBoth();
        }
    }
}

} // namespace ringmaster::ring
