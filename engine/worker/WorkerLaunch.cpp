#include "engine/worker/WorkerLaunch.h"

#include "engine/base/Codes.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>

namespace ringmaster {

namespace {

Result<FileDescriptor> duplicateOf(int descriptor)
{
    FileDescriptor copy(descriptor < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC)
                                       : fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    // Whoever was started with a closed standard input gets an empty one.
    if (!copy.isOpen() && errno == EBADF)
        copy = FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!copy.isOpen())
        return fail(code::SystemCallFailed, {{"call", "dup"}}, errnoText(errno));
    return copy;
}

Result<void> openIfMissing(FileDescriptor& descriptor)
{
    if (!descriptor.isOpen())
        descriptor = FileDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (!descriptor.isOpen())
        return fail(code::FileNotWritable, {{"path", "/dev/null"}}, errnoText(errno));
    return {};
}

} // namespace

Result<std::vector<FileDescriptor>> takeStreams(WorkerLaunch& worker)
{
    RM_TRY(openIfMissing(worker.standardOutput));
    RM_TRY(openIfMissing(worker.standardError));
    std::vector<FileDescriptor> streams;
    streams.push_back(RM_TRY(duplicateOf(worker.standardInput)));
    streams.push_back(std::move(worker.standardOutput));
    streams.push_back(std::move(worker.standardError));
    return streams;
}

bool isHangupIgnored()
{
    struct sigaction now
    {
    };
    return sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace ringmaster
