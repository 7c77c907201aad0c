#include "app/jobs/JobsPage.h"

#include "app/bridge/MachineBridge.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsList.h"
#include "app/jobs/PanelMenu.h"

#include <QStackedWidget>
#include <QVBoxLayout>

namespace ringmaster::app {

JobsPage::JobsPage(EngineBridge& bridge, RunListModel& runs, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_runs(runs)
    , m_actions(this)
    , m_stack(new QStackedWidget(this))
    , m_list(new JobsList(bridge, runs, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_stack->addWidget(m_list);
    connectList();
    connectActions();
}

void JobsPage::connectList()
{
    connect(m_list, &JobsList::runChosen, this, &Page::runChosen);
    connect(m_list, &JobsList::newJobRequested, this, &Page::newJobRequested);
    connect(m_list, &JobsList::openRequested, this, &Page::openRequested);
    connect(m_list, &JobsList::exampleRequested, this, &Page::exampleRequested);
    connect(m_list, &JobsList::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, nullptr); });
}

void JobsPage::connectActions()
{
    const auto onJob = [this](QAction* action, void (JobPage::*command)()) {
        connect(action, &QAction::triggered, this, [this, command] {
            if (m_job != nullptr)
                (m_job->*command)();
        });
    };
    onJob(m_actions.stop, &JobPage::stop);
    onJob(m_actions.restart, &JobPage::restart);
    onJob(m_actions.fireDrill, &JobPage::fireDrill);
    onJob(m_actions.forwardPort, &JobPage::forwardPort);
    onJob(m_actions.showStacks, &JobPage::showStacks);
    onJob(m_actions.makeLesson, &JobPage::makeLesson);
    onJob(m_actions.openLogs, &JobPage::openLogs);
    onJob(m_actions.copyCommand, &JobPage::copyCommand);
    connect(m_actions.clearSelection, &QAction::triggered, this, [this] {
        if (m_job != nullptr)
            m_job->selectRank(-1);
    });
    connect(&m_actions, &JobActions::signalChosen, this, [this](int signal) {
        if (m_job != nullptr)
            m_job->sendSignal(signal);
    });
    connect(m_actions.runAgain, &QAction::triggered, this, [this] {
        if (m_job != nullptr && m_job->isVisible() &&
            !m_job->run().snapshot().started.jobFile.empty())
            runAgain(m_job->run().snapshot());
        else
            Q_EMIT runLastRequested();
    });
    connect(m_actions.edit, &QAction::triggered, this, [this] {
        if (m_job == nullptr)
            return;
        const RunStarted& started = m_job->run().snapshot().started;
        Q_EMIT editRequested(QString::fromStdString(started.jobFile),
                             QString::fromStdString(started.workingFolder));
    });
}

void JobsPage::runAgain(const RunSnapshot& run)
{
    Q_EMIT runAgainRequested(QString::fromStdString(run.started.jobFile),
                             QString::fromStdString(run.started.workingFolder),
                             machineOf(shownRun().toStdString()));
}

void JobsPage::watchMachine(std::unique_ptr<ForeignJobs::Machine> machine)
{
    m_list->watchMachine(std::move(machine));
}

void JobsPage::setMachines(MachineBridge& machines)
{
    m_machines = &machines;
    m_list->setMachines(machines);
}

void JobsPage::showList()
{
    leaveJob();
    m_stack->setCurrentWidget(m_list);
    m_list->setFocus();
    Q_EMIT shownRunChanged({});
    Q_EMIT headlineChanged();
}

void JobsPage::leaveJob()
{
    if (m_job == nullptr)
        return;
    m_jobState = m_job->saveState();
    m_stack->removeWidget(m_job);
    m_job->deleteLater();
    m_job = nullptr;
    m_actions.panels->follow(nullptr);
    m_actions.update(nullptr, false, -1);
}

void JobsPage::showRun(const QString& run)
{
    if (run == shownRun())
        return;
    leaveJob();
    m_job = new JobPage(m_bridge, run.toStdString(), m_actions, m_ports, this);
    connect(m_job, &JobPage::toastRequested, this, &Page::toastRequested);
    connect(&m_job->run(), &RunModel::runChanged, this, &Page::headlineChanged);
    if (m_machines != nullptr)
        m_job->setMachines(*m_machines);
    m_stack->addWidget(m_job);
    m_stack->setCurrentWidget(m_job);
    // Else the first button would have the focus, and look chosen.
    m_job->setFocus();
    if (!m_jobState.isEmpty())
        m_job->restoreState(m_jobState);
    m_actions.panels->follow(&m_job->panels());
    Q_EMIT shownRunChanged(run);
    Q_EMIT headlineChanged();
}

QString JobsPage::shownRun() const
{
    return m_job == nullptr ? QString() : QString::fromStdString(m_job->run().run());
}

/// The window makes it itself: it is shown first.
PageDescription JobsPage::description()
{
    return {.key = QStringLiteral("jobs"), .title = [] { return tr("Jobs"); }};
}

QString JobsPage::headline() const
{
    return m_job == nullptr ? QString() : m_job->headline();
}

void JobsPage::focusFilter()
{
    if (m_job != nullptr)
        m_job->focusFilter();
    else
        m_list->focusFilter();
}

void JobsPage::togglePlay()
{
    if (m_job != nullptr)
        m_job->toggleFollow();
}

QVariantMap JobsPage::saveState() const
{
    QVariantList ports;
    for (const int port : m_ports.recent())
        ports.append(port);
    return {{QStringLiteral("run"), shownRun()},
            {QStringLiteral("ports"), ports},
            {QStringLiteral("job"), m_job != nullptr ? m_job->saveState() : m_jobState},
            {QStringLiteral("list"), m_list->saveState()}};
}

void JobsPage::restoreState(const QVariantMap& state)
{
    m_jobState = state.value(QStringLiteral("job")).toMap();
    QList<int> ports;
    for (const QVariant& port : state.value(QStringLiteral("ports")).toList())
        if (port.toInt() > 0 && port.toInt() <= 65'535)
            ports.append(port.toInt());
    m_ports.setRecent(ports);
    m_list->restoreState(state.value(QStringLiteral("list")).toMap());
    const QString run = state.value(QStringLiteral("run")).toString();
    if (m_runs.indexOf(run).isValid())
        showRun(run);
}

} // namespace ringmaster::app
