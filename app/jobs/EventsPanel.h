#pragma once

#include "app/model/EventTableModel.h"
#include "app/widget/Card.h"

class QTableView;

namespace ringmaster::app {

/// The events of a run as a table that stays at the end while the end is shown.
class EventsPanel : public Card
{
    Q_OBJECT

public:
    explicit EventsPanel(const RunModel& run, QWidget* parent = nullptr);

    QString selectedText() const;

Q_SIGNALS:
    void rankSelected(int globalRank);

private:
    void updateSubtitle();
    void setTexts();

    EventTableModel m_events;
    QTableView* m_table;
};

} // namespace ringmaster::app
