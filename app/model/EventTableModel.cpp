#include "app/model/EventTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/EventText.h"

#include <algorithm>

namespace ringmaster::app {

EventTableModel::EventTableModel(const RunModel& run, QObject* parent) : TableModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("Time"),
         .text = [](const Event& event) { return timeText(event.at); },
         .toolTip = [](const Event& event) { return dateTimeText(event.at); }},
        {.title = QT_TR_NOOP("What"),
         .text = [](const Event& event) { return describeEvent(event).kind; }},
        {.title = QT_TR_NOOP("Rank"),
         .text =
             [](const Event& event) {
                 const int rank = describeEvent(event).globalRank;
                 return rank >= 0 ? QString::number(rank) : QString();
             }},
        {.title = QT_TR_NOOP("Event"),
         .text = [](const Event& event) { return describeEvent(event).sentence; }},
    });
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

QVariant EventTableModel::rowData(const Event& event, const QModelIndex& /*index*/, int role) const
{
    switch (role) {
    case AtRole: return static_cast<qlonglong>(event.at.monotonicNs);
    case SeverityRole: return static_cast<int>(describeEvent(event).severity);
    case RankRole: return describeEvent(event).globalRank;
    default: return {};
    }
}

} // namespace ringmaster::app
