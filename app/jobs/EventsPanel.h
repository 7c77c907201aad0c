#pragma once

#include "app/model/EventTableModel.h"
#include "app/model/RowsOfSpan.h"
#include "app/widget/Card.h"

class QTableView;

namespace ringmaster::app {

/// The events of a run, or of the span that is selected, as a table that stays at the end while the
/// end is shown.
class EventsPanel : public Card
{
    Q_OBJECT

public:
    EventsPanel(const RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

Q_SIGNALS:
    void rankSelected(int globalRank);

private:
    void updateSubtitle();
    void setTexts();

    TimeSpan& m_span;
    EventTableModel m_events;
    RowsOfSpan m_shown{EventTableModel::AtRole, EventTableModel::AtRole};
    QTableView* m_table;
};

} // namespace ringmaster::app
