#include "app/jobs/JobsList.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Words.h"
#include "app/jobs/ElsewhereCard.h"
#include "app/jobs/JobNameDelegate.h"
#include "app/jobs/JobRowHeights.h"
#include "app/jobs/RunPreview.h"
#include "app/model/MachineJobs.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/EmptyState.h"
#include "app/widget/ProgressDelegate.h"
#include "app/widget/SparkLine.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// From here on the chosen job has room below the list.
constexpr int PreviewWidth = 1500;
constexpr int PreviewHeight = 980;
constexpr int LeastPreview = 560;
/// In a smaller window there is a glance at it below a list that leaves so much.
constexpr int GlanceWidth = 1100;
constexpr int GlanceHeight = 760;
constexpr int LeastGlance = 340;

bool isWell(Health health)
{
    return health == Health::Running || health == Health::Starting || health == Health::Finished;
}

} // namespace

JobsList::JobsList(EngineBridge& bridge, RunListModel& runs, QWidget* parent)
    : QWidget(parent)
    , m_runs(runs)
    , m_overview(bridge)
    , m_jobs(RunFilter::Show::All)
    , m_others(RunFilter::Show::All)
    , m_title(new QLabel(this))
    , m_health(new ElidedLabel(this))
    , m_search(new QLineEdit(this))
    , m_card(new Card(this))
    , m_table(new QTableView(this))
    , m_noMatch(new EmptyState(this))
    , m_othersButton(new QToolButton(this))
    , m_othersTable(new QTableView(this))
    , m_preview(new RunPreview(bridge, this))
    , m_empty(new EmptyState(this))
    , m_newButton(new QPushButton(this))
    , m_openButton(new QPushButton(this))
    , m_exampleButton(m_empty->addButton(true))
    , m_otherNewButton(m_empty->addButton(false))
    , m_otherOpenButton(m_empty->addButton(false))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    buildHead();
    m_runs.setOverview(m_overview);
    m_jobs.setPurposes({RunPurpose::Job});
    m_others.setPurposes({RunPurpose::Lesson, RunPurpose::Sweep});
    buildTable(*m_table, m_jobs);
    m_table->verticalHeader()->setMinimumSectionSize(JobRowHeights::Least);
    m_table->verticalHeader()->setMaximumSectionSize(JobRowHeights::Most);
    m_card->content()->addWidget(m_table, 1);
    m_card->content()->addWidget(m_noMatch, 1);
    buildOthers();
    m_card->content()->addStretch(0);
    showGpus();
    layout->addWidget(m_card, 1);
    layout->addWidget(m_preview, 1);
    layout->addWidget(m_empty, 1);
    m_preview->hide();
    connectButtons();
    connectRows();
    translated(this, [this] { setTexts(); });
}

void JobsList::connectRows()
{
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_runs, signal, this, &JobsList::update);
    connect(&m_runs, &QAbstractItemModel::dataChanged, this,
            [this] { m_health->setText(m_runs.healthText()); });
    connect(&m_overview, &RunOverview::changed, this, &JobsList::showGpus);
    m_fitRows.setSingleShot(true);
    m_fitRows.setInterval(0);
    connect(&m_fitRows, &QTimer::timeout, this, &JobsList::fitRows);
    const auto fitSoon = [this] { m_fitRows.start(); };
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_jobs, signal, this, fitSoon);
    connect(&m_jobs, &QAbstractItemModel::dataChanged, this, fitSoon);
    connect(&m_jobs, &QAbstractItemModel::layoutChanged, this, fitSoon);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, fitSoon);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &JobsList::showPreview);
    connect(m_preview, &RunPreview::openRequested, this, &JobsList::runChosen);
    connect(m_preview, &RunPreview::told, this, &JobsList::told);
}

void JobsList::buildHead()
{
    setLook(m_title, "title");
    setLook(m_health, "muted");
    setLook(m_newButton, "primary");
    m_search->setMinimumWidth(200);
    m_search->setClearButtonEnabled(true);
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addWidget(m_health, 1);
    head->addWidget(m_search);
    head->addWidget(m_openButton);
    head->addWidget(m_newButton);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
}

void JobsList::buildTable(QTableView& table, RunFilter& filter)
{
    filter.setSourceModel(&m_runs);
    table.setModel(&filter);
    dressTable(table, JobRowHeights::Least);
    table.setWordWrap(true);
    table.setSortingEnabled(true);
    table.sortByColumn(RunListModel::Started, Qt::DescendingOrder);
    using Column = RunListModel::Column;
    m_columns.push_back(new TableColumns(
        table, &table == m_table ? QStringLiteral("jobs") : QStringLiteral("otherJobs"),
        {.widths = {110, 96, 112, 64, 86, 120, 120, 52, 68, 140, 60},
         .lastWidth = 260,
         .givingWay = {Column::Started, Column::Ranks, Column::Restarts, Column::Gpu,
                       Column::BusBandwidth, Column::Cpu, Column::Duration},
         .growing = {{Column::Name, 220}, {Column::Cpu, 260}, {Column::Gpu, 260}}}));
    table.horizontalHeader()->moveSection(RunListModel::State, 0);
    table.setItemDelegateForColumn(RunListModel::Name, new JobNameDelegate(&table));
    using Kind = StateDelegate::Kind;
    table.setItemDelegateForColumn(
        RunListModel::State, new StateDelegate(Kind::Health, RunListModel::HealthRole, &table));
    table.setItemDelegateForColumn(RunListModel::Progress,
                                   new ProgressDelegate(RunListModel::ProgressRole, &table));
    for (const int column : {RunListModel::Cpu, RunListModel::Gpu})
        table.setItemDelegateForColumn(column,
                                       new SparkLineDelegate(RunListModel::SamplesRole, 1.0F,
                                                             QStringLiteral("0000 %"), &table));
    const auto choose = [this](const QModelIndex& index) {
        Q_EMIT runChosen(index.data(RunListModel::IdRole).toString());
    };
    connect(&table, &QTableView::activated, this, choose);
    // Below the list there is all that a click shows; two open its page.
    connect(&table, &QTableView::clicked, this, [this, choose, &table](const QModelIndex& index) {
        if (&table != m_table || m_preview->isHidden() ||
            m_preview->extent() == RunPanels::Extent::Glance)
            choose(index);
    });
}

void JobsList::buildOthers()
{
    buildTable(*m_othersTable, m_others);
    m_othersTable->verticalHeader()->setDefaultSectionSize(JobRowHeights::Least);
    setLook(m_othersButton, "flat");
    m_othersButton->setCheckable(true);
    connect(m_othersButton, &QToolButton::toggled, this, &JobsList::showOthers);
    m_card->content()->addWidget(m_othersButton, 0, Qt::AlignLeft);
    m_card->content()->addWidget(m_othersTable);
    m_othersTable->hide();
}

void JobsList::connectButtons()
{
    for (QPushButton* button : {m_newButton, m_otherNewButton})
        connect(button, &QPushButton::clicked, this, &JobsList::newJobRequested);
    for (QPushButton* button : {m_openButton, m_otherOpenButton})
        connect(button, &QPushButton::clicked, this, &JobsList::openRequested);
    connect(m_exampleButton, &QPushButton::clicked, this,
            [this] { Q_EMIT exampleRequested(QStringLiteral("point_to_point")); });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_jobs.setText(text);
        m_others.setText(text);
        update();
    });
}

void JobsList::watchMachine(std::unique_ptr<ForeignJobs::Machine> machine, const QString& name)
{
    auto* card = new ElsewhereCard(std::move(machine), name, this);
    m_elsewhere[name] = card;
    auto* rows = static_cast<QVBoxLayout*>(layout());
    rows->insertWidget(rows->indexOf(m_preview), card);
    card->jobs().setWatched(isVisible());
}

void JobsList::setMachines(MachineBridge& machines)
{
    connect(&machines, &MachineBridge::watchedChanged, this,
            [this, &machines] { watchMachines(machines); });
    watchMachines(machines);
}

void JobsList::watchMachines(MachineBridge& machines)
{
    std::erase_if(m_elsewhere, [&](const auto& known) {
        const auto& [name, card] = known;
        const bool isGone = !name.isEmpty() && !machines.watched().contains(name);
        if (isGone)
            delete card;
        return isGone;
    });
    for (const QString& name : machines.watched()) {
        if (!m_elsewhere.contains(name))
            watchMachine(watchedMachine(machines.watch(), name), name);
    }
}

void JobsList::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_overview.setWatched(true);
    for (const auto& [name, card] : m_elsewhere)
        card->jobs().setWatched(true);
}

void JobsList::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_fitRows.start();
}

void JobsList::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_overview.setWatched(false);
    for (const auto& [name, card] : m_elsewhere)
        card->jobs().setWatched(false);
}

void JobsList::showGpus()
{
    for (TableColumns* columns : m_columns)
        columns->setUseful(RunListModel::Gpu, m_overview.hasGpus());
}

void JobsList::showOthers(bool isShown)
{
    m_othersTable->setVisible(isShown && m_others.rowCount() > 0);
    update();
    m_fitRows.start();
}

/// The table is as high as its rows: what follows stands below them.
void JobsList::fitRows()
{
    using Extent = RunPanels::Extent;
    const bool isLarge = width() >= PreviewWidth && height() >= PreviewHeight;
    const int around = m_card->layout()->sizeHint().height() -
                       std::min(m_table->sizeHint().height(), m_table->maximumHeight());
    const bool isGlance = !isLarge && width() >= GlanceWidth && height() >= GlanceHeight &&
                          around + leastJobRows(*m_table) + LeastGlance <= roomForCards();
    const bool isPreviewed = m_jobs.rowCount() > 0 && (isLarge || isGlance);
    int room = 0;
    if (!isLarge)
        room = isGlance ? roomForCards() - LeastGlance - around : roomForTable();
    const int table = fitJobRows(*m_table, room, height());
    m_table->setMaximumHeight(table);
    const int most = roomForCards() - (isLarge ? LeastPreview : LeastGlance);
    m_card->setMinimumHeight(isPreviewed ? std::min(around + table, most) : 0);
    m_card->setMaximumHeight(isPreviewed ? m_card->minimumHeight() : QWIDGETSIZE_MAX);
    m_preview->setExtent(isLarge ? Extent::Whole : Extent::Glance);
    if (m_preview->isHidden() == isPreviewed) {
        m_preview->setVisible(isPreviewed);
        m_fitRows.start(); // the list's card has another height
    }
    showPreview();
}

/// What is below the head, without the jobs of others.
int JobsList::roomForCards() const
{
    int room = height() - m_card->y();
    for (const auto& [name, card] : m_elsewhere) {
        if (!card->isHidden())
            room -= card->height() + layout()->spacing();
    }
    return room;
}

void JobsList::showPreview()
{
    if (m_preview->isHidden())
        return;
    if (!m_table->currentIndex().isValid())
        m_table->setCurrentIndex(m_jobs.index(firstToPreview(), 0));
    m_preview->show(m_table->currentIndex().data(RunListModel::IdRole).toString().toStdString());
}

int JobsList::firstToPreview() const
{
    for (int row = 0; row < m_jobs.rowCount(); ++row) {
        const QModelIndex index = m_jobs.index(row, 0);
        const auto health = static_cast<Health>(index.data(RunListModel::HealthRole).toInt());
        if (index.data(RunListModel::LiveRole).toBool() && !isWell(health))
            return row;
    }
    return 0;
}

int JobsList::roomForTable() const
{
    int room = m_card->height() - m_table->y() - m_card->layout()->contentsMargins().bottom();
    for (const QWidget* below : {static_cast<const QWidget*>(m_othersButton),
                                 static_cast<const QWidget*>(m_othersTable)}) {
        if (!below->isHidden())
            room -= below->height() + m_card->content()->spacing();
    }
    return room;
}

void JobsList::focusFilter()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
}

QVariantMap JobsList::saveState() const
{
    return {{QStringLiteral("overview"), m_table->horizontalHeader()->saveState()},
            {QStringLiteral("others"), m_othersButton->isChecked()}};
}

void JobsList::restoreState(const QVariantMap& state)
{
    m_table->horizontalHeader()->restoreState(
        state.value(QStringLiteral("overview")).toByteArray());
    m_othersButton->setChecked(state.value(QStringLiteral("others")).toBool());
    for (TableColumns* columns : m_columns)
        columns->fit();
}

void JobsList::update()
{
    const bool isEmpty = m_runs.rowCount() == 0;
    m_card->setVisible(!isEmpty);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_search, m_newButton, m_openButton})
        widget->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    m_health->setText(m_runs.healthText());
    const int all = m_jobs.countOfAll();
    const int shown = m_jobs.rowCount();
    m_card->setSubtitle(shown == all ? tr("%n jobs", nullptr, all)
                                     : tr("%1 of %n jobs shown", nullptr, all).arg(shown));
    m_table->setVisible(shown > 0);
    m_noMatch->setVisible(shown == 0);
    if (all == 0)
        m_noMatch->setTexts(tr("No jobs yet"), tr("Lessons and sweeps are listed below."));
    else
        m_noMatch->setTexts(tr("No job matches"), tr("Change the filter to see the jobs."));
    const int others = m_others.rowCount();
    const bool isOpen = m_othersButton->isChecked();
    m_othersButton->setVisible(others > 0);
    m_othersButton->setText(tr("Lessons and sweeps (%1) %2")
                                .arg(others)
                                .arg(isOpen ? QStringLiteral("▾") : QStringLiteral("▸")));
    m_othersTable->setVisible(others > 0 && isOpen);
    constexpr int MostRows = 4;
    m_othersTable->setFixedHeight(tableHeight(*m_othersTable, MostRows));
}

void JobsList::setTexts()
{
    m_title->setText(tr("Jobs"));
    m_card->setTitle(tr("Running and recent"));
    m_search->setPlaceholderText(tr("Filter by name"));
    m_search->setAccessibleName(tr("Filter jobs by name"));
    m_table->setAccessibleName(tr("Running and recent jobs"));
    m_othersTable->setAccessibleName(tr("Lessons and sweeps"));
    m_table->viewport()->update();
    m_othersTable->viewport()->update();
    for (QPushButton* button : {m_newButton, m_otherNewButton})
        button->setText(tr("New job"));
    for (QPushButton* button : {m_openButton, m_otherOpenButton})
        button->setText(tr("Open…"));
    m_exampleButton->setText(tr("Run the 4-rank example"));
    m_empty->setTexts(
        tr("No jobs yet"),
        tr("Jobs that you start here or with “ringmaster run” in a terminal appear here, "
           "with their workers, logs and restarts."));
    update();
}

} // namespace ringmaster::app
