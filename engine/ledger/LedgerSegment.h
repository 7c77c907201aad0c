#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"
#include "engine/ledger/Layout.h"
#include "engine/ledger/LedgerMemory.h"

#include <string>

#include <sys/types.h>

namespace ringmaster {

/// One worker's ledger, made and kept by its agent: sealed memory without a name, so nothing is
/// left when the agent is gone, however it goes, and nobody can cut it off under the reader. The
/// worker opens path(). A rank that no agent has started may have made one itself.
class LedgerSegment
{
public:
    struct Identity
    {
        std::string run{};
        int rank = 0;
        int attempt = 0;
    };

    using Size = ledger::MemorySize;

    static Result<LedgerSegment> create(const Identity& identity, Size size);
    static Result<LedgerSegment> create(const Identity& identity)
    {
        return create(identity, Size());
    }
    /// The one that a process of this user has made itself, by /proc/PID/fd/N: only to be read.
    /// Refused unless it is sealed memory of the usual size and layout.
    static Result<LedgerSegment> open(const std::string& path, uid_t user);

    LedgerSegment(LedgerSegment&& other) noexcept;
    LedgerSegment& operator=(LedgerSegment&&) = delete;
    ~LedgerSegment();

    /// For LedgerWriter::attach(), in this process and in those below it.
    std::string path() const;
    const Identity& identity() const { return m_identity; }
    const Size& size() const { return m_size; }
    /// False: it is mapped to be read, and no byte of it may be written.
    bool isOurs() const { return m_isOurs; }

private:
    friend class LedgerReader;
    LedgerSegment(FileDescriptor file, void* memory, Identity identity, Size size, bool isOurs);

    FileDescriptor m_file;
    void* m_memory;
    Identity m_identity;
    Size m_size;
    bool m_isOurs;
};

} // namespace ringmaster
