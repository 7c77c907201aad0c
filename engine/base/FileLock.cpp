#include "engine/base/FileLock.h"

#include "engine/base/Codes.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>

namespace ringmaster {

Result<FileDescriptor> waitForLock(const std::filesystem::path& path)
{
    FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    int done = -1;
    do {
        done = file.isOpen() ? ::flock(file.get(), LOCK_EX) : -1;
    } while (done != 0 && errno == EINTR);
    if (done != 0)
        return fail(code::FileNotWritable, {{"path", path.string()}}, errnoText(errno));
    return file;
}

} // namespace ringmaster
