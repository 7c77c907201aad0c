#pragma once

#include "app/bandwidth/SweepChart.h"
#include "app/bandwidth/SweepListModel.h"
#include "app/bandwidth/SweepRun.h"

#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QVariantMap>

class QListView;
class QTableView;
class QToolButton;

namespace ringmaster::app {

class Card;
class TableColumns;

/// What sweeps have measured: the chart, the list of the sweeps that can be shown beside each
/// other, and below them the chart's twin table with the same line chosen.
class SweepResults : public QSplitter
{
    Q_OBJECT

public:
    explicit SweepResults(SweepListModel& sweeps, QWidget* parent = nullptr);

    void show(const std::vector<SweepRun*>& runs, const std::vector<Ceiling>& ceilings);
    /// How far the latest one has come; empty: nothing to say.
    void setProgress(const QString& progress);

    const std::vector<SweepTableModel::Row>& rows() const { return m_rows.rows(); }
    SweepChart& chart() const { return *m_chart; }
    QVariantMap saveLook() const;
    void restoreLook(const QVariantMap& state);

Q_SIGNALS:
    /// A sentence for the reader.
    void told(const QString& sentence);

private:
    void buildTable();
    void buildChart();
    void buildList();
    void showList();
    void chooseSeries(int series);
    void setTexts();

    SweepListModel& m_sweeps;
    std::vector<std::string> m_shown; ///< The runs.
    SweepTableModel m_rows;
    QSortFilterProxyModel m_sorted;
    Card* m_chartCard;
    Card* m_tableCard;
    Card* m_listCard;
    SweepChart* m_chart;
    QTableView* m_table;
    TableColumns* m_columns = nullptr;
    QListView* m_list;
    QSplitter* m_upper; ///< The chart beside the list.
    QToolButton* m_bandwidthButton;
    QToolButton* m_latencyButton;
};

} // namespace ringmaster::app
