#pragma once

#include "app/bridge/MachineBridge.h"
#include "app/model/RunListModel.h"

#include <QWidget>

class QVBoxLayout;

namespace ringmaster::app {

class ElidedLabel;

/// The machines that are watched, for the side bar: how it stands with the way to each, and how
/// many jobs run there.
class MachineList : public QWidget
{
    Q_OBJECT

public:
    MachineList(const MachineBridge& machines, const RunListModel& runs, QWidget* parent = nullptr);

private:
    void update();
    QString lineOf(const WatchedMachineState& machine) const;

    const MachineBridge& m_machines;
    const RunListModel& m_runs;
    QVBoxLayout* m_layout;
    std::vector<ElidedLabel*> m_lines;
};

} // namespace ringmaster::app
