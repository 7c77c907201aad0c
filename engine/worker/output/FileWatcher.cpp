#include "engine/worker/output/FileWatcher.h"

#include <array>
#include <cstring>
#include <set>
#include <vector>

#include <sys/inotify.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {
constexpr auto LookInterval = 100ms;
constexpr std::size_t EventSpace = 16U << 10U;
} // namespace

FileWatcher::FileWatcher(EventLoop& loop)
    : m_loop(loop), m_inotify(inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
{
    if (m_inotify.isOpen())
        m_readable = m_loop.watchReadable(m_inotify.get(), [this] { readEvents(); });
}

FileWatcher::Watch::Watch(FileWatcher& watcher, const std::filesystem::path& path,
                          std::function<void()> grown)
    : m_watcher(watcher), m_id(++watcher.m_lastId)
{
    // The same file watched twice has the same descriptor: both entries hear of it.
    const int descriptor = watcher.m_inotify.isOpen()
                               ? inotify_add_watch(watcher.m_inotify.get(), path.c_str(), IN_MODIFY)
                               : -1;
    watcher.m_entries[m_id] = {descriptor, std::move(grown)};
    if (descriptor < 0)
        watcher.lookSoon();
}

FileWatcher::Watch::~Watch()
{
    const int descriptor = m_watcher.m_entries[m_id].descriptor;
    m_watcher.m_entries.erase(m_id);
    for (const auto& [id, entry] : m_watcher.m_entries) {
        if (entry.descriptor == descriptor)
            return;
    }
    if (descriptor >= 0)
        inotify_rm_watch(m_watcher.m_inotify.get(), descriptor);
}

void FileWatcher::readEvents()
{
    alignas(inotify_event) std::array<char, EventSpace> space{};
    std::set<int> changed;
    bool overflowed = false;
    for (ssize_t got = 0; (got = read(m_inotify.get(), space.data(), space.size())) > 0;) {
        for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
            inotify_event event{};
            std::memcpy(&event, space.data() + at, sizeof event);
            changed.insert(event.wd);
            overflowed = overflowed || (event.mask & IN_Q_OVERFLOW) != 0;
            at += sizeof event + event.len;
        }
    }
    tell([&](const Entry& entry) { return overflowed || changed.count(entry.descriptor) != 0; });
}

void FileWatcher::tell(const std::function<bool(const Entry&)>& concerned)
{
    std::vector<int> ids;
    for (const auto& [id, entry] : m_entries) {
        if (concerned(entry))
            ids.push_back(id);
    }
    for (const int id : ids) {
        const auto found = m_entries.find(id);
        if (found != m_entries.end())
            std::function<void()>(found->second.grown)();
    }
}

void FileWatcher::lookSoon()
{
    if (m_timer.isActive())
        return;
    m_timer = m_loop.callAfter(LookInterval, [this] {
        tell([](const Entry& entry) { return entry.descriptor < 0; });
        for (const auto& [id, entry] : m_entries) {
            if (entry.descriptor < 0)
                return lookSoon();
        }
    });
}

} // namespace ringmaster
