#include "app/jobs/JobsPage.h"

#include "app/jobs/JobPage.h"
#include "app/jobs/PanelMenu.h"
#include "app/widget/Card.h"
#include "app/widget/EmptyState.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

JobsPage::JobsPage(EngineBridge& bridge, RunListModel& runs, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_runs(runs)
    , m_filter(RunFilter::Show::All)
    , m_actions(this)
    , m_stack(new QStackedWidget(this))
    , m_list(new QWidget(this))
    , m_title(new QLabel(this))
    , m_search(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_card(new Card(this))
    , m_noMatch(new EmptyState(this))
    , m_empty(new EmptyState(this))
    , m_newButton(new QPushButton(this))
    , m_openButton(new QPushButton(this))
    , m_exampleButton(m_empty->addButton(true))
    , m_otherNewButton(m_empty->addButton(false))
    , m_otherOpenButton(m_empty->addButton(false))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    buildList();
    m_stack->addWidget(m_list);
    connectActions();
    translated(this, [this] { setTexts(); });
    updateList();
}

QString JobsPage::title() const
{
    return tr("Jobs");
}

void JobsPage::buildList()
{
    setLook(m_title, "title");
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addStretch(1);
    m_search->setMinimumWidth(240);
    m_search->setClearButtonEnabled(true);
    head->addWidget(m_search);
    head->addWidget(m_openButton);
    head->addWidget(m_newButton);
    setLook(m_newButton, "primary");
    buildTable();
    m_card->content()->addWidget(m_table, 1);
    m_card->content()->addWidget(m_noMatch, 1);
    auto* layout = new QVBoxLayout(m_list);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addLayout(head);
    layout->addWidget(m_card, 1);
    layout->addWidget(m_empty, 1);
    for (QPushButton* button : {m_newButton, m_otherNewButton})
        connect(button, &QPushButton::clicked, this, &Page::newJobRequested);
    for (QPushButton* button : {m_openButton, m_otherOpenButton})
        connect(button, &QPushButton::clicked, this, &Page::openRequested);
    connect(m_exampleButton, &QPushButton::clicked, this,
            [this] { Q_EMIT exampleRequested(QStringLiteral("point_to_point")); });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter.setText(text);
        updateList();
    });
}

void JobsPage::buildTable()
{
    m_filter.setSourceModel(&m_runs);
    m_table->setModel(&m_filter);
    dressTable(*m_table, 34);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunListModel::Started, Qt::DescendingOrder);
    setColumnWidths(*m_table, {240, 130, 80, 110, 150, 90});
    m_table->setItemDelegateForColumn(
        RunListModel::State,
        new StateDelegate(StateDelegate::Kind::Health, RunListModel::HealthRole, m_table));
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT runChosen(index.data(RunListModel::IdRole).toString());
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        Q_EMIT runChosen(index.data(RunListModel::IdRole).toString());
    });
    connect(&m_runs, &QAbstractItemModel::rowsInserted, this, &JobsPage::updateList);
    connect(&m_runs, &QAbstractItemModel::rowsRemoved, this, &JobsPage::updateList);
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
    onJob(m_actions.showStacks, &JobPage::showStacks);
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
                             QString::fromStdString(run.started.workingFolder));
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
    m_job = new JobPage(m_bridge, run.toStdString(), m_actions, this);
    connect(m_job, &JobPage::toastRequested, this, &Page::toastRequested);
    connect(&m_job->run(), &RunModel::runChanged, this, &Page::headlineChanged);
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

QString JobsPage::headline() const
{
    return m_job == nullptr ? title() : m_job->headline();
}

void JobsPage::focusFilter()
{
    if (m_job != nullptr)
        m_job->focusFilter();
    else
        m_search->setFocus(Qt::ShortcutFocusReason);
}

void JobsPage::togglePlay()
{
    if (m_job != nullptr)
        m_job->toggleFollow();
}

QVariantMap JobsPage::saveState() const
{
    return {{QStringLiteral("run"), shownRun()},
            {QStringLiteral("job"), m_job != nullptr ? m_job->saveState() : m_jobState},
            {QStringLiteral("columns"), m_table->horizontalHeader()->saveState()}};
}

void JobsPage::restoreState(const QVariantMap& state)
{
    m_jobState = state.value(QStringLiteral("job")).toMap();
    m_table->horizontalHeader()->restoreState(state.value(QStringLiteral("columns")).toByteArray());
    const QString run = state.value(QStringLiteral("run")).toString();
    if (m_runs.indexOf(run).isValid())
        showRun(run);
}

void JobsPage::updateList()
{
    const bool isEmpty = m_runs.rowCount() == 0;
    m_card->setVisible(!isEmpty);
    m_search->setVisible(!isEmpty);
    m_newButton->setVisible(!isEmpty);
    m_openButton->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    const int all = m_runs.rowCount();
    const int shown = m_filter.rowCount();
    m_card->setSubtitle(shown == all ? tr("%n jobs", nullptr, all)
                                     : tr("%1 of %n jobs shown", nullptr, all).arg(shown));
    m_table->setVisible(shown > 0);
    m_noMatch->setVisible(shown == 0);
}

void JobsPage::setTexts()
{
    m_title->setText(title());
    m_card->setTitle(tr("Running and recent"));
    m_search->setPlaceholderText(tr("Filter by name"));
    m_search->setAccessibleName(tr("Filter jobs by name"));
    m_table->setAccessibleName(tr("Running and recent jobs"));
    m_table->viewport()->update();
    m_newButton->setText(tr("New job"));
    m_otherNewButton->setText(tr("New job"));
    m_openButton->setText(tr("Open…"));
    m_otherOpenButton->setText(tr("Open…"));
    m_noMatch->setTexts(tr("No job matches"), tr("Change the filter to see the jobs."));
    m_exampleButton->setText(tr("Run the 4-rank example"));
    m_empty->setTexts(
        tr("No jobs yet"),
        tr("Jobs that you start here or with “ringmaster run” in a terminal appear here, "
           "with their workers, logs and restarts."));
    updateList();
}

} // namespace ringmaster::app
