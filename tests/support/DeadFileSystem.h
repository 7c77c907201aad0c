#pragma once

#include "engine/base/FileDescriptor.h"

#include <QTemporaryDir>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <unistd.h>

namespace ringmaster::test {

/// A FUSE file system that is mounted and never answers, as an NFS whose server is gone. Who opens
/// something on it and is signalled waits in the kernel (state D), whatever signal comes, until
/// die(). Where it can't be mounted (root only) it isn't usable.
class DeadFileSystem
{
public:
    DeadFileSystem()
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
    ~DeadFileSystem() { die(); }
    DeadFileSystem(const DeadFileSystem&) = delete;
    DeadFileSystem& operator=(const DeadFileSystem&) = delete;

    bool isUsable() const { return m_isUsable; }
    QByteArray path() const { return m_folder.path().toUtf8(); }

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
    /// Answers what the kernel asks first, and reads the rest: what was read isn't given up.
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
            if (header.opcode == FUSE_INIT)
                welcome(header.unique);
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
    FileDescriptor m_device;
    FileDescriptor m_stop;
    std::thread m_server;
    bool m_isUsable = false;
};

} // namespace ringmaster::test
