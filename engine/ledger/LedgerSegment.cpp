#include "engine/ledger/LedgerSegment.h"

#include "engine/ledger/Codes.h"

#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace ringmaster {

namespace {

tl::unexpected<Error> noRoom(const LedgerSegment::Identity& identity, const char* call)
{
    const int error = errno;
    return fail(code::LedgerNotMade, {{"rank", std::to_string(identity.rank)}, {"path", call}},
                errnoText(error));
}

tl::unexpected<Error> noLedger(const std::string& path)
{
    return fail(code::LedgerNotOne, {{"path", path}});
}

/// Sealed memory of that size, and that user's: nothing that looking at could block, wake or cut
/// short. The first descriptor opens nothing yet, so that no device is.
FileDescriptor openMemory(const std::string& path, uid_t user, std::size_t bytes)
{
    const FileDescriptor found(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat info = {};
    struct statfs system = {};
    const bool isMemory = found.isOpen() && ::fstat(found.get(), &info) == 0 &&
                          ::fstatfs(found.get(), &system) == 0 && S_ISREG(info.st_mode) &&
                          system.f_type == TMPFS_MAGIC && info.st_uid == user &&
                          info.st_size == static_cast<off_t>(bytes);
    if (!isMemory)
        return {};
    FileDescriptor file(::open(("/proc/self/fd/" + std::to_string(found.get())).c_str(),
                               O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    return file.isOpen() && ledger::isSealed(file.get()) ? std::move(file) : FileDescriptor();
}

} // namespace

Result<LedgerSegment> LedgerSegment::create(const Identity& identity, Size size)
{
    assert((size.slots & (size.slots - 1)) == 0 && size.groupBytes % 64 == 0 &&
           size.siteBytes % 64 == 0);
    FileDescriptor file(
        ledger::makeMemory(size, identity.run.c_str(), identity.rank, identity.attempt));
    if (!file.isOpen())
        return noRoom(identity, "memfd");
    void* memory = ::mmap(nullptr, size.bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED)
        return noRoom(identity, "mmap");
    return LedgerSegment(std::move(file), memory, identity, size, true);
}

Result<LedgerSegment> LedgerSegment::open(const std::string& path, uid_t user)
{
    const Size size;
    FileDescriptor file = openMemory(path, user, size.bytes());
    if (!file.isOpen())
        return noLedger(path);
    void* memory = ::mmap(nullptr, size.bytes(), PROT_READ, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED)
        return noLedger(path);
    ledger::Header header{};
    std::memcpy(&header, memory, offsetof(ledger::Header, writerPid));
    LedgerSegment segment(std::move(file), memory, {.rank = header.rank, .attempt = header.attempt},
                          size, false);
    if (header.magic != ledger::Magic)
        return noLedger(path);
    if (header.version != ledger::Version)
        return fail(code::LedgerOtherVersion, {{"path", path},
                                               {"version", std::to_string(header.version)},
                                               {"known", std::to_string(ledger::Version)}});
    const bool isUsual = header.headerBytes == ledger::HeaderBytes &&
                         header.recordBytes == sizeof(ledger::Record) &&
                         header.slots == size.slots && header.groupBytes == size.groupBytes &&
                         header.siteBytes == size.siteBytes;
    if (!isUsual)
        return noLedger(path);
    return segment;
}

LedgerSegment::LedgerSegment(FileDescriptor file, void* memory, Identity identity, Size size,
                             bool isOurs)
    : m_file(std::move(file))
    , m_memory(memory)
    , m_identity(std::move(identity))
    , m_size(size)
    , m_isOurs(isOurs)
{
}

LedgerSegment::LedgerSegment(LedgerSegment&& other) noexcept
    : m_file(std::move(other.m_file))
    , m_memory(std::exchange(other.m_memory, nullptr))
    , m_identity(std::move(other.m_identity))
    , m_size(other.m_size)
    , m_isOurs(other.m_isOurs)
{
}

LedgerSegment::~LedgerSegment()
{
    if (m_memory != nullptr)
        ::munmap(m_memory, m_size.bytes());
}

std::string LedgerSegment::path() const
{
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_file.get());
}

} // namespace ringmaster
