#include "engine/base/FileLock.h"

#include "engine/base/Codes.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>

namespace ringmaster {

Result<FileDescriptor> waitForLock(const std::filesystem::path& path)
{
    const auto notLocked = [&path] {
        return fail(code::FileNotWritable, {{"path", path.string()}}, errnoText(errno));
    };
    FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return notLocked();
    while (::flock(file.get(), LOCK_EX) != 0) {
        // What two do at once there, one of them does in vain. Better than nobody doing anything.
        if (meansNoLocks(errno))
            return file;
        if (errno != EINTR)
            return notLocked();
    }
    return file;
}

bool meansNoLocks(int error)
{
    return error == ENOSYS || error == ENOLCK || error == EOPNOTSUPP;
}

} // namespace ringmaster
