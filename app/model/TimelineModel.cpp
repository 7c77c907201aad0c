#include "app/model/TimelineModel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/PhaseWords.h"

#include <algorithm>
#include <limits>

namespace ringmaster::app {

namespace {

QString stateText(const StateSpan& span)
{
    if (!span.host.empty())
        return word(span.hostState);
    return span.phase ? word(*span.phase) : word(span.health);
}

QString noteText(const StateSpan& span)
{
    if (span.phase)
        return TimelineModel::tr("on the way to the first collective");
    if (!span.host.empty())
        return saysAnything(span.reason) ? text(span.reason) : QString();
    return span.exit ? exitText(*span.exit) : QString();
}

} // namespace

TimelineModel::TimelineModel(RunModel& run, QObject* parent) : TableModel(parent), m_run(run)
{
    setColumns({
        {.title = QT_TR_NOOP("Rank"),
         .text =
             [](const StateSpan& span) {
                 return span.host.empty() ? QString::number(span.globalRank)
                                          : QString::fromStdString(span.host);
             }},
        {.title = QT_TR_NOOP("Attempt"),
         .text =
             [](const StateSpan& span) {
                 return span.host.empty() ? QString::number(span.attempt + 1) : QString();
             }},
        {.title = QT_TR_NOOP("State"), .text = stateText},
        {.title = QT_TR_NOOP("From"),
         .text =
             [this](const StateSpan& span) {
                 return clockText(span.from.monotonicNs - m_run.history().begin().monotonicNs);
             }},
        {.title = QT_TR_NOOP("Duration"),
         .text = [this](const StateSpan& span) { return durationOf(span); }},
        {.title = QT_TR_NOOP("Note"), .text = noteText},
    });
    connect(&m_run, &RunModel::historyChanged, this, &TimelineModel::update);
    update();
}

void TimelineModel::update()
{
    RunHistory& history = m_run.history();
    const auto dropped = static_cast<int>(std::min<RunHistory::SpanId>(
        history.firstId() - m_first, static_cast<RunHistory::SpanId>(m_rows)));
    if (dropped > 0) {
        beginRemoveRows({}, 0, dropped - 1);
        m_rows -= dropped;
        m_first += static_cast<RunHistory::SpanId>(dropped);
        endRemoveRows();
    }
    // Spans that came and went within one batch were never rows.
    m_first = std::max(m_first, history.firstId());
    const std::vector<RunHistory::SpanId> changed = history.takeChanged();
    const auto [low, high] = std::ranges::minmax_element(changed);
    if (low != changed.end() && m_rows > 0) {
        const int last = m_rows - 1;
        const auto rowOf = [&](RunHistory::SpanId id) {
            return id < m_first ? 0
                                : static_cast<int>(std::min<RunHistory::SpanId>(
                                      id - m_first, static_cast<RunHistory::SpanId>(last)));
        };
        announceAll(rowOf(*low), rowOf(*high));
    }
    const auto wanted = static_cast<int>(history.endId() - m_first);
    if (wanted > m_rows) {
        beginInsertRows({}, m_rows, wanted - 1);
        m_rows = wanted;
        endInsertRows();
    }
}

int TimelineModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

const StateSpan* TimelineModel::rowAt(int row) const
{
    return m_run.history().span(m_first + static_cast<RunHistory::SpanId>(row));
}

QVariant TimelineModel::rowData(const StateSpan& span, const QModelIndex& /*index*/, int role) const
{
    switch (role) {
    case RankRole: return span.globalRank;
    case HealthRole: return static_cast<int>(span.health);
    case FromRole: return qlonglong{span.from.monotonicNs};
    case ToRole:
        return span.isOpen ? std::numeric_limits<qlonglong>::max() : qlonglong{span.to.monotonicNs};
    default: return {};
    }
}

QString TimelineModel::durationOf(const StateSpan& span) const
{
    const RunHistory& history = m_run.history();
    const Moment end = span.isOpen ? history.end() : span.to;
    const QString duration = durationText(end.monotonicNs - span.from.monotonicNs);
    return span.isOpen && !history.ended() ? tr("%1 so far").arg(duration) : duration;
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool isRank = orientation == Qt::Horizontal && role == Qt::DisplayRole && section == Rank;
    return isRank && !m_run.history().hostLanes().empty()
               ? tr("Rank or host")
               : TableModel::headerData(section, orientation, role);
}

} // namespace ringmaster::app
