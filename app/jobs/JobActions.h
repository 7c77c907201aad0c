#pragma once

#include <QAction>
#include <QMenu>

namespace ringmaster {
struct RunSnapshot;
}

namespace ringmaster::app {

class PanelMenu;

/// What can be done with the job that is shown: the same actions stand in the menu bar, on the
/// page and in context menus.
class JobActions : public QObject
{
    Q_OBJECT

public:
    explicit JobActions(QWidget* parent);

    /// `run` is null where no job is shown; `selectedRank` -1 where no worker is chosen; `machine`
    /// is empty for a job of this one.
    void update(const RunSnapshot* run, bool isLive, int selectedRank, const QString& machine = {});

    QAction* stop;
    QAction* restart;
    QAction* fireDrill;
    QAction* forwardPort; ///< Of a running job.
    QAction* runAgain;    ///< Where no job is shown, it is the last one.
    QAction* edit;
    QAction* showStacks; ///< Of a running job.
    QAction* makeLesson; ///< Of what was said of ranks that are known.
    QAction* openLogs;
    QAction* copyCommand;
    QAction* clearSelection;
    QMenu* signalMenu; ///< to the chosen worker
    PanelMenu* panels;

Q_SIGNALS:
    void signalChosen(int signal);

private:
    void buildSignals();
    void setTexts();

    bool m_stopsNow = false;
    bool m_isWithoutJob = false; ///< Nobody knows how the run was started.
    int m_selectedRank = -1;
    QString m_machine;
};

} // namespace ringmaster::app
