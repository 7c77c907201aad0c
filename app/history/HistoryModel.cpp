#include "app/history/HistoryModel.h"

#include "app/bridge/Words.h"

#include <algorithm>
#include <numeric>

namespace ringmaster::app {

namespace {

QVariant alignmentOf(int column)
{
    const bool isNumber = column == HistoryModel::Ranks || column == HistoryModel::Size;
    return QVariant::fromValue(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
}

} // namespace

HistoryModel::HistoryModel(const EngineBridge& bridge, QObject* parent)
    : QAbstractTableModel(parent), m_bridge(bridge), m_runs(finishedRuns())
{
    connect(&m_bridge, &EngineBridge::runsChanged, this, &HistoryModel::update);
}

std::vector<RunSummary> HistoryModel::finishedRuns() const
{
    std::vector<RunSummary> finished;
    for (const RunSummary& run : m_bridge.runs()) {
        if (isFinal(run.state) && !run.isLive && !m_hidden.contains(run.id))
            finished.push_back(run);
    }
    return finished;
}

void HistoryModel::setHidden(const std::string& run, bool hidden)
{
    if (hidden)
        m_hidden.insert(run);
    else
        m_hidden.erase(run);
    update();
}

std::uint64_t HistoryModel::totalBytes() const
{
    return std::accumulate(
        m_runs.begin(), m_runs.end(), std::uint64_t{0},
        [](std::uint64_t sum, const RunSummary& run) { return sum + run.sizeBytes; });
}

void HistoryModel::removeGone(const std::vector<RunSummary>& wanted)
{
    for (int row = rowCount() - 1; row >= 0; --row) {
        const bool isThere = std::any_of(wanted.begin(), wanted.end(), [&](const RunSummary& run) {
            return run.id == at(row).id;
        });
        if (isThere)
            continue;
        beginRemoveRows({}, row, row);
        m_runs.erase(m_runs.begin() + row);
        endRemoveRows();
    }
}

void HistoryModel::update()
{
    const std::vector<RunSummary> wanted = finishedRuns();
    removeGone(wanted);
    for (int row = 0; row < static_cast<int>(wanted.size()); ++row) {
        const RunSummary& run = wanted[static_cast<size_t>(row)];
        const auto known = std::find_if(m_runs.begin(), m_runs.end(), [&](const RunSummary& shown) {
            return shown.id == run.id;
        });
        if (known == m_runs.end()) {
            const int at = std::min(row, rowCount());
            beginInsertRows({}, at, at);
            m_runs.insert(m_runs.begin() + at, run);
            endInsertRows();
        } else if (*known != run) {
            *known = run;
            const int at = static_cast<int>(known - m_runs.begin());
            Q_EMIT dataChanged(index(at, 0), index(at, ColumnCount - 1));
        }
    }
}

int HistoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString HistoryModel::textOf(const RunSummary& run, int column) const
{
    switch (column) {
    case Name: return QString::fromStdString(run.name);
    case State: return word(run.state);
    case Started: return dateTimeText(run.startedAt);
    case Duration: return clockText(run.endedAt.monotonicNs - run.startedAt.monotonicNs);
    case Ranks: return QString::number(run.worldSize);
    case Restarts: return tr("%1 of %2").arg(run.restartsUsed).arg(run.restartBudget);
    case Size: return bytesText(static_cast<std::int64_t>(run.sizeBytes));
    case Kept: return run.isPinned ? tr("pinned") : QString();
    default: return {};
    }
}

QVariant HistoryModel::sortValueOf(const RunSummary& run, int column) const
{
    switch (column) {
    case Started: return qint64{run.startedAt.wallNs};
    case Duration: return qint64{run.endedAt.monotonicNs - run.startedAt.monotonicNs};
    case Ranks: return run.worldSize;
    case Restarts: return run.restartsUsed;
    case Size: return quint64{run.sizeBytes};
    default: return textOf(run, column);
    }
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RunSummary& run = at(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(run, index.column());
    case Qt::ToolTipRole:
        return index.column() == Name ? QString::fromStdString(run.id)
                                      : textOf(run, index.column());
    case Qt::TextAlignmentRole: return alignmentOf(index.column());
    case SortRole: return sortValueOf(run, index.column());
    case IdRole: return QString::fromStdString(run.id);
    case StateRole: return static_cast<int>(run.state);
    case PinnedRole: return run.isPinned;
    default: return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("Job");
    case State: return tr("Ended as");
    case Started: return tr("Started");
    case Duration: return tr("Duration");
    case Ranks: return tr("Ranks");
    case Restarts: return tr("Restarts");
    case Size: return tr("Size");
    case Kept: return tr("Kept");
    default: return {};
    }
}

HistoryFilter::HistoryFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(HistoryModel::SortRole);
    setDynamicSortFilter(true);
}

void HistoryFilter::setText(const QString& text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

void HistoryFilter::setState(std::optional<RunState> state)
{
    m_state = state;
    invalidateFilter();
}

bool HistoryFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex name = sourceModel()->index(row, HistoryModel::Name, parent);
    if (m_state && name.data(HistoryModel::StateRole).toInt() != static_cast<int>(*m_state))
        return false;
    return name.data().toString().contains(m_text, Qt::CaseInsensitive) ||
           name.data(HistoryModel::IdRole).toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace ringmaster::app
