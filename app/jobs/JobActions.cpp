#include "app/jobs/JobActions.h"

#include "app/bridge/Words.h"
#include "app/jobs/PanelMenu.h"
#include "app/widget/Translated.h"
#include "engine/event/Snapshot.h"
#include "engine/event/States.h"

#include <algorithm>
#include <csignal>

namespace ringmaster::app {

namespace {

/// Of what names ranks, a question can be asked.
bool namesRanks(const RunSnapshot& run)
{
    return std::ranges::any_of(run.verdicts, [](const StandingVerdict& standing) {
        const Verdict::Kind kind = standing.verdict.kind;
        return !standing.verdict.guilty.empty() &&
               (kind == Verdict::Kind::Straggler || kind == Verdict::Kind::Hang ||
                kind == Verdict::Kind::Mismatch);
    });
}

} // namespace

JobActions::JobActions(QWidget* parent)
    : QObject(parent)
    , stop(new QAction(this))
    , restart(new QAction(this))
    , fireDrill(new QAction(this))
    , forwardPort(new QAction(this))
    , runAgain(new QAction(this))
    , edit(new QAction(this))
    , showStacks(new QAction(this))
    , makeLesson(new QAction(this))
    , openLogs(new QAction(this))
    , copyCommand(new QAction(this))
    , clearSelection(new QAction(this))
    , signalMenu(new QMenu(parent))
    , panels(new PanelMenu(parent))
{
    stop->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Period));
    restart->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_R));
    runAgain->setShortcut(QKeySequence(Qt::Key_F5));
    edit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    openLogs->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_L));
    copyCommand->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    // A key that is held would stop a job, and then kill it.
    for (QAction* action : {stop, restart, runAgain})
        action->setAutoRepeat(false);
    buildSignals();
    translated(parent, [this] { setTexts(); });
    update(nullptr, false, -1);
}

void JobActions::buildSignals()
{
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGSTOP, SIGCONT, SIGKILL}) {
        QAction* action = signalMenu->addAction(QString::fromStdString(signalName(signal)));
        connect(action, &QAction::triggered, this, [this, signal] { Q_EMIT signalChosen(signal); });
    }
    signalMenu->addSeparator();
    signalMenu->addAction(fireDrill);
}

void JobActions::update(const RunSnapshot* run, bool isLive, int selectedRank,
                        const QString& machine)
{
    m_machine = machine;
    const bool isHere = machine.isEmpty();
    const bool canAct = run != nullptr && isLive && !isFinal(run->state);
    m_stopsNow = run != nullptr && run->state == RunState::Stopping;
    m_selectedRank = selectedRank;
    stop->setEnabled(canAct);
    restart->setEnabled(canAct && !m_stopsNow);
    fireDrill->setEnabled(canAct && run->state == RunState::Running);
    forwardPort->setEnabled(canAct);
    showStacks->setEnabled(canAct);
    makeLesson->setEnabled(run != nullptr && isHere && namesRanks(*run));
    const bool hasJob = run != nullptr && !run->started.jobFile.empty();
    // Of one that has just been launched it may not have come yet.
    m_isWithoutJob = run != nullptr && !hasJob && isFinal(run->state);
    runAgain->setEnabled(hasJob || (isHere && !m_isWithoutJob));
    edit->setEnabled(hasJob && isHere);
    openLogs->setEnabled(run != nullptr && !run->started.runFolder.empty() && isHere);
    copyCommand->setEnabled(run != nullptr && !run->started.torchrunLine.empty());
    signalMenu->setEnabled(canAct && selectedRank >= 0);
    clearSelection->setEnabled(selectedRank >= 0);
    setTexts();
}

void JobActions::setTexts()
{
    stop->setText(m_stopsNow ? tr("Stop now") : tr("Stop"));
    stop->setToolTip(m_stopsNow
                         ? tr("Kill the workers without waiting for them")
                         : tr("End the workers: SIGTERM, then SIGKILL after the grace time"));
    restart->setText(tr("Restart"));
    restart->setToolTip(tr("Stop and start the worker group; not charged to the restart budget"));
    fireDrill->setText(tr("Fire drill…"));
    fireDrill->setToolTip(tr("Kill, stop or slow down a rank, or kill a host or cut it off, and "
                             "see how the job comes back"));
    forwardPort->setText(tr("Forward a port…"));
    forwardPort->setToolTip(tr("Reach what the job serves on a port, such as TensorBoard, at "
                               "127.0.0.1 here"));
    runAgain->setText(tr("Run again"));
    runAgain->setToolTip(m_isWithoutJob
                             ? tr("The files that it was read from don't say how it was started")
                             : tr("Start the same job anew"));
    edit->setText(tr("Edit a copy"));
    edit->setToolTip(tr("Open this job in the editor"));
    showStacks->setText(tr("Show stacks"));
    showStacks->setToolTip(tr("Show where each rank stands now, without stopping it"));
    makeLesson->setText(tr("Make a lesson of it…"));
    makeLesson->setToolTip(tr("Write what was recorded of this, and a question about it, into a "
                              "file that Learn opens without the program"));
    openLogs->setText(tr("Open logs"));
    openLogs->setToolTip(tr("Open the folder of the log files"));
    if (!m_machine.isEmpty()) {
        if (!m_isWithoutJob)
            runAgain->setToolTip(
                tr("Start the same job anew on %1, with the program as it is there")
                    .arg(m_machine));
        edit->setToolTip(tr("Its files are on %1").arg(m_machine));
        openLogs->setToolTip(tr("The log files are on %1").arg(m_machine));
    }
    copyCommand->setText(tr("Copy torchrun command"));
    clearSelection->setText(tr("Choose no worker"));
    signalMenu->setTitle(m_selectedRank >= 0 ? tr("Signal rank %1").arg(m_selectedRank)
                                             : tr("Signal"));
    signalMenu->setToolTip(m_selectedRank >= 0 ? tr("Send a signal to the chosen worker")
                                               : tr("Choose a worker first"));
}

} // namespace ringmaster::app
