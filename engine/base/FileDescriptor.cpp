#include "engine/base/FileDescriptor.h"

#include "engine/base/Codes.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept
{
    if (this != &other) {
        close();
        m_fd = std::exchange(other.m_fd, -1);
    }
    return *this;
}

void FileDescriptor::close()
{
    // Linux frees the descriptor even when close() reports EINTR, so it is never retried.
    if (m_fd >= 0)
        ::close(std::exchange(m_fd, -1));
}

Result<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return fail(code::SystemCallFailed, {{"call", "pipe2"}}, errnoText(errno));
    return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

Result<std::pair<FileDescriptor, FileDescriptor>> makeSocketPair(int type)
{
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(code::SystemCallFailed, {{"call", "socketpair"}}, errnoText(errno));
    return std::pair{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

namespace {

Result<void> changeFlag(int fd, int getCommand, int setCommand, int flag, bool on)
{
    const int flags = fcntl(fd, getCommand);
    if (flags < 0 || fcntl(fd, setCommand, on ? flags | flag : flags & ~flag) < 0)
        return fail(code::SystemCallFailed, {{"call", "fcntl"}}, errnoText(errno));
    return {};
}

} // namespace

Result<void> setNonBlocking(int fd, bool on)
{
    return changeFlag(fd, F_GETFL, F_SETFL, O_NONBLOCK, on);
}

Result<void> setCloseOnExec(int fd, bool on)
{
    return changeFlag(fd, F_GETFD, F_SETFD, FD_CLOEXEC, on);
}

Result<void> writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(code::SystemCallFailed, {{"call", "write"}}, errnoText(errno));
        bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
}

} // namespace ringmaster
