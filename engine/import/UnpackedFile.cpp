#include "engine/import/UnpackedFile.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/import/Codes.h"
#include "engine/import/ImportFile.h"

#include <algorithm>

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace ringmaster {

namespace {

/// Traces pack to a tenth or a thirtieth; deflate can't do better than a thousandth.
constexpr std::uint64_t MostUnpackedOfByte = 300;
constexpr std::uint64_t SmallUnpacked = 16U << 20U; ///< Where that doesn't matter.

constexpr int GzipWindow = 15 + 16; // zlib's way to say "gzip, the largest window"

} // namespace

Result<std::unique_ptr<UnpackedFile>> UnpackedFile::open(const std::filesystem::path& path,
                                                         std::uint64_t most)
{
    FileDescriptor file = RM_TRY(openUntrustedFile(path));
    std::unique_ptr<UnpackedFile> opened(new UnpackedFile(std::move(file), most));
    opened->begin();
    return opened;
}

UnpackedFile::UnpackedFile(FileDescriptor file, std::uint64_t most)
    : m_file(std::move(file)), m_most(most), m_packed(PieceBytes, '\0'), m_piece(PieceBytes, '\0')
{
}

UnpackedFile::~UnpackedFile()
{
    if (m_unpacking)
        inflateEnd(m_unpacking.get());
}

void UnpackedFile::begin()
{
    constexpr std::string_view Gzip = "\x1f\x8b";
    std::string first(Gzip.size(), '\0');
    if (pread(m_file.get(), first.data(), first.size(), 0) != ssize_t(first.size()) ||
        first != Gzip)
        return;
    m_unpacking = std::make_unique<z_stream_s>();
    m_isInMember = true;
    if (inflateInit2(m_unpacking.get(), GzipWindow) != Z_OK) {
        m_unpacking.reset();
        (void)damaged("zlib has no memory");
    }
}

std::int64_t UnpackedFile::changedNs() const
{
    struct stat facts
    {
    };
    return fstat(m_file.get(), &facts) == 0
               ? facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec
               : 0;
}

std::size_t UnpackedFile::damaged(const char* reason)
{
    m_problem = fail(code::ImportDamaged, {{"reason", reason}}).value();
    return 0;
}

UnpackedFile::int_type UnpackedFile::underflow()
{
    if (gptr() < egptr())
        return traits_type::to_int_type(*gptr());
    const std::size_t got = m_problem ? 0 : m_unpacking ? unpackOn() : readOn();
    m_unpackedBytes += got;
    if (got == 0)
        return traits_type::eof();
    if (m_unpackedBytes > m_most || isBomb()) {
        m_problem =
            fail(code::ImportTooLarge, {{"megabytes", std::to_string(m_unpackedBytes >> 20U)}})
                .value();
        return traits_type::eof();
    }
    setg(m_piece.data(), m_piece.data(), m_piece.data() + got);
    return traits_type::to_int_type(*gptr());
}

bool UnpackedFile::isBomb() const
{
    return m_unpacking && m_unpackedBytes > SmallUnpacked &&
           m_unpackedBytes / MostUnpackedOfByte > m_readBytes;
}

std::size_t UnpackedFile::readOn()
{
    const ssize_t got = read(m_file.get(), m_piece.data(), m_piece.size());
    return got < 0 ? damaged("it can't be read to its end") : static_cast<std::size_t>(got);
}

bool UnpackedFile::readPacked()
{
    const ssize_t got = read(m_file.get(), m_packed.data(), m_packed.size());
    m_readBytes += static_cast<std::uint64_t>(std::max<ssize_t>(got, 0));
    m_unpacking->next_in = reinterpret_cast<Bytef*>(m_packed.data());
    m_unpacking->avail_in = static_cast<uInt>(std::max<ssize_t>(got, 0));
    return got > 0;
}

/// A file may have several members, one behind the other, as `cat` makes it.
std::size_t UnpackedFile::unpackOn()
{
    z_stream_s& stream = *m_unpacking;
    stream.next_out = reinterpret_cast<Bytef*>(m_piece.data());
    stream.avail_out = static_cast<uInt>(m_piece.size());
    while (stream.avail_out == m_piece.size()) {
        if (stream.avail_in == 0 && !readPacked())
            return m_isInMember ? damaged("its packed content ends too early") : 0;
        if (!m_isInMember && inflateReset(&stream) != Z_OK)
            return damaged("zlib has no memory");
        m_isInMember = true;
        const int state = inflate(&stream, Z_NO_FLUSH);
        if (state == Z_STREAM_END)
            m_isInMember = false;
        else if (state != Z_OK && state != Z_BUF_ERROR)
            return damaged("its packed content isn't gzip's");
    }
    return m_piece.size() - stream.avail_out;
}

Result<std::string> readUnpacked(const std::filesystem::path& path, std::uint64_t most)
{
    const auto file = RM_TRY(UnpackedFile::open(path, most));
    std::string content;
    while (file->sgetc() != std::char_traits<char>::eof()) {
        const auto ready = static_cast<std::size_t>(file->in_avail());
        const std::size_t had = content.size();
        content.resize(had + ready);
        file->sgetn(content.data() + had, static_cast<std::streamsize>(ready));
    }
    if (file->problem())
        return tl::unexpected(ofFile(*file->problem(), path));
    return content;
}

} // namespace ringmaster
