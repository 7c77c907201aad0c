#include "engine/ledger/LedgerSegment.h"

#include "engine/ledger/Codes.h"

#include <cassert>
#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ringmaster {

namespace {

std::size_t bytesOf(const LedgerSegment::Size& size)
{
    return ledger::fileBytes(size.slots, size.groupBytes, size.siteBytes);
}

tl::unexpected<Error> noRoom(const LedgerSegment::Identity& identity, const char* call)
{
    const int error = errno;
    return fail(code::LedgerNotMade, {{"rank", std::to_string(identity.rank)}, {"path", call}},
                errnoText(error));
}

} // namespace

Result<LedgerSegment> LedgerSegment::create(const Identity& identity, Size size)
{
    assert((size.slots & (size.slots - 1)) == 0 && size.groupBytes % 64 == 0 &&
           size.siteBytes % 64 == 0);
    FileDescriptor file(::memfd_create("ringmaster-ledger", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file.isOpen())
        return noRoom(identity, "memfd_create");
    const std::size_t bytes = bytesOf(size);
    // All of it now: a page that can't be had later would kill the worker with SIGBUS.
    if (::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0)
        return noRoom(identity, "fallocate");
    if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return noRoom(identity, "fcntl");
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED)
        return noRoom(identity, "mmap");
    auto* header = new (memory) ledger::Header{};
    header->version = ledger::Version;
    header->headerBytes = ledger::HeaderBytes;
    header->recordBytes = sizeof(ledger::Record);
    header->slots = size.slots;
    header->groupBytes = size.groupBytes;
    header->siteBytes = size.siteBytes;
    header->rank = identity.rank;
    header->attempt = identity.attempt;
    identity.run.copy(header->run, sizeof header->run - 1);
    header->magic = ledger::Magic;
    return LedgerSegment(std::move(file), memory, identity, size);
}

LedgerSegment::LedgerSegment(FileDescriptor file, void* memory, Identity identity, Size size)
    : m_file(std::move(file)), m_memory(memory), m_identity(std::move(identity)), m_size(size)
{
}

LedgerSegment::LedgerSegment(LedgerSegment&& other) noexcept
    : m_file(std::move(other.m_file))
    , m_memory(std::exchange(other.m_memory, nullptr))
    , m_identity(std::move(other.m_identity))
    , m_size(other.m_size)
{
}

LedgerSegment::~LedgerSegment()
{
    if (m_memory != nullptr)
        ::munmap(m_memory, bytesOf(m_size));
}

std::string LedgerSegment::path() const
{
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_file.get());
}

} // namespace ringmaster
