#include "engine/base/Files.h"

#include "engine/base/Codes.h"
#include "engine/base/FileDescriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t ZfsMagic = 0x2FC12FC1;
constexpr std::uint32_t BcachefsMagic = 0xCA451A4E;
constexpr std::uint32_t EcryptfsMagic = 0xF15F;
constexpr std::uint32_t JfsMagic = 0x3153464A;
constexpr std::uint32_t NilfsMagic = 0x3434;
constexpr std::uint32_t ReiserfsMagic = 0x52654973;

constexpr auto LocalFileSystems = std::to_array<std::uint32_t>(
    {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, ZfsMagic, TMPFS_MAGIC, RAMFS_MAGIC,
     BcachefsMagic, OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, EcryptfsMagic, JfsMagic, NilfsMagic,
     ReiserfsMagic});

Code codeForWriteError(int error)
{
    return error == ENOSPC || error == EDQUOT ? code::DiskFull : code::FileNotWritable;
}

Error openError(const fs::path& path, int error)
{
    return {{error == ENOENT ? code::FileNotFound : code::FileNotReadable,
             {{"path", path.string()}},
             error == ENOENT ? "" : errnoText(error)},
            {}};
}

Result<std::string> readAll(const FileDescriptor& file, const fs::path& path, size_t limit)
{
    std::string content;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t got = read(file.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(code::FileNotReadable, {{"path", path.string()}}, errnoText(errno));
        if (got == 0)
            return content;
        content.append(buffer.data(), static_cast<size_t>(got));
        if (content.size() > limit)
            return fail(code::FileTooLarge,
                        {{"path", path.string()}, {"limit", std::to_string(limit)}});
    }
}

} // namespace

Result<std::string> readFile(const fs::path& path, size_t limit)
{
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen())
        return tl::unexpected(openError(path, errno));
    return readAll(file, path, limit);
}

std::string startOfFile(const fs::path& path, size_t limit)
{
    std::error_code error;
    // A pipe or a device would block or never end.
    if (!fs::is_regular_file(path, error))
        return {};
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text(limit, '\0');
    const ssize_t count = file.isOpen() ? read(file.get(), text.data(), text.size()) : 0;
    text.resize(count > 0 ? static_cast<size_t>(count) : 0);
    return text;
}

bool isElf(std::string_view startOfFile)
{
    return startOfFile.starts_with("\x7f"
                                   "ELF");
}

Result<FileDescriptor> openUntrustedFile(const fs::path& path)
{
    FileDescriptor file(
        open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
    if (!file.isOpen() && errno != ELOOP && errno != ENXIO)
        return tl::unexpected(openError(path, errno));
    struct stat info
    {
    };
    if (!file.isOpen() || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return fail(code::FileNotRegular, {{"path", path.string()}});
    return file;
}

Result<std::string> readUntrustedFile(const fs::path& path, size_t limit)
{
    return readAll(RM_TRY(openUntrustedFile(path)), path, limit);
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view content, unsigned mode,
                                 Durability durability)
{
    const std::string temporary = path.string() + "." + randomToken(8) + ".tmp";
    FileDescriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file.isOpen())
        return fail(codeForWriteError(errno), {{"path", path.string()}}, errnoText(errno));
    const Result<void> written = writeAll(file.get(), content);
    const bool isSynced = durability == Durability::Relaxed || fsync(file.get()) == 0;
    if (!written || !isSynced || rename(temporary.c_str(), path.c_str()) != 0) {
        const int error = errno;
        unlink(temporary.c_str());
        return fail(codeForWriteError(error), {{"path", path.string()}}, errnoText(error));
    }
    return {};
}

Result<void> makeFolder(const fs::path& path)
{
    std::vector<fs::path> missing;
    std::error_code ignored;
    for (fs::path folder = path; !folder.empty() && !fs::exists(folder, ignored);
         folder = folder.parent_path()) {
        missing.push_back(folder);
        if (folder == folder.root_path())
            break;
    }
    for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
        if (mkdir(folder->c_str(), 0700) != 0 && errno != EEXIST)
            return fail(code::FolderNotWritable, {{"path", folder->string()}}, errnoText(errno));
    }
    if (!fs::is_directory(path, ignored))
        return fail(code::FolderNotWritable, {{"path", path.string()}}, errnoText(ENOTDIR));
    return {};
}

bool isLocalFileSystem(std::uint32_t magic)
{
    return std::ranges::find(LocalFileSystems, magic) != LocalFileSystems.end();
}

bool isOnNetworkFileSystem(const fs::path& path)
{
    struct statfs info
    {
    };
    return statfs(path.c_str(), &info) == 0 &&
           !isLocalFileSystem(static_cast<std::uint32_t>(info.f_type));
}

std::string randomToken(size_t length)
{
    constexpr std::string_view Alphabet = "abcdefghijklmnopqrstuvwxyz012345";
    std::string token(length, 'a');
    std::vector<unsigned char> bytes(length);
    for (size_t filled = 0; filled < length;) {
        const ssize_t got = getrandom(bytes.data() + filled, length - filled, 0);
        if (got > 0)
            filled += static_cast<size_t>(got);
    }
    for (size_t i = 0; i < length; ++i)
        token[i] = Alphabet[bytes[i] % Alphabet.size()];
    return token;
}

} // namespace ringmaster
