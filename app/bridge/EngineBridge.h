#pragma once

#include "app/bridge/Mailbox.h"
#include "app/bridge/RunFeed.h"
#include "engine/control/Cluster.h"

#include <QObject>
#include <QPointer>

#include <atomic>
#include <map>
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

    /// Newest first, without those that are hidden; as of the last runsChanged.
    const std::vector<RunSummary>& runs() const { return m_runs; }
    const RunSummary* find(const std::string& run) const;

    /// Owned by `parent`; deleting it ends it.
    RunFeed* follow(const std::string& run, std::uint64_t sequence, QObject* parent);

    /// A call of the Cluster, made by then(). What it answers comes on this thread; a reply whose
    /// context is gone is dropped.
    template <class T>
    class Call
    {
    public:
        using Make = std::function<void(Cluster::Answer<T>)>;

        Call(std::shared_ptr<Mailbox::Slot> slot, Make make)
            : m_slot(std::move(slot)), m_make(std::move(make))
        {
        }

        void then(QObject* context, Reply<T> reply) const
        {
            m_make([slot = m_slot, context = QPointer<QObject>(context),
                    reply = std::move(reply)](Result<T> result) {
                slot->post([context, reply, result = std::move(result)] {
                    if (context)
                        reply(result);
                });
            });
        }

    private:
        std::shared_ptr<Mailbox::Slot> m_slot;
        Make m_make;
    };

    /// ask(&Cluster::readLog, run, query).then(this, …); what HostRegistry answers, too.
    template <class Of, class... Parameters, class... Arguments>
    [[nodiscard]] auto ask(void (Of::*question)(Parameters...), Arguments... arguments)
    {
        using Answer = std::tuple_element_t<sizeof...(Arguments), std::tuple<Parameters...>>;
        return Call(m_mailbox.slot(), std::function([this, question, arguments...](Answer answer) {
                        (of<Of>().*question)(arguments..., std::move(answer));
                    }));
    }
    /// Hidden from everybody: they are about to be removed. Until then it can be taken back.
    void hideRuns(const std::vector<std::string>& runs);
    void showRuns(const std::vector<std::string>& runs);
    /// False: it is shown again, or it is gone and out of the list.
    bool isHidden(const std::string& run) const { return m_hidden.contains(run); }
    /// Hidden as soon as it is removed, whenever the list is told of that; shown where it stays.
    void removeRun(const std::string& run, QObject* context, Reply<void> reply);
    /// The run that it yields is shown, though one of that name was hidden.
    void openFile(const std::string& file, QObject* context, Reply<std::string> reply);
    /// These change the host book.
    void putHost(const Host& host, QObject* context, Reply<void> reply);
    void removeHost(const std::string& name, QObject* context, Reply<void> reply);

Q_SIGNALS:
    void runsChanged();
    /// The host book was changed from here.
    void hostsChanged();

private:
    enum class Hidden { AboutToGo, Removed };

    template <class Of>
    Of& of()
    {
        if constexpr (std::is_same_v<Of, HostRegistry>)
            return m_cluster.hosts();
        else
            return m_cluster;
    }
    void refreshRuns();
    void updateRuns();
    Reply<void> tellingOfHosts(Reply<void> reply);

    Cluster& m_cluster;
    Mailbox m_mailbox;
    std::vector<RunSummary> m_runs;
    std::map<std::string, Hidden> m_hidden;
    std::shared_ptr<std::atomic<bool>> m_isRefreshPosted;
    Subscription m_subscription; ///< Last: cancelled first.
};

} // namespace ringmaster::app
