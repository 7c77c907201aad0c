#include "app/bandwidth/SweepResults.h"

#include "app/bandwidth/SweepText.h"
#include "app/model/SeriesLooks.h"
#include "app/widget/Card.h"
#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "app/widget/Theme.h"
#include "app/widget/Translated.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QListView>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <map>
#include <tuple>

namespace ringmaster::app {

namespace {

/// What tells several sweeps apart is the shape; of one alone, its collectives have it.
SeriesLook lookOf(const SweepRow& row, size_t sweep, size_t sweeps)
{
    const int line = collectiveLine(row.collective);
    return {.color = backendColor(row.backend),
            .line = line,
            .shape = sweeps > 1 ? static_cast<int>(sweep) : line};
}

/// Of all of them together.
std::vector<std::int64_t> plannedSizes(const std::vector<SweepRun*>& runs)
{
    std::vector<std::int64_t> sizes;
    for (const SweepRun* run : runs) {
        if (run->plan())
            sizes.insert(sizes.end(), run->plan()->sizes.begin(), run->plan()->sizes.end());
    }
    return sizes;
}

} // namespace

SweepResults::SweepResults(SweepListModel& sweeps, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_sweeps(sweeps)
    , m_chartCard(new Card(this))
    , m_tableCard(new Card(this))
    , m_listCard(new Card(this))
    , m_chart(new SweepChart(m_chartCard))
    , m_table(new QTableView(m_tableCard))
    , m_list(new QListView(m_listCard))
    , m_upper(new QSplitter(this))
    , m_bandwidthButton(new QToolButton(m_chartCard))
    , m_latencyButton(new QToolButton(m_chartCard))
{
    buildTable();
    buildChart();
    buildList();
    // The table has many columns, and the list of sweeps is no higher than the chart needs.
    m_upper->addWidget(m_chartCard);
    m_upper->addWidget(m_listCard);
    addWidget(m_upper);
    addWidget(m_tableCard);
    for (QSplitter* splitter : {m_upper, static_cast<QSplitter*>(this)}) {
        splitter->setHandleWidth(12);
        splitter->setChildrenCollapsible(false);
    }
    m_upper->setSizes({900, 230});
    m_upper->setStretchFactor(0, 1);
    setSizes({460, 260});
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_sweeps, signal, this, &SweepResults::showList);
    connect(&m_sweeps, &QAbstractItemModel::modelReset, this, &SweepResults::showList);
    connect(&m_sweeps, &SweepListModel::shownChanged, this, &SweepResults::showList);
    showList();
    translated(this, [this] { setTexts(); });
}

void SweepResults::buildTable()
{
    dressTable(*m_table);
    m_sorted.setSourceModel(&m_rows);
    m_sorted.setSortRole(SweepTableModel::SortRole);
    m_table->setModel(&m_sorted);
    m_table->setSortingEnabled(true);
    // As measured, until a column is chosen.
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_sorted.sort(-1);
    using Column = SweepTableModel::Column;
    m_columns = new TableColumns(
        *m_table, QStringLiteral("sweep"),
        {.widths = {90, 96, 72, 66, 96, 84, 92, 108, 108, 90, 90, 66, 80},
         .lastWidth = 60,
         .givingWay = {Column::Reduction, Column::Type, Column::P99, Column::P50, Column::Count,
                       Column::Collective, Column::AlgorithmBandwidth, Column::Note}});
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_table->selectionModel()->selectedRows();
        m_chart->setSelected(
            rows.isEmpty() ? -1 : rows.first().data(SweepTableModel::SeriesRole).toInt());
    });
    m_tableCard->content()->addWidget(m_table, 1);
}

void SweepResults::buildChart()
{
    auto* views = new QButtonGroup(this);
    for (QToolButton* button : {m_bandwidthButton, m_latencyButton}) {
        setLook(button, "flat");
        button->setCheckable(true);
        views->addButton(button);
        m_chartCard->addHeaderWidget(button);
    }
    m_bandwidthButton->setChecked(true);
    m_chartCard->content()->addWidget(m_chart, 1);
    connect(m_latencyButton, &QToolButton::toggled, this, [this](bool latency) {
        m_chart->setView(latency ? SweepChart::View::Latency : SweepChart::View::Bandwidth);
        setTexts();
    });
    m_chart->setCsv([this] { return sweepCsv(rows()); });
    connect(m_chart, &PlotView::told, this, &SweepResults::told);
    connect(m_chart, &PlotView::seriesChosen, this, &SweepResults::chooseSeries);
}

void SweepResults::buildList()
{
    m_list->setModel(&m_sweeps);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setSpacing(3);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    setLook(m_list, "framed");
    m_listCard->content()->addWidget(m_list, 1);
    connect(m_list, &QListView::activated, this,
            [this](const QModelIndex& index) { m_sweeps.showOnly(m_sweeps.at(index.row()).id); });
}

/// One that is shown anyway needs no list to be chosen from.
void SweepResults::showList()
{
    const int sweeps = m_sweeps.rowCount();
    m_listCard->setVisible(sweeps > 1 || (sweeps == 1 && m_sweeps.shown().empty()));
}

void SweepResults::show(const std::vector<SweepRun*>& runs, const std::vector<Ceiling>& ceilings)
{
    std::vector<SweepChart::Line> lines;
    std::vector<SweepTableModel::Row> rows;
    std::map<std::tuple<size_t, std::string, std::string>, int> series;
    for (size_t i = 0; i < runs.size(); ++i) {
        const auto& plan = runs[i]->plan();
        const bool isOne = !plan || plan->collectives.size() < 2;
        for (const SweepRow& row : runs[i]->rows()) {
            const auto next = static_cast<int>(lines.size());
            const auto [at, isNew] = series.try_emplace({i, row.collective, row.backend}, next);
            rows.push_back({at->second, runs[i]->label(), row});
            if (!isNew)
                continue;
            QStringList name{QString::fromStdString(row.backend)};
            if (!isOne)
                name.prepend(QString::fromStdString(row.collective));
            if (runs.size() > 1)
                name << runs[i]->label();
            lines.push_back({name.join(QStringLiteral(" · ")), lookOf(row, i, runs.size())});
        }
    }
    std::vector<std::string> shown;
    for (const SweepRun* run : runs)
        shown.push_back(run->run());
    const QScrollBar* bar = m_table->verticalScrollBar();
    const bool wasAtEnd = bar->value() == bar->maximum();
    const bool isSame = std::exchange(m_shown, shown) == shown;
    const bool hasGrown = isSame && rows.size() > m_rows.rows().size() && !m_rows.rows().empty();
    m_rows.show(rows);
    // What is being measured comes into sight, unless somebody looks at something else.
    if (hasGrown && wasAtEnd)
        m_table->scrollToBottom();
    m_chart->show(lines, m_rows.rows(), ceilings, plannedSizes(runs));
    m_columns->setUseful(SweepTableModel::Run, runs.size() > 1);
    for (const SweepRun* run : runs)
        m_sweeps.setBest(run->run(), bestText(run->rows()));
}

void SweepResults::setProgress(const QString& progress)
{
    m_chartCard->setSubtitle(progress);
}

void SweepResults::chooseSeries(int series)
{
    m_chart->setSelected(series);
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    const auto isOfSeries = [series](const QModelIndex& index) {
        return index.data(SweepTableModel::SeriesRole).toInt() == series;
    };
    if (!chosen.isEmpty() && isOfSeries(chosen.first()))
        return;
    for (int row = 0; series >= 0 && row < m_sorted.rowCount(); ++row) {
        if (isOfSeries(m_sorted.index(row, 0)))
            return m_table->selectRow(row);
    }
    m_table->selectionModel()->clearSelection();
}

QVariantMap SweepResults::saveLook() const
{
    return {{QStringLiteral("latency"), m_latencyButton->isChecked()},
            {QStringLiteral("rows"), saveState()},
            {QStringLiteral("upper"), m_upper->saveState()}};
}

void SweepResults::restoreLook(const QVariantMap& state)
{
    const bool latency = state.value(QStringLiteral("latency")).toBool();
    (latency ? m_latencyButton : m_bandwidthButton)->setChecked(true);
    restoreState(state.value(QStringLiteral("rows")).toByteArray());
    m_upper->restoreState(state.value(QStringLiteral("upper")).toByteArray());
}

void SweepResults::setTexts()
{
    const bool isLatency = m_latencyButton->isChecked();
    m_chartCard->setTitle(isLatency ? tr("Time against message size")
                                    : tr("Bus bandwidth against message size"));
    m_tableCard->setTitle(tr("Measurements"));
    m_listCard->setTitle(tr("Sweeps"));
    m_listCard->setSubtitle(tr("check to compare"));
    m_bandwidthButton->setText(tr("Bandwidth"));
    m_latencyButton->setText(tr("Latency"));
    m_chart->setAccessibleName(tr("Bandwidth by size; the table has the same content"));
    m_table->setAccessibleName(tr("Measurements"));
    m_list->setAccessibleName(tr("Sweeps"));
}

} // namespace ringmaster::app
