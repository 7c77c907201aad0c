#include "app/main/MainWindow.h"

#include "app/bridge/Messages.h"
#include "app/jobs/JobsPage.h"
#include "app/main/Examples.h"
#include "app/main/JobAlerts.h"
#include "app/main/LaunchBar.h"
#include "app/main/LookMenus.h"
#include "app/main/MenuBar.h"
#include "app/main/MessageBoxes.h"
#include "app/main/PageStack.h"
#include "app/main/ShortcutSheet.h"
#include "app/main/SideBar.h"
#include "app/main/SingleInstance.h"
#include "app/main/TaskBarProgress.h"
#include "app/main/Tour.h"
#include "app/widget/Toast.h"
#include "app/widget/Translated.h"

#include <QCloseEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMimeData>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

using namespace std::chrono_literals;

namespace ringmaster::app {

MainWindow::MainWindow(EngineBridge& bridge, Theme& theme, Language& language,
                       const std::vector<PageDescription>& pages, QWidget* parent)
    : QMainWindow(parent)
    , m_bridge(bridge)
    , m_progress(bridge)
    , m_runs(bridge, &m_progress)
    , m_starter(new JobStarter(bridge, this))
    , m_closing(new WindowClosing(bridge, m_session, this))
    , m_sideBar(new SideBar(m_runs, this))
    , m_stack(new PageStack(bridge, m_session, this))
    , m_column(new QVBoxLayout)
    , m_jobs(new JobsPage(bridge, m_runs, this))
    , m_menus(
          new MenuBar(m_jobs->actions(), *new LookMenus(theme, language, m_session, this), this))
    , m_toast(new Toast(m_stack))
    , m_alerts(new JobAlerts(bridge, this))
{
    auto* center = new QWidget(this);
    auto* layout = new QHBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_sideBar);
    layout->addLayout(m_column, 1);
    m_column->addWidget(m_stack, 1);
    setCentralWidget(center);
    // So that no button looks chosen before somebody has pressed Tab.
    center->setFocus();
    setMenuBar(m_menus);
    setAcceptDrops(true);
    resize(1440, 900);
    connect(m_stack, &PageStack::pageMade, this, &MainWindow::connectPage);
    addPage(JobsPage::description(), m_jobs);
    connectPage(m_jobs);
    for (const PageDescription& description : pages)
        addPage(description);
    m_menus->newJob->setEnabled(m_editorId >= 0);
    connectShell();
    awaitOpenedRuns();
    new TaskBarProgress(m_progress, this);
    translated(this, [this] { setTexts(); });
    showPage(m_jobs);
}

void MainWindow::addPage(const PageDescription& description, Page* page)
{
    const int id = m_stack->add(description, page);
    if (description.place == PageDescription::Place::Editor) {
        m_editorId = id;
        return;
    }
    m_sideBar->addPage(id, description.title());
    m_menus->addPage(id, description.title());
}

void MainWindow::connectPage(Page* page)
{
    connect(page, &Page::headlineChanged, this, [this, page] {
        if (page == m_stack->current())
            setTitle();
    });
    connect(page, &Page::launchRequested, m_starter, &JobStarter::launch);
    connect(page, &Page::runChosen, this, &MainWindow::showRun);
    connect(page, &Page::jobChosen, this, &MainWindow::showJob);
    connect(page, &Page::editRequested, this, &MainWindow::edit);
    connect(page, &Page::runAgainRequested, m_starter, &JobStarter::runAgain);
    connect(page, &Page::newJobRequested, m_menus->newJob, &QAction::trigger);
    connect(page, &Page::openRequested, this, &MainWindow::chooseFile);
    connect(page, &Page::exampleRequested, m_starter, &JobStarter::runExample);
    connect(page, &Page::toastRequested, this,
            [this, page](const QString& sentence, const std::function<void()>& undo) {
                m_toast->show(sentence, undo);
                m_toastPage = page;
            });
    connect(page, &Page::presentationRequested, this, &MainWindow::present);
    if (auto* editor = qobject_cast<JobEditing*>(page))
        connectEditor(editor);
}

void MainWindow::connectEditor(JobEditing* editor)
{
    m_editor = editor;
    connect(m_menus->save, &QAction::triggered, editor, &JobEditing::save);
    connect(m_menus->launch, &QAction::triggered, editor, &JobEditing::launch);
    connect(m_menus->undo, &QAction::triggered, editor, &JobEditing::undo);
    connect(m_menus->redo, &QAction::triggered, editor, &JobEditing::redo);
    connect(editor, &JobEditing::historyChanged, this, &MainWindow::updateEditActions);
    connect(editor, &JobEditing::exampleOpenRequested, this, &MainWindow::openExample);
    connect(editor, &JobEditing::runOpenRequested, m_starter, &JobStarter::editRun);
    connect(m_starter, &JobStarter::jobStarted, editor, &JobEditing::jobStarted);
}

void MainWindow::connectShell()
{
    connect(m_sideBar, &SideBar::newJobRequested, m_menus->newJob, &QAction::trigger);
    connect(m_sideBar, &SideBar::runChosen, this, &MainWindow::showRun);
    const auto choosePage = [this](int id) {
        Page* page = m_stack->page(id);
        if (page == m_jobs)
            m_jobs->showList();
        showPage(page);
    };
    connect(m_sideBar, &SideBar::pageChosen, this, choosePage);
    connect(m_menus, &MenuBar::pageChosen, this, choosePage);
    connect(m_jobs, &JobsPage::shownRunChanged, m_sideBar, &SideBar::setCurrentRun);
    connect(m_jobs, &JobsPage::runLastRequested, m_starter, &JobStarter::runLast);
    connect(m_menus->newJob, &QAction::triggered, this,
            [this] { withEditor([](JobEditing& editor) { editor.newJob(); }); });
    connect(m_menus->open, &QAction::triggered, this, &MainWindow::chooseFile);
    connect(m_menus->openFolder, &QAction::triggered, this, &MainWindow::chooseFolder);
    connect(m_menus->close, &QAction::triggered, this, &QWidget::close);
    connect(m_menus->filter, &QAction::triggered, this,
            [this] { m_stack->current()->focusFilter(); });
    connect(m_menus->play, &QAction::triggered, this, [this] { m_stack->current()->togglePlay(); });
    connect(m_starter, &JobStarter::started, this, &MainWindow::showRun);
    connect(m_starter, &JobStarter::editWanted, this, &MainWindow::edit);
    connect(m_starter, &JobStarter::barMade, this,
            [this](LaunchBar* bar) { m_column->insertWidget(0, bar); });
    connect(m_starter, &JobStarter::told, this, &MainWindow::tell);
    connect(m_alerts, &JobAlerts::told, this, &MainWindow::tell);
    connect(m_menus->alerts, &QAction::triggered, this, [this] {
        const RunSummary* shown = m_bridge.find(m_jobs->shownRun().toStdString());
        m_alerts->configure(shown == nullptr ? QString() : QString::fromStdString(shown->name));
    });
    connect(m_menus->shortcuts, &QAction::triggered, this,
            [this] { showShortcutSheet(this, m_menus->allActions()); });
    connect(m_menus->about, &QAction::triggered, this, [this] { showAbout(this); });
}

/// Shown, made first where it wasn't; nothing where nothing edits jobs.
void MainWindow::withEditor(const std::function<void(JobEditing&)>& work)
{
    if (m_editorId < 0)
        return;
    Page* page = m_stack->page(m_editorId);
    work(*m_editor);
    showPage(page);
}

void MainWindow::showPage(Page* page)
{
    m_stack->showPage(page);
    m_toast->raise(); // The stack puts the page above all.
    m_toast->setAside(m_toastPage != nullptr && m_toastPage != page);
    m_sideBar->setCurrentPage(page == m_editor ? -1 : m_stack->idOf(page));
    m_sideBar->setCurrentRun(page == m_jobs ? m_jobs->shownRun() : QString());
    updateEditActions();
    m_menus->play->setEnabled(page->canPlay());
    setTexts();
}

void MainWindow::updateEditActions()
{
    const bool isEditing = m_editor != nullptr && m_stack->current() == m_editor;
    m_menus->save->setEnabled(isEditing);
    m_menus->launch->setEnabled(isEditing);
    m_menus->undo->setEnabled(isEditing && m_editor->canUndo());
    m_menus->redo->setEnabled(isEditing && m_editor->canRedo());
}

void MainWindow::showRun(const QString& run)
{
    m_openedDelay.stop();
    const RunSummary* summary = m_bridge.find(run.toStdString());
    const auto& all = m_stack->descriptions();
    const auto found = std::ranges::find_if(all, [&](const PageDescription& description) {
        return summary != nullptr && description.results == summary->purpose;
    });
    if (found == all.end())
        return showJob(run);
    Page* page = m_stack->page(static_cast<int>(found - all.begin()));
    page->openRun(run.toStdString());
    showPage(page);
}

void MainWindow::awaitOpenedRuns()
{
    m_openedDelay.setSingleShot(true);
    m_openedDelay.setInterval(1s);
    connect(&m_openedDelay, &QTimer::timeout, this,
            [this] { showRun(std::exchange(m_openedRun, {})); });
    // Queued: a page that is there already knows the run by then, too.
    connect(
        &m_bridge, &EngineBridge::runsChanged, this,
        [this] {
            if (m_openedDelay.isActive() && m_bridge.find(m_openedRun.toStdString()) != nullptr)
                showRun(std::exchange(m_openedRun, {}));
        },
        Qt::QueuedConnection);
}

/// The list says what a run was for, and so which page shows it. A file that is opened for the
/// first time comes into the list after the answer.
void MainWindow::showOpened(const QString& run)
{
    if (m_bridge.find(run.toStdString()) != nullptr)
        return showRun(run);
    m_openedRun = run;
    m_openedDelay.start();
}

void MainWindow::present(bool isOn)
{
    m_sideBar->setVisible(!isOn);
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, isOn));
}

void MainWindow::showJob(const QString& run)
{
    m_jobs->showRun(run);
    showPage(m_jobs);
}

void MainWindow::edit(const QString& jobFile, const QString& workingFolder)
{
    withEditor([&](JobEditing& editor) { editor.openText(jobFile, workingFolder); });
}

void MainWindow::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Open a job or a run"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Jobs and runs (*.ringjob *.ringrun)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openFile);
    dialog->open();
}

/// Of each rank a file, which say something only together.
void MainWindow::chooseFolder()
{
    auto* dialog =
        new QFileDialog(this, tr("Open a folder of flight recorder dumps, profiler traces, or logs "
                                 "of torchrun, torchcomms or NCCL Inspector"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openFile);
    dialog->open();
}

void MainWindow::openFile(const QString& path)
{
    if (path.endsWith(QStringLiteral(".ringjob"))) {
        withEditor([&](JobEditing& editor) { editor.openFile(path); });
        return;
    }
    m_bridge.openFile(path.toStdString(), this, [this](const Result<std::string>& run) {
        if (run)
            return showOpened(QString::fromStdString(*run));
        m_toast->add(text(run.error()));
        m_toastPage = nullptr;
    });
}

/// Whatever page is shown.
void MainWindow::tell(const QString& sentence)
{
    m_toast->show(sentence, nullptr);
    m_toastPage = nullptr;
}

void MainWindow::open(const OpenRequest& request)
{
    for (const QString& file : request.files)
        openFile(file);
    if (!request.example.isEmpty())
        openExample(request.example);
}

void MainWindow::comeToFront(const QString& activationToken)
{
    if (!activationToken.isEmpty())
        qputenv("XDG_ACTIVATION_TOKEN", activationToken.toUtf8());
    setWindowState(windowState() & ~Qt::WindowMinimized);
    show();
    raise();
    activateWindow();
}

void MainWindow::openExample(const QString& name)
{
    const QString path = exampleFile(name);
    if (path.isEmpty())
        tell(noExampleText(name));
    else
        openFile(path);
}

void MainWindow::setTexts()
{
    int id = 0;
    for (const PageDescription& description : m_stack->descriptions()) {
        if (description.place == PageDescription::Place::SideBar) {
            m_sideBar->setPageTitle(id, description.title());
            m_menus->setPageTitle(id, description.title());
        }
        ++id;
    }
    setTitle();
}

void MainWindow::setTitle()
{
    const Page* page = m_stack->current();
    if (page == nullptr)
        return setWindowTitle(QStringLiteral("Ringmaster"));
    const QString headline = page->headline();
    setWindowTitle(tr("%1 – Ringmaster").arg(headline.isEmpty() ? m_stack->title(page) : headline));
}

void MainWindow::restoreSession()
{
    if (!m_session.geometry().isEmpty())
        restoreGeometry(m_session.geometry());
    m_stack->restoreStates();
    if (const int id = m_stack->idOf(m_session.page()); id >= 0)
        showPage(m_stack->page(id));
}

void MainWindow::offerTour()
{
    if (!m_bridge.runs().empty())
        m_session.setTourOver(); // Who has runs knows what it would show.
    if (m_session.isTourOver())
        return;
    auto* tour = new Tour(m_bridge, *m_jobs, this);
    m_column->insertWidget(0, tour);
    connect(tour, &Tour::exampleRequested, m_starter, &JobStarter::runExample);
    connect(tour, &Tour::over, this, [this, tour] {
        m_session.setTourOver();
        tour->hide();
        tour->deleteLater();
    });
}

void MainWindow::saveSession()
{
    m_session.setGeometry(saveGeometry());
    m_session.setPage(m_stack->key(m_stack->current()));
    m_stack->saveStates();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_closing->mayClose(m_stack->made(), m_runs.liveCount()))
        return event->ignore();
    saveSession();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    // What it is its content says.
    if (std::ranges::any_of(urls, &QUrl::isLocalFile))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    for (const QUrl& url : event->mimeData()->urls())
        openFile(url.toLocalFile());
}

} // namespace ringmaster::app
