#pragma once

#include "app/model/AttemptChoice.h"
#include "app/model/Ceiling.h"
#include "app/model/OperationFeed.h"
#include "app/model/OperationTableModel.h"
#include "app/model/SeriesTableModel.h"
#include "app/model/TimeSpan.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QStackedWidget;
class QTableView;

namespace ringmaster::app {

class BandwidthChart;
class TableBelow;

/// How fast a run's collectives are: over time, as a drawing or as its twin table, and in the table
/// of operations below. One kind of operation is chosen in all of them.
class BandwidthView : public QWidget
{
    Q_OBJECT

public:
    BandwidthView(const OperationFeed& feed, const RunModel& run, TimeSpan& span,
                  AttemptChoice& attempts, QWidget* parent = nullptr);

    /// The drawing's twin, instead of the drawing and the table of operations: one table at a time.
    void setTable(bool isTable);
    /// The feed says something else. `backend`: as the job says it; empty: it doesn't.
    void showFeed(const std::string& backend, const std::optional<Ceiling>& ceiling);
    QVariantList heights() const;
    void restoreHeights(const QVariantList& heights);

Q_SIGNALS:
    /// A sentence for the reader.
    void told(const QString& sentence);

private:
    void buildTables();
    void connectViews();
    void chooseKind(std::optional<ledger::OperationKind> kind);
    void setTexts();

    const OperationFeed& m_feed;
    const RunModel& m_run;
    TimeSpan& m_span;
    AttemptChoice& m_attempts;
    OperationTableModel m_operations;
    QSortFilterProxyModel m_sorted;
    SeriesTableModel m_series;
    BandwidthChart* m_chart;
    QTableView* m_operationTable;
    QTableView* m_seriesTable;
    QStackedWidget* m_upper; ///< The chart, or its table.
    TableBelow* m_splitter;  ///< That, and the table of operations.
};

} // namespace ringmaster::app
