#pragma once

#include "app/bridge/ClusterCall.h"
#include "app/bridge/Mailbox.h"
#include "app/bridge/RunFeed.h"
#include "engine/control/Cluster.h"

#include <QObject>

#include <atomic>
#include <tuple>

namespace ringmaster::app {

/// The only place where threads meet: the Cluster's callbacks come out here as signals and replies
/// on the thread of this object, at most once a frame.
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

    /// ask(&Cluster::readLog, run, query).then(this, …); what HostRegistry answers, too.
    template <class Of, class... Parameters, class... Arguments>
    [[nodiscard]] auto ask(void (Of::*question)(Parameters...), Arguments... arguments)
    {
        using Answer = std::tuple_element_t<sizeof...(Arguments), std::tuple<Parameters...>>;
        return ClusterCall(m_mailbox.slot(),
                           std::function([this, question, arguments...](Answer answer) {
                               (of<Of>().*question)(arguments..., std::move(answer));
                           }));
    }
    /// These change the host book.
    void putHost(const Host& host, QObject* context, Reply<void> reply);
    void removeHost(const std::string& name, QObject* context, Reply<void> reply);

Q_SIGNALS:
    void runsChanged();
    /// The host book was changed from here.
    void hostsChanged();

private:
    template <class Of>
    Of& of()
    {
        if constexpr (std::is_same_v<Of, HostRegistry>)
            return m_cluster.hosts();
        else
            return m_cluster;
    }
    void refreshRuns();
    Reply<void> tellingOfHosts(Reply<void> reply);

    Cluster& m_cluster;
    Mailbox m_mailbox;
    std::vector<RunSummary> m_runs;
    std::shared_ptr<std::atomic<bool>> m_isRefreshPosted;
    Subscription m_subscription; ///< Last: cancelled first.
};

} // namespace ringmaster::app
