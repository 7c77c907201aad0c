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
    std::vector<RunSummary> runs = m_cluster.runs();
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

template <class T>
Cluster::Answer<T> EngineBridge::onThisThread(QObject* context, Reply<T> reply) const
{
    return [slot = m_mailbox.slot(), context = QPointer<QObject>(context),
            reply = std::move(reply)](Result<T> result) {
        slot->post([context, reply, result = std::move(result)] {
            if (context)
                reply(result);
        });
    };
}

void EngineBridge::launch(const JobSpec& spec, const Cluster::LaunchOptions& options,
                          QObject* context, Reply<std::string> reply)
{
    m_cluster.launch(spec, options, onThisThread(context, std::move(reply)));
}

void EngineBridge::readLog(const std::string& run, const LogQuery& query, QObject* context,
                           Reply<LogPage> reply)
{
    m_cluster.readLog(run, query, onThisThread(context, std::move(reply)));
}

void EngineBridge::searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                             QObject* context, Reply<LogSearchPage> reply)
{
    m_cluster.searchLog(run, std::move(search), onThisThread(context, std::move(reply)));
}

void EngineBridge::readLogLines(const std::string& run, std::vector<LogPlace> places,
                                QObject* context, Reply<std::vector<LogLine>> reply)
{
    m_cluster.readLogLines(run, std::move(places), onThisThread(context, std::move(reply)));
}

void EngineBridge::lookAtRanks(const std::string& run, QObject* context, Reply<RankPlaces> reply)
{
    m_cluster.lookAtRanks(run, onThisThread(context, std::move(reply)));
}

void EngineBridge::readOperations(const std::string& run,
                                  std::optional<OperationSummary::TimeRange> range,
                                  QObject* context, Reply<OperationSummary> reply)
{
    m_cluster.readOperations(run, range, onThisThread(context, std::move(reply)));
}

void EngineBridge::readNumbers(const std::string& run, const std::vector<std::string>& names,
                               QObject* context, Reply<NumberSummary> reply)
{
    m_cluster.readNumbers(run, names, onThisThread(context, std::move(reply)));
}

void EngineBridge::readLastNumbers(const std::string& run, QObject* context,
                                   Reply<NumberSummary> reply)
{
    m_cluster.readLastNumbers(run, onThisThread(context, std::move(reply)));
}

void EngineBridge::readFigures(const std::string& run, QObject* context, Reply<RunFigures> reply)
{
    m_cluster.readFigures(run, onThisThread(context, std::move(reply)));
}

void EngineBridge::readComparedRun(const std::string& run, const std::vector<std::string>& names,
                                   QObject* context, Reply<ComparedRun> reply)
{
    m_cluster.readComparedRun(run, names, onThisThread(context, std::move(reply)));
}

void EngineBridge::takeStacks(const std::string& run, QObject* context, Reply<KeptEvidence> reply)
{
    m_cluster.takeStacks(run, onThisThread(context, std::move(reply)));
}

void EngineBridge::send(const std::string& run, const Command& command, QObject* context,
                        Reply<void> reply)
{
    m_cluster.send(run, command, onThisThread(context, std::move(reply)));
}

void EngineBridge::openFile(const std::filesystem::path& file, QObject* context,
                            Reply<std::string> reply)
{
    m_cluster.openFile(file, onThisThread(context, std::move(reply)));
}

void EngineBridge::remove(const std::string& run, QObject* context, Reply<void> reply)
{
    m_cluster.remove(run, onThisThread(context, std::move(reply)));
}

void EngineBridge::setPinned(const std::string& run, bool pinned, QObject* context,
                             Reply<void> reply)
{
    m_cluster.setPinned(run, pinned, onThisThread(context, std::move(reply)));
}

void EngineBridge::setLabels(const std::string& run, const RunLabels& labels, QObject* context,
                             Reply<void> reply)
{
    m_cluster.setLabels(run, labels, onThisThread(context, std::move(reply)));
}

void EngineBridge::exportRun(const std::string& run, const std::filesystem::path& file,
                             QObject* context, Reply<ExportReport> reply)
{
    m_cluster.exportRun(run, file, onThisThread(context, std::move(reply)));
}

void EngineBridge::listHosts(QObject* context, Reply<std::vector<Host>> reply)
{
    m_cluster.hosts().list(onThisThread(context, std::move(reply)));
}

void EngineBridge::listHostNames(QObject* context, Reply<std::vector<std::string>> reply)
{
    m_cluster.hosts().listNames(onThisThread(context, std::move(reply)));
}

void EngineBridge::putHost(const Host& host, QObject* context, Reply<void> reply)
{
    m_cluster.hosts().put(host, onThisThread(context, tellingOfHosts(std::move(reply))));
}

void EngineBridge::removeHost(const std::string& name, QObject* context, Reply<void> reply)
{
    m_cluster.hosts().remove(name, onThisThread(context, tellingOfHosts(std::move(reply))));
}

EngineBridge::Reply<void> EngineBridge::tellingOfHosts(Reply<void> reply)
{
    return [this, reply = std::move(reply)](const Result<void>& result) {
        reply(result);
        Q_EMIT hostsChanged();
    };
}

void EngineBridge::checkHosts(const std::vector<std::string>& hosts, QObject* context,
                              Reply<std::vector<HostReport>> reply)
{
    m_cluster.hosts().check(hosts, onThisThread(context, std::move(reply)));
}

void EngineBridge::preflight(const HostRegistry::PreflightRequest& request, QObject* context,
                             Reply<std::vector<PreflightFinding>> reply)
{
    m_cluster.hosts().preflight(request, onThisThread(context, std::move(reply)));
}

} // namespace ringmaster::app
