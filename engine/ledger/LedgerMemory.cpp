#include "engine/ledger/LedgerMemory.h"

#include "engine/ledger/Layout.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ringmaster::ledger {

namespace {

constexpr int Seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

bool fill(int file, const MemorySize& size, const char* run, int rank, int attempt)
{
    // All of it now: a page that can't be had later would kill the worker with SIGBUS.
    if (::fallocate(file, 0, 0, static_cast<off_t>(size.bytes())) != 0)
        return false;
    Header header{};
    header.magic = Magic;
    header.version = Version;
    header.headerBytes = HeaderBytes;
    header.recordBytes = sizeof(Record);
    header.slots = size.slots;
    header.groupBytes = size.groupBytes;
    header.siteBytes = size.siteBytes;
    header.rank = rank;
    header.attempt = attempt;
    std::strncpy(header.run, run, sizeof header.run - 1);
    return ::pwrite(file, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header) &&
           ::fcntl(file, F_ADD_SEALS, Seals) == 0;
}

} // namespace

std::size_t MemorySize::bytes() const
{
    return fileBytes(slots, groupBytes, siteBytes);
}

int makeMemory(const MemorySize& size, const char* run, int rank, int attempt)
{
    const int file = ::memfd_create("ringmaster-ledger", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || fill(file, size, run, rank, attempt))
        return file;
    const int error = errno;
    ::close(file);
    errno = error;
    return -1;
}

bool isSealed(int descriptor)
{
    const int seals = ::fcntl(descriptor, F_GET_SEALS);
    return seals >= 0 && (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) == (F_SEAL_SHRINK | F_SEAL_GROW);
}

} // namespace ringmaster::ledger
