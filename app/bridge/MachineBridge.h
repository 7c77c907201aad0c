#pragma once

#include "app/bridge/Mailbox.h"
#include "engine/control/MachineWatch.h"

#include <QObject>
#include <QStringList>

#include <atomic>

namespace ringmaster::app {

/// The machines that are watched, on the thread of this object: how it stands with the way to each,
/// at most once a frame.
class MachineBridge : public QObject
{
    Q_OBJECT

public:
    explicit MachineBridge(MachineWatch& watch, QObject* parent = nullptr);

    /// By name; as of the last changed().
    const std::vector<WatchedMachineState>& machines() const { return m_machines; }
    /// Those that are to be watched, by name.
    const QStringList& watched() const { return m_watched; }
    MachineWatch& watch() { return m_watch; }

    void setWatched(QStringList machines);
    void setWatched(const QString& machine, bool isWatched);

    /// What is told and the answer come on this thread, as long as `context` is there. Whoever
    /// drops the subscription calls it off.
    [[nodiscard]] Subscription launch(MachineLaunch launch, QObject* context,
                                      std::function<void(LaunchStep, Message)> told,
                                      std::function<void(Result<std::string>)> answer);

Q_SIGNALS:
    void changed();
    void watchedChanged(const QStringList& machines);

private:
    void refresh();

    MachineWatch& m_watch;
    Mailbox m_mailbox;
    QStringList m_watched;
    std::vector<WatchedMachineState> m_machines;
    std::shared_ptr<std::atomic<bool>> m_isRefreshPosted;
    Subscription m_subscription; ///< Last: cancelled first.
};

/// The machine that a run is on; empty: this one.
QString machineOf(const std::string& run);

} // namespace ringmaster::app
