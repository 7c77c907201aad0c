#include "engine/control/RunList.h"

#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/ProcessSignal.h"
#include "engine/control/OrphanSweep.h"

#include <algorithm>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// A state change replaces one file and is told as several events.
constexpr auto Together = 20ms;

} // namespace

RunList::RunList(EventLoop& loop, std::filesystem::path folder, std::function<void()> changed)
    : m_loop(loop), m_folder(std::move(folder)), m_catalog(m_folder), m_changed(std::move(changed))
{
}

void RunList::start()
{
    auto watch = FolderWatch::create(
        m_loop, [this](const auto& folder, const auto& name) { folderChanged(folder, name); });
    if (watch)
        m_watch = *std::move(watch);
    Result<void> watched = makeFolder(m_folder);
    if (watched && m_watch)
        watched = m_watch->add(m_folder);
    if (!watched)
        log::warning("control", "new runs aren't seen: " + describe(watched.error()));
    lookAtAll();
}

std::vector<RunSummary> RunList::runs() const
{
    const std::lock_guard lock(m_mutex);
    return m_published;
}

void RunList::folderChanged(const std::filesystem::path& folder, const std::string& name)
{
    if (folder.empty()) {
        lookAtAll();
        return;
    }
    if (folder == m_folder)
        lookSoon(name);
    else if (name == "summary.json" || name == "agent.json" || name == "pinned" ||
             name == "labels.json")
        lookSoon(folder.filename().string());
}

void RunList::lookSoon(const std::string& id)
{
    if (!RunFolder::isId(id))
        return;
    m_toLookAt.insert(id);
    if (!m_soon.isActive())
        m_soon = m_loop.callAfter(Together, [this] { lookAtChanged(); });
}

void RunList::lookAtAll()
{
    std::error_code error;
    std::set<std::string> ids;
    for (const auto& [id, run] : m_known)
        ids.insert(id);
    for (std::filesystem::directory_iterator entry(m_folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string id = entry->path().filename().string();
        if (RunFolder::isId(id))
            ids.insert(id);
    }
    m_toLookAt = std::move(ids);
    lookAtChanged();
}

void RunList::lookAtChanged()
{
    for (const std::string& id : std::exchange(m_toLookAt, {}))
        look(id);
    publish();
    // This thread answers a window: what doesn't end at once is logged, not waited for.
    (void)sweepOrphans(m_catalog, std::exchange(m_newlyLost, {}), 0ms);
}

void RunList::look(const std::string& id)
{
    const auto folder = m_catalog.find(id);
    if (!folder) {
        m_known.erase(id);
        m_agents.erase(id);
        return;
    }
    // Watched before it is read: a change in between is told.
    if (m_watch && !m_known.contains(id)) {
        if (const auto watched = m_watch->add(folder->path()); !watched)
            log::warning("control", "changes aren't seen: " + describe(watched.error()));
    }
    const RunSummary run = m_catalog.look(*folder);
    if (run.isLive && !m_agents.contains(id))
        watchAgent(*folder);
    if (!run.isLive)
        m_agents.erase(id);
    const auto before = m_known.find(id);
    const bool isNewlyLost = run.state == RunState::Lost &&
                             (before == m_known.end() || before->second.state != RunState::Lost);
    m_known[id] = run;
    if (isNewlyLost)
        m_newlyLost.push_back(run);
}

void RunList::watchAgent(const RunFolder& folder)
{
    const auto agent = folder.agent();
    if (!agent || lifeOf(*agent) != AgentLife::Alive)
        return;
    AgentWatch watch;
    watch.pidfd = pidfdOf(agent->process.pid);
    // Asked again now that the number can't be another's.
    if (!watch.pidfd.isOpen() || !isAlive(agent->process)) {
        lookSoon(folder.id());
        return;
    }
    watch.ended = m_loop.watchReadable(watch.pidfd.get(), [this, id = folder.id()] {
        m_agents.at(id).ended.cancel();
        lookSoon(id);
    });
    m_agents[folder.id()] = std::move(watch);
}

void RunList::publish()
{
    std::vector<RunSummary> runs;
    for (const auto& [id, run] : m_known)
        runs.push_back(run);
    std::ranges::sort(runs, [](const RunSummary& a, const RunSummary& b) {
        return std::pair(a.startedAt.wallNs, a.id) > std::pair(b.startedAt.wallNs, b.id);
    });
    {
        const std::lock_guard lock(m_mutex);
        if (runs == m_published)
            return;
        m_published = std::move(runs);
    }
    m_changed();
}

} // namespace ringmaster
