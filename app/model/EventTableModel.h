#pragma once

#include "app/model/RunModel.h"
#include "app/model/TableModel.h"

#include <deque>

namespace ringmaster::app {

/// The events of a run, oldest first, without samples. Bounded: the oldest go, and `dropped` counts
/// them.
class EventTableModel : public TableModel<Event>
{
    Q_OBJECT

public:
    enum Column { Time, Kind, Rank, Text };
    enum DataRole { SeverityRole = FirstOwnRole, RankRole, AtRole };

    static constexpr int MaxRows = 10'000;

    explicit EventTableModel(const RunModel& run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;

    std::uint64_t dropped() const { return m_dropped; }

protected:
    const Event* rowAt(int row) const override { return &m_events[static_cast<size_t>(row)]; }
    QVariant rowData(const Event& event, const QModelIndex& index, int role) const override;

private:
    void append(const std::vector<Event>& events);

    std::deque<Event> m_events;
    std::uint64_t m_dropped = 0;
};

} // namespace ringmaster::app
