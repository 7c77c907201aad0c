#include "engine/import/LogCopy.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"

#include <array>
#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t PieceBytes = 64U << 10U;

Result<void> writeWhole(const FileDescriptor& file, const fs::path& path, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(errno == ENOSPC ? code::DiskFull : code::FileNotWritable,
                        {{"path", path.string()}}, errnoText(errno));
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
}

} // namespace

Result<LogCopy> copyLog(const fs::path& from, const fs::path& to, std::uint64_t most)
{
    const FileDescriptor source = RM_TRY(openUntrustedFile(from));
    struct stat facts
    {
    };
    if (fstat(source.get(), &facts) != 0)
        return fail(code::FileNotReadable, {{"path", from.string()}}, errnoText(errno));
    const FileDescriptor target(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!target.isOpen())
        return fail(code::FileNotWritable, {{"path", to.string()}}, errnoText(errno));
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    LogCopy copy{.isEndOnly = size > most};
    auto at = static_cast<off_t>(copy.isEndOnly ? size - most : 0);
    bool isInLine = copy.isEndOnly; // in the middle of one, which is left out
    std::uint64_t copied = 0;
    std::array<char, PieceBytes> buffer{};
    while (copied < most) {
        const ssize_t got = pread(source.get(), buffer.data(), buffer.size(), at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(code::FileNotReadable, {{"path", from.string()}}, errnoText(errno));
        if (got == 0)
            break;
        at += got;
        std::string_view bytes(buffer.data(), static_cast<size_t>(got));
        if (isInLine) {
            const size_t end = bytes.find('\n');
            bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
            isInLine = end == std::string_view::npos;
        }
        RM_TRY(writeWhole(target, to, bytes));
        copied += bytes.size();
        const size_t line = bytes.rfind('\n');
        if (line != std::string_view::npos)
            copy.ends.push_back(copied - (bytes.size() - line - 1));
    }
    if (copied != (copy.ends.empty() ? 0 : copy.ends.back()))
        copy.ends.push_back(copied);
    return copy;
}

} // namespace ringmaster
