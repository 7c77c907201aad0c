#pragma once

#include "app/model/RunModel.h"
#include "app/model/TableModel.h"

namespace ringmaster::app {

/// The timeline as a table, the twin of its drawing: one row a worker and state.
class TimelineModel : public TableModel<StateSpan>
{
    Q_OBJECT

public:
    enum Column { Rank, Attempt, State, From, Duration, Note };
    enum DataRole { RankRole = FirstOwnRole, HealthRole, FromRole, ToRole };

    explicit TimelineModel(RunModel& run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

protected:
    const StateSpan* rowAt(int row) const override;
    QVariant rowData(const StateSpan& span, const QModelIndex& index, int role) const override;

private:
    void update();
    QString durationOf(const StateSpan& span) const;

    RunModel& m_run;
    RunHistory::SpanId m_first = 0; ///< of row 0
    int m_rows = 0;
};

} // namespace ringmaster::app
