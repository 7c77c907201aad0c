#include "app/bridge/EngineBridge.h"

#include <algorithm>

namespace ringmaster::app {

EngineBridge::EngineBridge(Cluster& cluster, QObject* parent)
    : QObject(parent)
    , m_cluster(cluster)
    , m_runs(cluster.runs())
    , m_isRefreshPosted(std::make_shared<std::atomic<bool>>(false))
{
    m_subscription =
        m_cluster.onRunsChanged([this, posted = m_isRefreshPosted, slot = m_mailbox.slot()] {
            if (!posted->exchange(true))
                slot->post([this] { refreshRuns(); });
        });
}

void EngineBridge::refreshRuns()
{
    m_isRefreshPosted->store(false);
    updateRuns();
}

void EngineBridge::updateRuns()
{
    std::vector<RunSummary> runs = m_cluster.runs();
    // A run of that name that comes later is another one: its file is opened again.
    std::erase_if(m_hidden, [&](const auto& hidden) {
        return hidden.second == Hidden::Removed &&
               std::ranges::find(runs, hidden.first, &RunSummary::id) == runs.end();
    });
    std::erase_if(runs, [this](const RunSummary& run) { return m_hidden.contains(run.id); });
    if (runs == m_runs)
        return;
    m_runs = std::move(runs);
    Q_EMIT runsChanged();
}

const RunSummary* EngineBridge::find(const std::string& run) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(),
                                    [&](const RunSummary& summary) { return summary.id == run; });
    return found == m_runs.end() ? nullptr : &*found;
}

RunFeed* EngineBridge::follow(const std::string& run, std::uint64_t sequence, QObject* parent)
{
    return new RunFeed(m_cluster, m_mailbox, run, sequence, parent);
}

void EngineBridge::hideRuns(const std::vector<std::string>& runs)
{
    for (const std::string& run : runs)
        m_hidden.try_emplace(run, Hidden::AboutToGo);
    updateRuns();
}

void EngineBridge::showRuns(const std::vector<std::string>& runs)
{
    for (const std::string& run : runs)
        m_hidden.erase(run);
    updateRuns();
}

void EngineBridge::removeRun(const std::string& run, QObject* context, Reply<void> reply)
{
    ask(&Cluster::remove, run)
        .then(this, [this, run, context = QPointer<QObject>(context),
                     reply = std::move(reply)](const Result<void>& done) {
            if (done)
                m_hidden[run] = Hidden::Removed;
            else
                m_hidden.erase(run);
            updateRuns();
            if (context)
                reply(done);
        });
}

void EngineBridge::openFile(const std::string& file, QObject* context, Reply<std::string> reply)
{
    ask(&Cluster::openFile, file)
        .then(this, [this, context = QPointer<QObject>(context),
                     reply = std::move(reply)](const Result<std::string>& run) {
            if (run)
                showRuns({*run});
            if (context)
                reply(run);
        });
}

void EngineBridge::putHost(const Host& host, QObject* context, Reply<void> reply)
{
    ask(&HostRegistry::put, host).then(context, tellingOfHosts(std::move(reply)));
}

void EngineBridge::removeHost(const std::string& name, QObject* context, Reply<void> reply)
{
    ask(&HostRegistry::remove, name).then(context, tellingOfHosts(std::move(reply)));
}

EngineBridge::Reply<void> EngineBridge::tellingOfHosts(Reply<void> reply)
{
    return [this, reply = std::move(reply)](const Result<void>& result) {
        reply(result);
        if (result)
            Q_EMIT hostsChanged();
    };
}

} // namespace ringmaster::app
