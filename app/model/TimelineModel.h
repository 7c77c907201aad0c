#pragma once

#include "app/model/RunModel.h"

#include <QAbstractTableModel>

namespace ringmaster::app {

/// The timeline as a table, the twin of its drawing: one row a worker and state.
class TimelineModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Rank, Attempt, State, From, Duration, Note, ColumnCount };
    enum DataRole { RankRole = Qt::UserRole, StateRole, FromRole, ToRole };

    explicit TimelineModel(RunModel& run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    void update();
    QString textOf(const StateSpan& span, int column) const;

    RunModel& m_run;
    RunHistory::SpanId m_first = 0; ///< of row 0
    int m_rows = 0;
};

} // namespace ringmaster::app
