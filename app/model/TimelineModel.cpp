#include "app/model/TimelineModel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/PhaseWords.h"

#include <algorithm>
#include <limits>

namespace ringmaster::app {

TimelineModel::TimelineModel(RunModel& run, QObject* parent)
    : QAbstractTableModel(parent), m_run(run)
{
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
        Q_EMIT dataChanged(index(rowOf(*low), 0), index(rowOf(*high), ColumnCount - 1));
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

int TimelineModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TimelineModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const StateSpan* span =
        m_run.history().span(m_first + static_cast<RunHistory::SpanId>(index.row()));
    if (span == nullptr)
        return {};
    switch (role) {
    case Qt::DisplayRole: return textOf(*span, index.column());
    case RankRole: return span->globalRank;
    case StateRole: return static_cast<int>(span->state);
    case FromRole: return qlonglong{span->from.monotonicNs};
    case ToRole:
        return span->isOpen ? std::numeric_limits<qlonglong>::max()
                            : qlonglong{span->to.monotonicNs};
    default: return {};
    }
}

QString TimelineModel::textOf(const StateSpan& span, int column) const
{
    const RunHistory& history = m_run.history();
    const Moment end = span.isOpen ? history.end() : span.to;
    switch (column) {
    case Rank:
        return span.host.empty() ? QString::number(span.globalRank)
                                 : QString::fromStdString(span.host);
    case Attempt: return span.host.empty() ? QString::number(span.attempt + 1) : QString();
    case State:
        if (!span.host.empty())
            return word(span.hostState);
        return span.phase ? word(*span.phase) : word(span.state);
    case From: return clockText(span.from.monotonicNs - history.begin().monotonicNs);
    case Duration:
        return span.isOpen && !history.ended()
                   ? tr("%1 so far").arg(durationText(end.monotonicNs - span.from.monotonicNs))
                   : durationText(end.monotonicNs - span.from.monotonicNs);
    case Note:
        if (span.phase)
            return tr("on the way to the first collective");
        if (!span.host.empty())
            return span.reason.code == Code{} ? QString() : text(span.reason);
        return span.exit ? exitText(*span.exit) : QString();
    default: return {};
    }
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Rank: return m_run.history().hostLanes().empty() ? tr("Rank") : tr("Rank or host");
    case Attempt: return tr("Attempt");
    case State: return tr("State");
    case From: return tr("From");
    case Duration: return tr("Duration");
    case Note: return tr("Note");
    default: return {};
    }
}

} // namespace ringmaster::app
