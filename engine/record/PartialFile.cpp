#include "engine/record/PartialFile.h"

#include "engine/base/Codes.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"

#include <cerrno>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr off_t PartBytes = 8 << 20;

/// Nobody can end the fsync() of a large file on a slow disk: most of it is written before, part by
/// part. 0, ECANCELED, or the errno of what went wrong.
int writeBack(int file, const std::function<bool()>& isCancelled)
{
    struct stat info
    {
    };
    if (::fstat(file, &info) != 0)
        return errno;
    constexpr unsigned Written =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    for (off_t at = 0; at < info.st_size; at += PartBytes) {
        if (isCancelled())
            return ECANCELED;
        if (::sync_file_range(file, at, PartBytes, Written) == 0)
            continue;
        const int error = errno;
        // Where the file system doesn't do parts, fsync() does the whole.
        if (error == ENOSYS || error == EINVAL || error == ESPIPE)
            break;
        return error;
    }
    return isCancelled() ? ECANCELED : 0;
}

} // namespace

PartialFile::PartialFile(const std::filesystem::path& target)
    : m_target(target), m_path(target.string() + "." + randomToken(8) + ".partial")
{
}

PartialFile::~PartialFile()
{
    ::unlink(m_path.c_str());
}

Result<void> PartialFile::create() const
{
    const FileDescriptor file(::open(m_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return fail(errno == ENOSPC ? code::DiskFull : code::FileNotWritable,
                    {{"path", m_target.string()}}, errnoText(errno));
    return {};
}

Result<void> PartialFile::publish(const std::function<bool()>& isCancelled) const
{
    const auto failed = [this](int error) {
        return fail(code::FileNotWritable, {{"path", m_target.string()}}, errnoText(error));
    };
    const FileDescriptor file(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen())
        return failed(errno);
    const int error = isCancelled ? writeBack(file.get(), isCancelled) : 0;
    if (error == ECANCELED)
        return fail(code::Cancelled, {{"what", "Writing " + m_target.string()}});
    if (error != 0)
        return failed(error);
    if (::fsync(file.get()) != 0 || ::rename(m_path.c_str(), m_target.c_str()) != 0)
        return failed(errno);
    return {};
}

Result<void> writeWhole(const std::filesystem::path& target,
                        const std::function<Result<void>(std::ostream&)>& write)
{
    const PartialFile partial(target);
    RM_TRY(partial.create());
    std::ofstream out(partial.path(), std::ios::binary);
    RM_TRY(write(out));
    out.close();
    if (!out)
        return fail(code::FileNotWritable, {{"path", target.string()}});
    return partial.publish();
}

} // namespace ringmaster
