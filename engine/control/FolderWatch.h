#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace ringmaster {

/// Says which names appear, change by being replaced, or go in some folders (inotify). Lives on the
/// given loop.
class FolderWatch
{
public:
    /// `name` is empty when changes were missed: look at everything.
    using Changed =
        std::function<void(const std::filesystem::path& folder, const std::string& name)>;

    static Result<std::unique_ptr<FolderWatch>> create(EventLoop& loop, Changed changed);

    /// Again for the same folder changes nothing; a folder that goes is forgotten.
    Result<void> add(const std::filesystem::path& folder);

private:
    FolderWatch(FileDescriptor inotify, EventLoop& loop, Changed changed);
    void read();

    FileDescriptor m_inotify;
    Changed m_changed;
    std::map<int, std::filesystem::path> m_folders;
    EventLoop::Registration m_readable;
};

} // namespace ringmaster
