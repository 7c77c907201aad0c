#include "engine/record/RunLock.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/record/Codes.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ringmaster {

Result<RunLock> RunLock::acquire(const std::filesystem::path& runFolder)
{
    const auto path = runFolder / "lock";
    FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return fail(code::FolderNotWritable, {{"path", runFolder.string()}}, errnoText(errno));
    if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK)
            return fail(code::SystemCallFailed, {{"call", "flock"}}, errnoText(errno));
        const std::string pid = readFile(path, 64).value_or("");
        return fail(code::RunFileLocked,
                    {{"path", runFolder.string()}, {"pid", pid.empty() ? "unknown" : pid}});
    }
    // Only for the message above, so a full disk doesn't matter.
    if (ftruncate(file.get(), 0) == 0)
        (void)writeAll(file.get(), std::to_string(getpid()));
    return RunLock(std::move(file));
}

} // namespace ringmaster
