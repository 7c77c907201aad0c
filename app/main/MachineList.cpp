#include "app/main/MachineList.h"

#include "app/bridge/Messages.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Translated.h"
#include "engine/base/Codes.h"

#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

MachineList::MachineList(const MachineBridge& machines, const RunListModel& runs, QWidget* parent)
    : QWidget(parent), m_machines(machines), m_runs(runs), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    connect(&machines, &MachineBridge::changed, this, &MachineList::update);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&runs, signal, this, &MachineList::update);
    connect(&runs, &QAbstractItemModel::dataChanged, this, &MachineList::update);
    translated(this, [this] { update(); });
}

QString MachineList::lineOf(const WatchedMachineState& machine) const
{
    const QString name = QString::fromStdString(machine.name);
    switch (machine.connection) {
    case WatchedMachineState::Connection::Connecting: return tr("◌ %1: connecting…").arg(name);
    case WatchedMachineState::Connection::Lost: return tr("▲ %1: not reached").arg(name);
    case WatchedMachineState::Connection::Connected: break;
    }
    const auto running = std::ranges::count_if(m_runs.rows(), [&](const RunSummary& run) {
        return run.isLive && machineOf(run.id) == name;
    });
    return running == 0 ? tr("○ %1: no job runs").arg(name)
                        : tr("● %1: %n jobs run", nullptr, static_cast<int>(running)).arg(name);
}

void MachineList::update()
{
    const std::vector<WatchedMachineState>& machines = m_machines.machines();
    while (m_lines.size() > machines.size()) {
        delete m_lines.back();
        m_lines.pop_back();
    }
    while (m_lines.size() < machines.size()) {
        auto* line = new ElidedLabel(this);
        setLook(line, "muted");
        m_layout->addWidget(line);
        m_lines.push_back(line);
    }
    QStringList reasons;
    for (size_t i = 0; i < machines.size(); ++i) {
        m_lines[i]->setText(lineOf(machines[i]));
        const QString why = machines[i].why.code == code::None ? QString() : text(machines[i].why);
        m_lines[i]->setAccessibleDescription(why);
        if (!why.isEmpty())
            reasons << why;
    }
    setToolTip(reasons.join(u'\n')); // of a line that is elided its own is shown
    setVisible(!machines.empty());
}

} // namespace ringmaster::app
