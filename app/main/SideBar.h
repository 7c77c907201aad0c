#pragma once

#include "app/model/RunListModel.h"

#include <QFrame>
#include <QTimer>

class QButtonGroup;
class QLabel;
class QListView;
class QPushButton;
class QVBoxLayout;

namespace ringmaster::app {

class ElidedLabel;
class MachineBridge;

/// The way to the pages and to the running jobs.
class SideBar : public QFrame
{
    Q_OBJECT

public:
    explicit SideBar(RunListModel& runs, QWidget* parent = nullptr);

    void addPage(int id, const QString& title);
    void setPageTitle(int id, const QString& title);
    /// -1: none of them.
    void setCurrentPage(int id);
    void setCurrentRun(const QString& run);
    /// Also says how it stands with the machines that are watched; lives as long as the side bar.
    void setMachines(const MachineBridge& machines);

Q_SIGNALS:
    void newJobRequested();
    void pageChosen(int id);
    void runChosen(const QString& run);

private:
    void buildRuns();
    void updateAgents();
    void setTexts();

    RunListModel& m_runs;
    RunFilter m_live;
    QLabel* m_brand;
    QPushButton* m_newButton;
    QButtonGroup* m_pages;
    QVBoxLayout* m_pageLayout;
    QLabel* m_runningTitle;
    QListView* m_runList;
    ElidedLabel* m_agents;
    QTimer m_tick;
};

} // namespace ringmaster::app
