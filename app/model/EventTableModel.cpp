#include "app/model/EventTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/EventText.h"

#include <algorithm>

namespace ringmaster::app {

EventTableModel::EventTableModel(const RunModel& run, QObject* parent) : QAbstractTableModel(parent)
{
    connect(&run, &RunModel::eventsApplied, this, &EventTableModel::append);
}

void EventTableModel::append(const std::vector<Event>& events)
{
    std::vector<Event> listed;
    std::ranges::copy_if(events, std::back_inserter(listed), isListed);
    if (listed.size() > static_cast<size_t>(MaxRows)) {
        const size_t skipped = listed.size() - static_cast<size_t>(MaxRows);
        m_dropped += skipped;
        listed.erase(listed.begin(), listed.begin() + static_cast<std::ptrdiff_t>(skipped));
    }
    if (listed.empty())
        return;
    // A tenth at once: views pay for each removal.
    const int over = rowCount() + static_cast<int>(listed.size()) - MaxRows;
    if (over > 0) {
        const int count = std::min(rowCount(), std::max(over, MaxRows / 10));
        beginRemoveRows({}, 0, count - 1);
        m_events.erase(m_events.begin(), m_events.begin() + count);
        m_dropped += static_cast<std::uint64_t>(count);
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(listed.size()) - 1);
    std::ranges::move(listed, std::back_inserter(m_events));
    endInsertRows();
}

int EventTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_events.size());
}

int EventTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EventTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Event& event = m_events[static_cast<size_t>(index.row())];
    if (role == Qt::DisplayRole && index.column() == Time)
        return timeText(event.at);
    if (role == AtRole)
        return static_cast<qlonglong>(event.at.monotonicNs);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != SeverityRole &&
        role != RankRole)
        return {};
    const EventText text = describeEvent(event);
    if (role == SeverityRole)
        return static_cast<int>(text.severity);
    if (role == RankRole)
        return text.globalRank;
    switch (index.column()) {
    case Time: return dateTimeText(event.at);
    case Kind: return text.kind;
    case Rank: return text.globalRank >= 0 ? QString::number(text.globalRank) : QString();
    case Text: return text.sentence;
    default: return {};
    }
}

QVariant EventTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Time: return tr("Time");
    case Kind: return tr("What");
    case Rank: return tr("Rank");
    case Text: return tr("Event");
    default: return {};
    }
}

} // namespace ringmaster::app
