#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>

struct z_stream_s;

namespace ringmaster {

/// What is in a file that something else wrote, piece by piece; unpacked where the file is gzipped.
/// Bounded: what unpacks to much more than files of this kind do isn't read on. `std::istream`
/// reads from it; where that ended, `problem()` says whether the file did.
class UnpackedFile final : public std::streambuf
{
public:
    /// `most`: bytes that are read, unpacked.
    static Result<std::unique_ptr<UnpackedFile>> open(const std::filesystem::path& path,
                                                      std::uint64_t most);
    ~UnpackedFile() override;

    /// The error names no file.
    const std::optional<Error>& problem() const { return m_problem; }
    std::int64_t changedNs() const; ///< 0: unknown.

protected:
    int_type underflow() override;

private:
    UnpackedFile(FileDescriptor file, std::uint64_t most);

    void begin();
    std::size_t readOn();
    std::size_t unpackOn();
    bool readPacked();
    std::size_t damaged(const char* reason);
    bool isBomb() const;

    static constexpr std::size_t PieceBytes = 64U << 10U;

    const FileDescriptor m_file;
    const std::uint64_t m_most;
    std::uint64_t m_readBytes = 0;
    std::uint64_t m_unpackedBytes = 0;
    std::unique_ptr<z_stream_s> m_unpacking; ///< Of a gzipped file.
    bool m_isInMember = false;
    std::optional<Error> m_problem;
    std::string m_packed;
    std::string m_piece;
};

/// All of it. The error names the file.
Result<std::string> readUnpacked(const std::filesystem::path& path, std::uint64_t most);

} // namespace ringmaster
