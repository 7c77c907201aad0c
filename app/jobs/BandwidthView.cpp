#include "app/jobs/BandwidthView.h"

#include "app/jobs/BandwidthChart.h"
#include "app/jobs/OperationDelegates.h"
#include "app/jobs/OperationsInSpan.h"
#include "app/widget/TableBelow.h"
#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace ringmaster::app {

namespace {
constexpr int LeastChart = 190; ///< With its legend and its axes.
} // namespace

BandwidthView::BandwidthView(const OperationFeed& feed, const RunModel& run, TimeSpan& span,
                             AttemptChoice& attempts, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
    , m_run(run)
    , m_span(span)
    , m_attempts(attempts)
    , m_series(run)
    , m_chart(new BandwidthChart(feed, span, attempts, this))
    , m_operationTable(new QTableView(this))
    , m_seriesTable(new QTableView(this))
    , m_upper(new QStackedWidget(this))
{
    buildTables();
    m_upper->addWidget(m_chart);
    m_upper->addWidget(m_seriesTable);
    m_splitter = new TableBelow(m_upper, m_operationTable, LeastChart, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    connectViews();
    translated(this, [this] { setTexts(); });
}

void BandwidthView::buildTables()
{
    for (QTableView* table : {m_operationTable, m_seriesTable})
        dressTable(*table);
    m_sorted.setSourceModel(&m_operations);
    m_sorted.setSortRole(OperationTableModel::SortRole);
    m_operationTable->setModel(&m_sorted);
    m_operationTable->setSortingEnabled(true);
    m_operationTable->sortByColumn(OperationTableModel::Share, Qt::DescendingOrder);
    m_operationTable->setItemDelegateForColumn(OperationTableModel::Kind,
                                               new OperationKindDelegate(m_operationTable));
    m_operationTable->setItemDelegateForColumn(OperationTableModel::Share,
                                               new OperationShareDelegate(m_operationTable));
    using Column = OperationTableModel::Column;
    new TableColumns(
        *m_operationTable, QStringLiteral("operations"),
        {.widths = {168, 74, 70, 86, 86, 112, 86, 86, 86, 76, 96},
         .givingWay = {Column::Type, Column::Backend, Column::AlgorithmBandwidth, Column::Group,
                       Column::Waiting, Column::Count, Column::Wire, Column::Felt}});
}

void BandwidthView::connectViews()
{
    connect(m_chart, &BandwidthChart::kindChosen, this, &BandwidthView::chooseKind);
    connect(m_chart, &BandwidthChart::told, this, &BandwidthView::told);
    m_chart->setCsv([this] {
        return seriesCsv(seriesIn(m_feed.summary(), m_span, m_attempts),
                         m_run.history().begin().monotonicNs);
    });
    connect(
        m_operationTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
            const QModelIndexList rows = m_operationTable->selectionModel()->selectedRows();
            m_chart->setSelectedKind(
                rows.isEmpty() ? std::nullopt
                               : std::optional(static_cast<ledger::OperationKind>(
                                     rows.first().data(OperationTableModel::KindRole).toInt())));
        });
    connect(m_seriesTable, &QTableView::clicked, this, [this](const QModelIndex& index) {
        chooseKind(
            static_cast<ledger::OperationKind>(index.data(SeriesTableModel::KindRole).toInt()));
    });
}

void BandwidthView::setTable(bool isTable)
{
    // Rows that nobody sees needn't be followed.
    showModel(*m_seriesTable, isTable ? &m_series : nullptr, {84, 180, 80, 90});
    if (isTable)
        m_series.show(seriesIn(m_feed.summary(), m_span, m_attempts));
    m_upper->setCurrentIndex(isTable ? 1 : 0);
    m_operationTable->setVisible(!isTable);
}

void BandwidthView::showFeed(const std::string& backend, const std::optional<Ceiling>& ceiling)
{
    m_operations.show(m_feed.summary());
    m_chart->setBackend(backend);
    std::vector<double> restarts;
    for (const RestartMark& mark : m_run.history().restarts())
        restarts.push_back(static_cast<double>(mark.at.monotonicNs));
    m_chart->setRestarts(restarts);
    m_chart->setCeiling(ceiling);
}

void BandwidthView::chooseKind(std::optional<ledger::OperationKind> kind)
{
    m_chart->setSelectedKind(kind);
    QItemSelectionModel* selection = m_operationTable->selectionModel();
    const QModelIndexList rows = selection->selectedRows();
    const auto isOfKind = [&](const QModelIndex& index) {
        return kind && index.data(OperationTableModel::KindRole).toInt() == static_cast<int>(*kind);
    };
    if (!rows.isEmpty() && isOfKind(rows.first()))
        return;
    for (int row = 0; kind && row < m_sorted.rowCount(); ++row) {
        if (isOfKind(m_sorted.index(row, 0)))
            return m_operationTable->selectRow(row);
    }
    selection->clearSelection();
}

QVariantList BandwidthView::heights() const
{
    return m_splitter->chosen();
}

void BandwidthView::restoreHeights(const QVariantList& heights)
{
    (void)m_splitter->choose(heights); // else the default
}

void BandwidthView::setTexts()
{
    m_chart->setAccessibleName(tr("Bandwidth over time; its table has the same content"));
    m_operationTable->setAccessibleName(tr("Operations"));
    m_seriesTable->setAccessibleName(tr("Bandwidth over time as a table"));
    m_operationTable->viewport()->update();
}

} // namespace ringmaster::app
