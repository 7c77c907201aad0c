#pragma once

#include "app/model/RowsOfSpan.h"
#include "app/model/TimelineModel.h"
#include "app/widget/TwinCard.h"

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
    Height heightIn(int width) const override;

Q_SIGNALS:
    void rankSelected(int globalRank);

private:
    void buildTable();
    int wantedOfView() const;
    void followSpan();
    void updateSubtitle();
    QString withClocks(const QString& text) const;
    void setTexts();

    RunModel& m_run;
    TimeSpan& m_span;
    TimelineModel m_spans;
    RowsOfSpan m_shown{TimelineModel::FromRole, TimelineModel::ToRole};
    TimelineView* m_view;
    int m_wanted = 0; ///< Of the height, by what is shown.
    QToolButton* m_allButton;
};

} // namespace ringmaster::app
