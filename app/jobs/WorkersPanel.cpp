#include "app/jobs/WorkersPanel.h"

#include "app/jobs/HostStrip.h"
#include "app/jobs/WorkerTiles.h"
#include "app/model/FigureAge.h"
#include "app/widget/FlowLayout.h"
#include "app/widget/SparkLine.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {
constexpr int LeastTable = 84;
constexpr int LeastTiles = 106; ///< Two lines of low tiles, three of flat ones.
} // namespace

WorkersPanel::WorkersPanel(const RunModel& run, QWidget* parent)
    : TwinCard(parent)
    , m_run(run)
    , m_workers(run)
    , m_filter(m_workers)
    , m_tiles(new WorkerTiles(this))
    , m_strip(new HostStrip(this))
    , m_chipBar(new QWidget(this))
{
    buildViews();
    buildChips();
    m_chipUpdate.setSingleShot(true);
    m_chipUpdate.setInterval(50ms);
    const auto update = [this] {
        if (!m_chipUpdate.isActive())
            m_chipUpdate.start();
    };
    connect(&m_chipUpdate, &QTimer::timeout, this, &WorkersPanel::updateChips);
    connect(&run, &RunModel::workersChanged, this, update);
    connect(&run, &RunModel::workersReplaced, this, update);
    connect(&run, &RunModel::runChanged, this, [this] {
        if (latestOfEachHost(m_run.snapshot()) != m_hosts)
            updateHosts();
    });
    translated(this, [this] { setTexts(); });
}

void WorkersPanel::buildViews()
{
    m_tiles->setModel(&m_filter);
    buildTable();
    m_tiles->setSelectionModel(table()->selectionModel());
    for (QAbstractItemView* view :
         {static_cast<QAbstractItemView*>(m_tiles), static_cast<QAbstractItemView*>(table())}) {
        setLook(view, "framed");
        view->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(view, &QWidget::customContextMenuRequested, this,
                [this, view](const QPoint& point) {
                    Q_EMIT menuRequested(view->viewport()->mapToGlobal(point));
                });
    }
    connect(table()->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        m_wantedRank = selectedRank();
        m_tiles->viewport()->update();
        Q_EMIT rankSelected(m_wantedRank);
    });
    content()->addWidget(m_strip);
    setView(m_tiles);
    connect(this, &TwinCard::tableShown, this, [this] {
        updateHosts();
        Q_EMIT heightChanged();
    });
}

void WorkersPanel::buildTable()
{
    table()->setModel(&m_filter);
    table()->verticalHeader()->setDefaultSectionSize(26);
    table()->setSortingEnabled(true);
    table()->sortByColumn(WorkerTableModel::Rank, Qt::AscendingOrder);
    table()->setItemDelegateForColumn(
        WorkerTableModel::State,
        new StateDelegate(StateDelegate::Kind::Health, WorkerTableModel::HealthRole, table()));
    table()->setItemDelegateForColumn(WorkerTableModel::Cpu,
                                      new SparkLineDelegate(WorkerTableModel::SparkRole, 1.0F,
                                                            QStringLiteral("0000 %"), table()));
    table()->setItemDelegateForColumn(WorkerTableModel::Memory,
                                      new SparkLineDelegate(WorkerTableModel::SparkRole, 64.0F,
                                                            QStringLiteral("0000 MiB"), table()));
    using Column = WorkerTableModel::Column;
    m_columns =
        new TableColumns(*table(), QStringLiteral("workers"),
                         {.widths = {68, 118, 72, 130, 130, 84, 90, 92, 80},
                          .givingWay = {Column::Role, Column::LocalRank, Column::Node, Column::Pid,
                                        Column::Restarts, Column::Memory, Column::Cpu}});
}

void WorkersPanel::buildChips()
{
    using Group = WorkerFilter::Group;
    struct Row
    {
        Group group;
        FilterChip::ColorOf color;
        Glyph shape;
    };
    const Row rows[] = {
        {Group::Running, &Tokens::running, Glyph::Circle},
        {Group::Hanging, &Tokens::failed, Glyph::Diamond},
        {Group::Stopped, &Tokens::failed, Glyph::Bars},
        {Group::Waiting, &Tokens::warning, Glyph::HalfCircle},
        {Group::Slow, &Tokens::warning, Glyph::Triangle},
        {Group::Starting, &Tokens::neutral, Glyph::HollowCircle},
        {Group::Finished, &Tokens::finished, Glyph::Tick},
        {Group::Ended, &Tokens::stopped, Glyph::Square},
        {Group::StoppedByUser, &Tokens::stopped, Glyph::Square},
        {Group::Recorded, &Tokens::neutral, Glyph::DashedRing},
        {Group::Lost, &Tokens::restarted, Glyph::DashedRing},
        {Group::Failed, &Tokens::failed, Glyph::Cross},
        {Group::Restarted, &Tokens::restarted, Glyph::Arrow},
    };
    auto* layout = new FlowLayout(m_chipBar);
    for (const Row& row : rows) {
        auto* chip = new FilterChip(row.color, row.shape, m_chipBar);
        layout->addWidget(chip);
        m_chips.push_back({row.group, chip});
        connect(chip, &QAbstractButton::toggled, this, [this, group = row.group](bool shown) {
            m_filter.setShown(group, shown);
            updateChips();
        });
    }
    content()->addWidget(m_chipBar);
}

void WorkersPanel::updateChips()
{
    using Group = WorkerFilter::Group;
    for (const Chip& chip : m_chips) {
        int count = 0;
        for (const WorkerSnapshot& worker : m_workers.workers())
            count += belongs(chip.group, m_workers.healthOf(worker), m_workers.restartsOf(worker))
                         ? 1
                         : 0;
        const bool isUsual = chip.group == Group::Running || chip.group == Group::Failed ||
                             chip.group == Group::Restarted;
        const QString text = textOf(chip.group, count);
        if (chip.button->text() != text) {
            chip.button->setText(text);
            chip.button->setAccessibleName(text);
            chip.button->updateGeometry();
        }
        chip.button->setVisible(isUsual || count > 0 || chip.button->isChecked());
    }
    m_columns->setUseful(WorkerTableModel::Exit,
                         std::ranges::any_of(m_workers.workers(), [](const WorkerSnapshot& worker) {
                             return worker.lastExit.has_value();
                         }));
    const int shown = m_filter.rowCount();
    const int all = m_workers.rowCount();
    if (std::exchange(m_rows, shown) != shown)
        Q_EMIT heightChanged();
    updateHosts();
    m_said = (m_filter.isFiltering() ? tr("%1 of %2 shown").arg(shown).arg(all)
              : all == 0 ? (m_workers.isEarlier() ? tr("those of this attempt aren't kept any more")
                                                  : tr("none yet"))
              : m_workers.isEarlier()
                  ? tr("as attempt %1 ended").arg(m_workers.workers().front().attempt + 1)
                  : tr("choose a rank for its log and its exit"));
    updateAge();
    // A worker that is there again after a restart is still the chosen one.
    if (m_wantedRank >= 0 && selectedRank() != m_wantedRank)
        selectRank(m_wantedRank);
}

void WorkersPanel::updateHosts()
{
    std::vector<HostSnapshot> untold = latestOfEachHost(m_run.snapshot());
    if (untold != m_hosts) {
        m_hosts = untold;
        m_tiles->arrangeLater();
    }
    const bool isToldByTiles = !untold.empty() && !showsTable();
    for (const QModelIndex& worker : isToldByTiles ? m_tiles->headings() : QModelIndexList()) {
        const QString name = worker.data(WorkerTableModel::HeadingRole).toString();
        const int state = worker.data(WorkerTableModel::HostStateRole).toInt();
        std::erase_if(untold, [&](const HostSnapshot& host) {
            return QString::fromStdString(host.host) == name &&
                   static_cast<int>(host.state) == state;
        });
    }
    if (m_strip->setHosts(untold))
        Q_EMIT heightChanged();
}

void WorkersPanel::updateAge()
{
    setSubtitle(m_workers.isEarlier() ? m_said : withFigureAge(m_said, m_run, m_run.lastSample()));
}

void WorkersPanel::showAttempt(int attempt)
{
    m_workers.showAttempt(attempt);
    updateChips();
}

QString WorkersPanel::textOf(WorkerFilter::Group group, int count) const
{
    using Group = WorkerFilter::Group;
    switch (group) {
    case Group::Running: return tr("Running %1").arg(count);
    case Group::Hanging: return tr("Hanging %1").arg(count);
    case Group::Waiting: return tr("Waiting %1").arg(count);
    case Group::Slow: return tr("Slow %1").arg(count);
    case Group::Starting: return tr("Starting %1").arg(count);
    case Group::Finished: return tr("Finished %1").arg(count);
    case Group::Stopped: return tr("Stopped %1", "by a signal").arg(count);
    case Group::Ended: return tr("Ended %1", "because another rank failed").arg(count);
    case Group::StoppedByUser: return tr("Stopped by you %1").arg(count);
    case Group::Recorded: return tr("Recorded %1").arg(count);
    case Group::Lost: return tr("Lost %1").arg(count);
    case Group::Failed: return tr("Failed %1").arg(count);
    case Group::Restarted: return tr("Restarted %1").arg(count);
    }
    return {};
}

void WorkersPanel::setTexts()
{
    setTitle(tr("Workers"));
    setTwinTexts(tr("Workers as tiles"), tr("Workers as a table"),
                 tr("Show the workers as a table"));
    m_chipBar->setAccessibleName(tr("Filter workers by state"));
    for (const Chip& chip : m_chips)
        chip.button->setToolTip(tr("Show only these workers"));
    updateChips();
}

Card::Height WorkersPanel::heightIn(int width) const
{
    const int around = heightAround({m_tiles, table()}, width);
    if (showsTable()) {
        const int all = tableHeight(*table());
        return {around + std::min(all, LeastTable), around + all};
    }
    const WorkerTiles::Height tiles = m_tiles->heightIn(widthInside(width));
    const int least = LeastTiles + 2 * m_tiles->frameWidth();
    return {around + std::min(tiles.low, least), around + tiles.full};
}

int WorkersPanel::selectedRank() const
{
    const QModelIndexList rows = table()->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.first().data(WorkerTableModel::RankRole).toInt();
}

void WorkersPanel::selectRank(int globalRank)
{
    const QModelIndex index = m_filter.indexOfRank(globalRank);
    if (!index.isValid()) {
        table()->selectionModel()->clearSelection();
        return;
    }
    table()->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                          QItemSelectionModel::Rows);
}

} // namespace ringmaster::app
