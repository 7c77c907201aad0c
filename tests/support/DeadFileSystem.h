#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"

#include <QTemporaryDir>

#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <unistd.h>

namespace ringmaster::test {

/// A FUSE file system that is mounted and never answers, as an NFS whose server is gone. Where it
/// can't be mounted (root only) it isn't usable.
class DeadFileSystem
{
public:
    /// In a folder of its own. Who opens something on it and is signalled waits in the kernel
    /// (state D), whatever signal comes, until die().
    DeadFileSystem() { begin(); }
    /// Over a folder that is in use: whatever is looked up there waits from now on; files that are
    /// open go on. Who waits can be killed, as with NFS.
    explicit DeadFileSystem(const QString& over) : m_over(over), m_takesRequests(false) { begin(); }

private:
    void begin()
    {
        m_device = FileDescriptor(open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK));
        m_stop = FileDescriptor(eventfd(0, EFD_CLOEXEC));
        const QByteArray options =
            "fd=" + QByteArray::number(m_device.get()) + ",rootmode=40000,user_id=0,group_id=0";
        m_isUsable = m_folder.isValid() && m_device.isOpen() && m_stop.isOpen() &&
                     mount("ringmaster-test", path().constData(), "fuse", MS_NOSUID | MS_NODEV,
                           options.constData()) == 0;
        if (m_isUsable)
            m_server = std::thread([this] { serve(); });
    }

public:
    ~DeadFileSystem() { die(); }
    DeadFileSystem(const DeadFileSystem&) = delete;
    DeadFileSystem& operator=(const DeadFileSystem&) = delete;

    bool isUsable() const { return m_isUsable; }
    /// A process waits for it in the kernel, or there for another that does.
    static bool holdsUp(pid_t pid)
    {
        const std::string place =
            readFile("/proc/" + std::to_string(pid) + "/wchan").value_or(std::string());
        return place == "request_wait_answer" || place == "d_alloc_parallel";
    }
    QByteArray path() const { return (m_over.isEmpty() ? m_folder.path() : m_over).toUtf8(); }

    /// All who wait are told that the connection is gone.
    void die()
    {
        if (!m_server.joinable())
            return;
        (void)eventfd_write(m_stop.get(), 1);
        m_server.join();
        m_device.close();
        (void)umount2(path().constData(), MNT_DETACH);
    }

private:
    /// Answers what the kernel asks first, and reads the rest, if it does: what was read isn't
    /// given up by the kernel before it is answered.
    void serve()
    {
        alignas(fuse_in_header) std::array<char, FUSE_MIN_READ_BUFFER + 4096> request{};
        for (;;) {
            std::array<pollfd, 2> watched{{{m_device.get(), POLLIN, 0}, {m_stop.get(), POLLIN, 0}}};
            (void)poll(watched.data(), watched.size(), -1);
            if (watched[1].revents != 0)
                return;
            if (read(m_device.get(), request.data(), request.size()) <
                static_cast<ssize_t>(sizeof(fuse_in_header)))
                continue;
            fuse_in_header header{};
            std::memcpy(&header, request.data(), sizeof header);
            if (header.opcode != FUSE_INIT)
                continue;
            welcome(header.unique);
            if (!m_takesRequests)
                return;
        }
    }

    void welcome(std::uint64_t request) const
    {
        struct
        {
            fuse_out_header header{};
            fuse_init_out init{};
        } answer;
        answer.header.len = sizeof answer;
        answer.header.unique = request;
        answer.init.major = FUSE_KERNEL_VERSION;
        answer.init.minor = FUSE_KERNEL_MINOR_VERSION;
        answer.init.max_write = 4096;
        (void)!write(m_device.get(), &answer, sizeof answer);
    }

    QTemporaryDir m_folder;
    const QString m_over;
    const bool m_takesRequests = true;
    FileDescriptor m_device;
    FileDescriptor m_stop;
    std::thread m_server;
    bool m_isUsable = false;
};

} // namespace ringmaster::test
