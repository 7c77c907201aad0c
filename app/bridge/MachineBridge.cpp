#include "app/bridge/MachineBridge.h"

#include <QPointer>

namespace ringmaster::app {

MachineBridge::MachineBridge(MachineWatch& watch, QObject* parent)
    : QObject(parent)
    , m_watch(watch)
    , m_machines(watch.machines())
    , m_isRefreshPosted(std::make_shared<std::atomic<bool>>(false))
{
    m_subscription =
        m_watch.onMachinesChanged([this, posted = m_isRefreshPosted, slot = m_mailbox.slot()] {
            if (!posted->exchange(true))
                slot->post([this] { refresh(); });
        });
}

void MachineBridge::refresh()
{
    m_isRefreshPosted->store(false);
    std::vector<WatchedMachineState> machines = m_watch.machines();
    if (machines == m_machines)
        return;
    m_machines = std::move(machines);
    Q_EMIT changed();
}

void MachineBridge::setWatched(QStringList machines)
{
    machines.sort();
    machines.removeDuplicates();
    if (machines == m_watched)
        return;
    m_watched = machines;
    std::vector<std::string> names;
    for (const QString& machine : m_watched)
        names.push_back(machine.toStdString());
    m_watch.watch(names);
    Q_EMIT watchedChanged(m_watched);
}

void MachineBridge::setWatched(const QString& machine, bool isWatched)
{
    QStringList machines = m_watched;
    machines.removeAll(machine);
    if (isWatched)
        machines << machine;
    setWatched(machines);
}

Subscription MachineBridge::launch(MachineLaunch launch, QObject* context,
                                   std::function<void(LaunchStep, Message)> told,
                                   std::function<void(Result<std::string>)> answer)
{
    const auto post = [slot = m_mailbox.slot(), context = QPointer<QObject>(context)](auto call) {
        slot->post([context, call = std::move(call)] {
            if (context)
                call();
        });
    };
    return m_watch.launchThere(
        std::move(launch),
        [post, told = std::move(told)](LaunchStep step, const Message& progress) {
            post([told, step, progress] { told(step, progress); });
        },
        [post, answer = std::move(answer)](const Result<std::string>& run) {
            post([answer, run] { answer(run); });
        });
}

QString machineOf(const std::string& run)
{
    const auto there = MachineRun::parse(run);
    return there ? QString::fromStdString(there->machine) : QString();
}

} // namespace ringmaster::app
