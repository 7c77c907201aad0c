#pragma once

#include "app/bridge/Mailbox.h"
#include "app/bridge/RunFeed.h"
#include "engine/control/Cluster.h"

#include <QObject>
#include <QPointer>

#include <atomic>

namespace ringmaster::app {

/// The only place where threads meet: the Cluster's callbacks come out here as signals and replies
/// on the thread of this object, at most once a frame. A reply whose context is gone is dropped.
class EngineBridge : public QObject
{
    Q_OBJECT

public:
    template <class T>
    using Reply = std::function<void(Result<T>)>;

    explicit EngineBridge(Cluster& cluster, QObject* parent = nullptr);

    /// Newest first; as of the last runsChanged.
    const std::vector<RunSummary>& runs() const { return m_runs; }
    const RunSummary* find(const std::string& run) const;

    /// Owned by `parent`; deleting it ends it.
    RunFeed* follow(const std::string& run, std::uint64_t sequence, QObject* parent);

    void launch(const JobSpec& spec, const Cluster::LaunchOptions& options, QObject* context,
                Reply<std::string> reply);
    void readLog(const std::string& run, const LogQuery& query, QObject* context,
                 Reply<LogPage> reply);
    void searchLog(const std::string& run, std::shared_ptr<LogSearch> search, QObject* context,
                   Reply<LogSearchPage> reply);
    void readLogLines(const std::string& run, std::vector<LogPlace> places, QObject* context,
                      Reply<std::vector<LogLine>> reply);
    void lookAtRanks(const std::string& run, QObject* context, Reply<RankPlaces> reply);
    void readOperations(const std::string& run, std::optional<OperationSummary::TimeRange> range,
                        QObject* context, Reply<OperationSummary> reply);
    void readNumbers(const std::string& run, const std::vector<std::string>& names,
                     QObject* context, Reply<NumberSummary> reply);
    void readLastNumbers(const std::string& run, QObject* context, Reply<NumberSummary> reply);
    void readFigures(const std::string& run, QObject* context, Reply<RunFigures> reply);
    void readComparedRun(const std::string& run, const std::vector<std::string>& names,
                         QObject* context, Reply<ComparedRun> reply);
    void takeStacks(const std::string& run, QObject* context, Reply<KeptEvidence> reply);
    void send(const std::string& run, const Command& command, QObject* context, Reply<void> reply);
    void openFile(const std::filesystem::path& file, QObject* context, Reply<std::string> reply);
    void remove(const std::string& run, QObject* context, Reply<void> reply);
    void setPinned(const std::string& run, bool pinned, QObject* context, Reply<void> reply);
    void setLabels(const std::string& run, const RunLabels& labels, QObject* context,
                   Reply<void> reply);
    void exportRun(const std::string& run, const std::filesystem::path& file, QObject* context,
                   Reply<ExportReport> reply);

    void listHosts(QObject* context, Reply<std::vector<Host>> reply);
    void listHostNames(QObject* context, Reply<std::vector<std::string>> reply);
    void putHost(const Host& host, QObject* context, Reply<void> reply);
    void removeHost(const std::string& name, QObject* context, Reply<void> reply);
    void checkHosts(const std::vector<std::string>& hosts, QObject* context,
                    Reply<std::vector<HostReport>> reply);
    void preflight(const HostRegistry::PreflightRequest& request, QObject* context,
                   Reply<std::vector<PreflightFinding>> reply);

Q_SIGNALS:
    void runsChanged();
    /// The host book was changed from here.
    void hostsChanged();

private:
    template <class T>
    Cluster::Answer<T> onThisThread(QObject* context, Reply<T> reply) const;
    void refreshRuns();
    Reply<void> tellingOfHosts(Reply<void> reply);

    Cluster& m_cluster;
    Mailbox m_mailbox;
    std::vector<RunSummary> m_runs;
    std::shared_ptr<std::atomic<bool>> m_isRefreshPosted;
    Subscription m_subscription; ///< Last: cancelled first.
};

} // namespace ringmaster::app
