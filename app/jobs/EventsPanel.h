#pragma once

#include "app/model/EventTableModel.h"
#include "app/model/TimeSpan.h"
#include "app/widget/Card.h"

#include <QSortFilterProxyModel>

class QTableView;

namespace ringmaster::app {

/// Leaves those rows that happened in the span.
class EventsOfSpan : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    /// Nothing: all.
    void setRange(std::optional<TimeSpan::Range> range);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    std::optional<TimeSpan::Range> m_range;
};

/// The events of a run, or of the span that is selected, as a table that stays at the end while the
/// end is shown.
class EventsPanel : public Card
{
    Q_OBJECT

public:
    EventsPanel(const RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

    QString selectedText() const;

Q_SIGNALS:
    void rankSelected(int globalRank);

private:
    void updateSubtitle();
    void setTexts();

    TimeSpan& m_span;
    EventTableModel m_events;
    EventsOfSpan m_shown;
    QTableView* m_table;
};

} // namespace ringmaster::app
