#pragma once

#include "app/model/RunModel.h"

#include <QAbstractTableModel>

#include <deque>

namespace ringmaster::app {

/// The events of a run, oldest first, without samples. Bounded: the oldest go, and `dropped` counts
/// them.
class EventTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Time, Kind, Rank, Text, ColumnCount };
    enum DataRole { SeverityRole = Qt::UserRole, RankRole, AtRole };

    static constexpr int MaxRows = 10'000;

    explicit EventTableModel(const RunModel& run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

    std::uint64_t dropped() const { return m_dropped; }

private:
    void append(const std::vector<Event>& events);

    std::deque<Event> m_events;
    std::uint64_t m_dropped = 0;
};

} // namespace ringmaster::app
