#include "engine/control/FolderWatch.h"

#include "engine/base/Codes.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/inotify.h>
#include <unistd.h>

namespace ringmaster {

Result<std::unique_ptr<FolderWatch>> FolderWatch::create(EventLoop& loop, Changed changed)
{
    FileDescriptor inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (!inotify.isOpen())
        return fail(code::SystemCallFailed, {{"call", "inotify_init1"}}, errnoText(errno));
    return std::unique_ptr<FolderWatch>(
        new FolderWatch(std::move(inotify), loop, std::move(changed)));
}

FolderWatch::FolderWatch(FileDescriptor inotify, EventLoop& loop, Changed changed)
    : m_inotify(std::move(inotify))
    , m_changed(std::move(changed))
    , m_readable(loop.watchReadable(m_inotify.get(), [this] { read(); }))
{
}

Result<void> FolderWatch::add(const std::filesystem::path& folder)
{
    const int watch =
        ::inotify_add_watch(m_inotify.get(), folder.c_str(),
                            IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR);
    if (watch < 0)
        return fail(code::SystemCallFailed, {{"call", "inotify_add_watch"}}, errnoText(errno));
    m_folders[watch] = folder;
    return {};
}

void FolderWatch::read()
{
    alignas(inotify_event) std::array<char, 16U << 10U> buffer{};
    const ssize_t count = ::read(m_inotify.get(), buffer.data(), buffer.size());
    for (ssize_t at = 0; at < count;) {
        inotify_event event{};
        std::memcpy(&event, buffer.data() + at, sizeof event);
        const char* name = buffer.data() + at + sizeof event;
        at += static_cast<ssize_t>(sizeof event + event.len);
        if ((event.mask & IN_IGNORED) != 0)
            m_folders.erase(event.wd);
        else if ((event.mask & IN_Q_OVERFLOW) != 0)
            m_changed({}, {});
        else if (const auto folder = m_folders.find(event.wd); folder != m_folders.end())
            m_changed(std::filesystem::path(folder->second), event.len > 0 ? name : "");
    }
}

} // namespace ringmaster
