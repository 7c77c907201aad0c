#include "engine/record/RunLock.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/record/Codes.h"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace ringmaster {

namespace {

/// The kernel tells nobody of a lock that is free again, unless one waits without end.
constexpr std::chrono::milliseconds LookAgain{20};

/// 0, or the errno of what went wrong.
int lockWithin(int file, std::chrono::milliseconds patience, const std::stop_token& stop)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        if (error != EWOULDBLOCK || stop.stop_requested() ||
            std::chrono::steady_clock::now() >= deadline)
            return error;
        std::this_thread::sleep_for(LookAgain);
    }
    return 0;
}

} // namespace

Result<RunLock> RunLock::acquire(const std::filesystem::path& runFolder,
                                 std::chrono::milliseconds patience, const std::stop_token& stop)
{
    const auto path = runFolder / "lock";
    FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return fail(code::FolderNotWritable, {{"path", runFolder.string()}}, errnoText(errno));
    if (const int error = lockWithin(file.get(), patience, stop); error != 0) {
        if (error != EWOULDBLOCK)
            return fail(code::SystemCallFailed, {{"call", "flock"}}, errnoText(error));
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
