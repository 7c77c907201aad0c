#pragma once

#include "app/model/RowsOfSpan.h"
#include "app/model/TimelineModel.h"
#include "app/widget/TwinCard.h"

#include <QTimer>

class QToolButton;

namespace ringmaster::app {

class TimelineView;

/// The timeline of a run, as a drawing and as its twin table, with one selected rank.
class TimelinePanel : public TwinCard
{
    Q_OBJECT

public:
    TimelinePanel(RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

    void selectRank(int globalRank);

Q_SIGNALS:
    void rankSelected(int globalRank);

private:
    void buildTable();
    void followSpan();
    void updateSubtitle();
    QString withClocks(const QString& text) const;
    void setTexts();

    RunModel& m_run;
    TimeSpan& m_span;
    TimelineModel m_spans;
    RowsOfSpan m_shown{TimelineModel::FromRole, TimelineModel::ToRole};
    TimelineView* m_view;
    QToolButton* m_allButton;
    QTimer m_tick; ///< Running bars grow.
};

} // namespace ringmaster::app
