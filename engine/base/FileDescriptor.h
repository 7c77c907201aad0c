#pragma once

#include "engine/base/Result.h"

#include <string_view>
#include <utility>

namespace ringmaster {

/// Owns a file descriptor; closes it once. Movable, not copyable.
class FileDescriptor
{
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : m_fd(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() { close(); }

    void close();
    int release() { return std::exchange(m_fd, -1); }

    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }

private:
    int m_fd = -1;
};

struct Pipe
{
    FileDescriptor readEnd;
    FileDescriptor writeEnd;
};

/// All descriptors are made close-on-exec.
Result<Pipe> makePipe();

/// A connected pair of AF_UNIX sockets; `type` is SOCK_STREAM or SOCK_SEQPACKET.
Result<std::pair<FileDescriptor, FileDescriptor>> makeSocketPair(int type);

Result<void> setNonBlocking(int fd, bool on = true);
Result<void> setCloseOnExec(int fd, bool on = true);

/// Writes all of `bytes` to a blocking descriptor; retries on EINTR.
Result<void> writeAll(int fd, std::string_view bytes);

} // namespace ringmaster
