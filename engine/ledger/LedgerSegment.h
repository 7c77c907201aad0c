#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"
#include "engine/ledger/Layout.h"

#include <string>

namespace ringmaster {

/// One worker's ledger, made and kept by its agent: sealed memory without a name, so nothing is
/// left when the agent is gone, however it goes, and nobody can cut it off under the reader. The
/// worker opens path().
class LedgerSegment
{
public:
    struct Identity
    {
        std::string run{};
        int rank = 0;
        int attempt = 0;
    };

    struct Size
    {
        /// For 125 000 records a second of one worker, half of them fill in a tenth of a second.
        std::uint32_t slots = 1U << 15U;
        std::uint32_t groupBytes = 256U << 10U;
        std::uint32_t siteBytes = 128U << 10U;
    };

    static Result<LedgerSegment> create(const Identity& identity, Size size);
    static Result<LedgerSegment> create(const Identity& identity)
    {
        return create(identity, Size());
    }

    LedgerSegment(LedgerSegment&& other) noexcept;
    LedgerSegment& operator=(LedgerSegment&&) = delete;
    ~LedgerSegment();

    /// For LedgerWriter::attach(), in this process and in those below it.
    std::string path() const;
    const Identity& identity() const { return m_identity; }
    const Size& size() const { return m_size; }

private:
    friend class LedgerReader;
    LedgerSegment(FileDescriptor file, void* memory, Identity identity, Size size);

    FileDescriptor m_file;
    void* m_memory;
    Identity m_identity;
    Size m_size;
};

} // namespace ringmaster
