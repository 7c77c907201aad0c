#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/FolderWatch.h"
#include "engine/record/RunCatalog.h"

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace ringmaster {

/// The runs of one folder, kept up to date by what the kernel says: folders and their small files
/// come and go (inotify), agents end (pidfd). Lives on one loop; runs() is for any thread.
class RunList
{
public:
    RunList(EventLoop& loop, std::filesystem::path folder, std::function<void()> changed);

    /// Reads all there is and begins to watch.
    void start();

    /// Newest first.
    std::vector<RunSummary> runs() const;

private:
    /// Of a live run: its end is the agent's.
    struct AgentWatch
    {
        FileDescriptor pidfd{};
        EventLoop::Registration ended{};
    };

    void folderChanged(const std::filesystem::path& folder, const std::string& name);
    void lookSoon(const std::string& id);
    void lookAtAll();
    void lookAtChanged();
    void look(const std::string& id);
    void watchAgent(const RunFolder& folder);
    void publish();

    EventLoop& m_loop;
    std::filesystem::path m_folder;
    RunCatalog m_catalog;
    std::function<void()> m_changed;

    std::unique_ptr<FolderWatch> m_watch;
    std::map<std::string, RunSummary> m_known;
    std::map<std::string, AgentWatch> m_agents;
    std::set<std::string> m_toLookAt;
    std::vector<RunSummary> m_newlyLost; ///< To be swept, all in one walk.
    EventLoop::Registration m_soon;

    mutable std::mutex m_mutex;
    std::vector<RunSummary> m_published;
};

} // namespace ringmaster
