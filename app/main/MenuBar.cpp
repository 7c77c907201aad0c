#include "app/main/MenuBar.h"

#include "app/jobs/JobActions.h"
#include "app/jobs/PanelMenu.h"
#include "app/main/LookMenus.h"
#include "app/widget/Translated.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>

namespace ringmaster::app {

MenuBar::MenuBar(JobActions& job, LookMenus& look, QWidget* parent)
    : QMenuBar(parent)
    , newJob(new QAction(this))
    , open(new QAction(this))
    , openFolder(new QAction(this))
    , save(new QAction(this))
    , launch(new QAction(this))
    , close(new QAction(this))
    , undo(new QAction(this))
    , redo(new QAction(this))
    , filter(new QAction(this))
    , play(new QAction(this))
    , alerts(new QAction(this))
    , shortcuts(new QAction(this))
    , about(new QAction(this))
    , m_file(addMenu(QString()))
    , m_edit(addMenu(QString()))
    , m_job(addMenu(QString()))
    , m_view(addMenu(QString()))
    , m_help(addMenu(QString()))
    , m_firstOfView(nullptr)
{
    newJob->setShortcut(QKeySequence::New);
    open->setShortcut(QKeySequence::Open);
    save->setShortcut(QKeySequence::Save);
    launch->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
    launch->setAutoRepeat(false); // One job, however long the key is held.
    close->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
    redo->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    filter->setShortcut(QKeySequence::Find);
    play->setShortcut(QKeySequence(Qt::Key_Space));
    shortcuts->setShortcut(QKeySequence(Qt::Key_Question));
    build(job, look);
    qApp->installEventFilter(this);
    translated(this, [this] { setTexts(); });
}

/// Space presses the button that has the focus before it is our shortcut.
bool MenuBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space &&
        (qobject_cast<QAbstractButton*>(watched) != nullptr ||
         qobject_cast<QComboBox*>(watched) != nullptr)) {
        event->accept();
        return true;
    }
    return QMenuBar::eventFilter(watched, event);
}

void MenuBar::build(JobActions& job, LookMenus& look)
{
    m_file->addActions({newJob, open, openFolder, save});
    m_file->addSeparator();
    m_file->addAction(close);
    m_edit->addActions({undo, redo});
    m_job->addActions({launch, job.runAgain});
    m_job->addSeparator();
    m_job->addActions({job.restart, job.stop});
    m_job->addMenu(job.signalMenu);
    m_job->addAction(job.fireDrill);
    m_job->addSeparator();
    m_job->addActions({job.showStacks, job.forwardPort, job.makeLesson, job.edit, job.openLogs,
                       job.copyCommand, job.clearSelection});
    m_job->addSeparator();
    m_job->addAction(alerts);
    m_firstOfView = m_view->addSeparator();
    m_view->addActions({filter, play});
    m_view->addSeparator();
    m_view->addMenu(job.panels);
    m_view->addActions({job.panels->maximise, job.panels->resetLayout});
    m_view->addSeparator();
    m_view->addMenu(look.theme);
    m_view->addMenu(look.language);
    m_help->addActions({shortcuts, about});
}

void MenuBar::addPage(int id, const QString& title)
{
    auto* action = new QAction(title, this);
    action->setShortcut(
        QKeySequence(QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_1 + m_pages.size()))));
    connect(action, &QAction::triggered, this, [this, id] { Q_EMIT pageChosen(id); });
    m_view->insertAction(m_firstOfView, action);
    m_pages.insert(id, action);
}

void MenuBar::setPageTitle(int id, const QString& title)
{
    m_pages.value(id)->setText(title);
}

QList<QAction*> MenuBar::allActions() const
{
    QList<QAction*> all;
    for (const QMenu* menu : {m_file, m_edit, m_job, m_view, m_help}) {
        for (QAction* action : menu->actions()) {
            if (!action->shortcut().isEmpty())
                all << action;
        }
    }
    return all;
}

void MenuBar::setTexts()
{
    m_file->setTitle(tr("&File"));
    m_edit->setTitle(tr("&Edit"));
    m_job->setTitle(tr("&Job"));
    m_view->setTitle(tr("&View"));
    m_help->setTitle(tr("&Help"));
    newJob->setText(tr("New job"));
    open->setText(tr("Open…"));
    openFolder->setText(tr("Open what PyTorch recorded…"));
    save->setText(tr("Save"));
    launch->setText(tr("Launch"));
    close->setText(tr("Quit"));
    undo->setText(tr("Undo"));
    redo->setText(tr("Redo"));
    filter->setText(tr("Filter"));
    play->setText(tr("Follow the log"));
    alerts->setText(tr("Alerts…"));
    shortcuts->setText(tr("Keyboard shortcuts"));
    about->setText(tr("About Ringmaster"));
}

} // namespace ringmaster::app
