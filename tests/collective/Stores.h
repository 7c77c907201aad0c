#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/collective/ring/KeyValue.h"
#include "engine/collective/ring/Sockets.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace ringmaster::ring::testing {

/// For ranks that are threads of one process.
class MemoryStore : public KeyValue
{
public:
    Result<void> set(const std::string& key, const std::string& value) override
    {
        const std::lock_guard lock(m_mutex);
        m_values[key] = value;
        m_changed.notify_all();
        return {};
    }

    Result<std::string> get(const std::string& key, Deadline deadline) override
    {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait_until(lock, deadline, [&] { return m_values.contains(key); }))
            return fail(code::TimedOut, {{"what", key}, {"seconds", "?"}});
        return m_values[key];
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::string, std::string> m_values;
};

/// For ranks that are processes: a folder with a file a key.
class FolderStore : public KeyValue
{
public:
    explicit FolderStore(std::filesystem::path folder) : m_folder(std::move(folder))
    {
        ::inotify_add_watch(m_changes.get(), m_folder.c_str(), IN_MOVED_TO);
    }

    Result<void> set(const std::string& key, const std::string& value) override
    {
        return writeFileAtomically(fileOf(key), value, 0600, Durability::Relaxed);
    }

    Result<std::string> get(const std::string& key, Deadline deadline) override
    {
        while (!std::filesystem::exists(fileOf(key))) {
            if (!awaitEvents(m_changes.get(), POLLIN, deadline))
                return fail(code::TimedOut, {{"what", key}, {"seconds", "?"}});
            std::array<char, 4096> names{};
            (void)!::read(m_changes.get(), names.data(), names.size());
        }
        return readFile(fileOf(key));
    }

private:
    std::filesystem::path fileOf(std::string key) const
    {
        std::ranges::replace(key, '/', '.');
        return m_folder / key;
    }

    std::filesystem::path m_folder;
    FileDescriptor m_changes{::inotify_init1(IN_CLOEXEC)};
};

} // namespace ringmaster::ring::testing
