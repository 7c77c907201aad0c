#include "app/main/MainWindow.h"

#include "app/bridge/Messages.h"
#include "app/jobs/JobsPage.h"
#include "app/main/Examples.h"
#include "app/main/JobAlerts.h"
#include "app/main/LaunchBar.h"
#include "app/main/LookMenus.h"
#include "app/main/MenuBar.h"
#include "app/main/MessageBoxes.h"
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
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

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
    , m_stack(new QStackedWidget(this))
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
    addPage(m_jobs, {.key = QStringLiteral("jobs")});
    for (const PageDescription& description : pages) {
        Page* page = description.make(bridge, this);
        addPage(page, description);
        if (auto* editor = qobject_cast<JobEditing*>(page))
            m_editor = editor;
    }
    connectShell();
    new TaskBarProgress(m_progress, this);
    translated(this, [this] { setTexts(); });
    showPage(m_jobs);
}

void MainWindow::addPage(Page* page, const PageDescription& description)
{
    page->setObjectName(description.key);
    const int id = m_stack->addWidget(page);
    if (description.place == PageDescription::Place::SideBar) {
        m_sideBar->addPage(id, page->title());
        m_menus->addPage(id, page->title());
    }
    connectPage(page);
}

void MainWindow::connectPage(Page* page)
{
    connect(page, &Page::headlineChanged, this, [this, page] {
        if (page == currentPage())
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
}

void MainWindow::connectShell()
{
    connect(m_sideBar, &SideBar::newJobRequested, m_menus->newJob, &QAction::trigger);
    connect(m_sideBar, &SideBar::runChosen, this, &MainWindow::showRun);
    const auto choosePage = [this](int id) {
        auto* page = qobject_cast<Page*>(m_stack->widget(id));
        if (page == m_jobs)
            m_jobs->showList();
        showPage(page);
    };
    connect(m_sideBar, &SideBar::pageChosen, this, choosePage);
    connect(m_menus, &MenuBar::pageChosen, this, choosePage);
    connect(m_jobs, &JobsPage::shownRunChanged, m_sideBar, &SideBar::setCurrentRun);
    connect(m_jobs, &JobsPage::runLastRequested, m_starter, &JobStarter::runLast);
    connect(m_menus->newJob, &QAction::triggered, this, [this] {
        if (m_editor == nullptr)
            return;
        m_editor->newJob();
        showPage(m_editor);
    });
    connect(m_menus->open, &QAction::triggered, this, &MainWindow::chooseFile);
    connect(m_menus->openFolder, &QAction::triggered, this, &MainWindow::chooseFolder);
    connect(m_menus->close, &QAction::triggered, this, &QWidget::close);
    connect(m_menus->filter, &QAction::triggered, this, [this] { currentPage()->focusFilter(); });
    connect(m_menus->play, &QAction::triggered, this, [this] { currentPage()->togglePlay(); });
    if (m_editor != nullptr) {
        connect(m_menus->save, &QAction::triggered, m_editor, &JobEditing::save);
        connect(m_menus->launch, &QAction::triggered, m_editor, &JobEditing::launch);
        connect(m_menus->undo, &QAction::triggered, m_editor, &JobEditing::undo);
        connect(m_menus->redo, &QAction::triggered, m_editor, &JobEditing::redo);
        connect(m_editor, &JobEditing::historyChanged, this, &MainWindow::updateEditActions);
        connect(m_editor, &JobEditing::exampleOpenRequested, this, &MainWindow::openExample);
        connect(m_editor, &JobEditing::runOpenRequested, m_starter, &JobStarter::editRun);
    }
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

Page* MainWindow::currentPage() const
{
    return qobject_cast<Page*>(m_stack->currentWidget());
}

QList<Page*> MainWindow::pages() const
{
    QList<Page*> pages;
    for (int id = 0; id < m_stack->count(); ++id)
        pages << qobject_cast<Page*>(m_stack->widget(id));
    return pages;
}

void MainWindow::showPage(Page* page)
{
    const bool isOther = m_stack->currentWidget() != page;
    QWidget* wanted = page->focusWidget();
    // The window is as small as the page that is shown can be, whatever the others need.
    for (Page* each : pages()) {
        const auto policy = each == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        each->setSizePolicy(policy, policy);
    }
    m_stack->setCurrentWidget(page);
    m_toast->raise(); // The stack puts the page above all.
    m_toast->setAside(m_toastPage != nullptr && m_toastPage != page);
    // Else the first button would have the focus, and look chosen.
    if (isOther)
        (wanted != nullptr ? wanted : page)->setFocus();
    m_sideBar->setCurrentPage(page == m_editor ? -1 : m_stack->indexOf(page));
    m_sideBar->setCurrentRun(page == m_jobs ? m_jobs->shownRun() : QString());
    updateEditActions();
    m_menus->newJob->setEnabled(m_editor != nullptr);
    m_menus->play->setEnabled(page->canPlay());
    setTexts();
}

void MainWindow::updateEditActions()
{
    const bool isEditing = m_editor != nullptr && currentPage() == m_editor;
    m_menus->save->setEnabled(isEditing);
    m_menus->launch->setEnabled(isEditing);
    m_menus->undo->setEnabled(isEditing && m_editor->canUndo());
    m_menus->redo->setEnabled(isEditing && m_editor->canRedo());
}

void MainWindow::showRun(const QString& run)
{
    for (int id = 0; id < m_stack->count(); ++id) {
        auto* page = qobject_cast<Page*>(m_stack->widget(id));
        if (page == nullptr || !page->shows(run.toStdString()))
            continue;
        page->openRun(run.toStdString());
        return showPage(page);
    }
    showJob(run);
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
    if (m_editor == nullptr)
        return;
    m_editor->openText(jobFile, workingFolder);
    showPage(m_editor);
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
        if (m_editor == nullptr)
            return;
        m_editor->openFile(path);
        showPage(m_editor);
        return;
    }
    m_bridge.ask(&Cluster::openFile, path.toStdString())
        .then(this, [this](const Result<std::string>& run) {
            if (run)
                return showRun(QString::fromStdString(*run));
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
    for (int id = 0; id < m_stack->count(); ++id) {
        const auto* page = qobject_cast<Page*>(m_stack->widget(id));
        if (page == nullptr || page == m_editor)
            continue;
        m_sideBar->setPageTitle(id, page->title());
        m_menus->setPageTitle(id, page->title());
    }
    setTitle();
}

void MainWindow::setTitle()
{
    setWindowTitle(currentPage() == nullptr ? QStringLiteral("Ringmaster")
                                            : tr("%1 – Ringmaster").arg(currentPage()->headline()));
}

void MainWindow::restoreSession()
{
    if (!m_session.geometry().isEmpty())
        restoreGeometry(m_session.geometry());
    for (int id = 0; id < m_stack->count(); ++id) {
        auto* page = qobject_cast<Page*>(m_stack->widget(id));
        page->restoreState(m_session.pageState(page->objectName()));
        if (page->objectName() == m_session.page())
            showPage(page);
    }
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
    m_session.setPage(currentPage()->objectName());
    for (const Page* page : pages())
        m_session.setPageState(page->objectName(), page->saveState());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_closing->mayClose(pages(), m_runs.liveCount()))
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
