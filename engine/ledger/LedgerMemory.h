#pragma once

// See Layout.h: C++17 and libc only; an object of the hook compiles LedgerMemory.cpp itself.

#include <cstddef>
#include <cstdint>

namespace ringmaster::ledger {

/// How much a ledger holds.
struct MemorySize
{
    /// For 125 000 records a second of one worker, half of them fill in a tenth of a second.
    std::uint32_t slots = 1U << 15U;
    std::uint32_t groupBytes = 256U << 10U;
    std::uint32_t siteBytes = 128U << 10U;

    std::size_t bytes() const;
};

/// As /proc/PID/fd shows such memory.
constexpr const char* MemoryLink = "/memfd:ringmaster-ledger (deleted)";

/// Memory without a name that nobody can shorten or enlarge, with an empty ledger in it. Its
/// descriptor; -1: there is no room, as errno says.
int makeMemory(const MemorySize& size, const char* run, int rank, int attempt);

/// Nobody can shorten or enlarge what this descriptor is of.
bool isSealed(int descriptor);

} // namespace ringmaster::ledger
