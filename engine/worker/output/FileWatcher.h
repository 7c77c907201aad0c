#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>

namespace ringmaster {

/// Says when files have grown, by inotify; where the system gives none (limits, file systems
/// without it) it asks for a look ten times a second. One for all files.
class FileWatcher
{
public:
    explicit FileWatcher(EventLoop& loop);

    /// Ends with the registration object.
    class Watch
    {
    public:
        Watch(FileWatcher& watcher, const std::filesystem::path& path, std::function<void()> grown);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        FileWatcher& m_watcher;
        int m_id;
    };

private:
    friend class Watch;
    struct Entry
    {
        int descriptor = -1; ///< inotify's watch; -1: by looking.
        std::function<void()> grown;
    };

    void readEvents();
    void tell(const std::function<bool(const Entry&)>& concerned);
    void lookSoon();

    EventLoop& m_loop;
    FileDescriptor m_inotify;
    std::map<int, Entry> m_entries;
    int m_lastId = 0;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
