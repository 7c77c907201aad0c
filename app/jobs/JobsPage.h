#pragma once

#include "app/jobs/JobActions.h"
#include "app/jobs/JobPorts.h"
#include "app/model/ForeignJobs.h"
#include "app/model/RunListModel.h"
#include "app/widget/Page.h"

class QStackedWidget;

namespace ringmaster::app {

class JobPage;
class JobsList;
class MachineBridge;

/// The jobs of this machine: the list of running and recent ones, and the page of the chosen one.
class JobsPage : public Page
{
    Q_OBJECT

public:
    JobsPage(EngineBridge& bridge, RunListModel& runs, QWidget* parent = nullptr);

    QString headline() const override;
    static PageDescription description();
    void focusFilter() override;
    void togglePlay() override;
    bool canPlay() const override { return true; }
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap& state) override;

    /// Jobs that something else started there are told of, too.
    void watchMachine(std::unique_ptr<ForeignJobs::Machine> machine);
    /// Those that are watched; lives as long as the page.
    void setMachines(MachineBridge& machines);
    void showList();
    void showRun(const QString& run);
    /// Empty: the list is shown.
    QString shownRun() const;
    JobActions& actions() { return m_actions; }
    JobPorts& ports() { return m_ports; }
    JobPage* jobPage() const { return m_job; }

Q_SIGNALS:
    void shownRunChanged(const QString& run);
    /// Run again, where no job is shown.
    void runLastRequested();

private:
    void connectList();
    void connectActions();
    void runAgain(const RunSnapshot& run);
    void leaveJob();

    EngineBridge& m_bridge;
    const MachineBridge* m_machines = nullptr;
    RunListModel& m_runs;
    JobActions m_actions;
    JobPorts m_ports{m_bridge};
    QStackedWidget* m_stack;
    JobsList* m_list;
    JobPage* m_job = nullptr;
    QVariantMap m_jobState;
};

} // namespace ringmaster::app
