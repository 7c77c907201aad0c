#include "app/model/RunListModel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "engine/base/Codes.h"

#include <QDateTime>

#include <algorithm>

namespace ringmaster::app {

namespace {

std::int64_t durationOf(const RunSummary& run)
{
    if (isFinal(run.state))
        return run.endedAt.monotonicNs - run.startedAt.monotonicNs;
    return QDateTime::currentMSecsSinceEpoch() * 1'000'000 - run.startedAt.wallNs;
}

} // namespace

RunListModel::RunListModel(const EngineBridge& bridge, QObject* parent)
    : QAbstractTableModel(parent), m_bridge(bridge), m_runs(bridge.runs())
{
    connect(&bridge, &EngineBridge::runsChanged, this, &RunListModel::update);
}

void RunListModel::update()
{
    const std::vector<RunSummary>& wanted = m_bridge.runs();
    removeGone(wanted);
    for (size_t row = 0; row < wanted.size(); ++row) {
        const auto sameId = [&](const RunSummary& run) { return run.id == wanted[row].id; };
        const auto here = m_runs.begin() + static_cast<std::ptrdiff_t>(row);
        const auto found = std::find_if(here, m_runs.end(), sameId);
        const int target = static_cast<int>(row);
        if (found == m_runs.end()) {
            beginInsertRows({}, target, target);
            m_runs.insert(here, wanted[row]);
            endInsertRows();
            continue;
        }
        if (found != here) {
            const int source = static_cast<int>(found - m_runs.begin());
            beginMoveRows({}, source, source, {}, target);
            std::rotate(here, found, found + 1);
            endMoveRows();
        }
        if (m_runs[row] == wanted[row])
            continue;
        m_runs[row] = wanted[row];
        Q_EMIT dataChanged(index(target, 0), index(target, ColumnCount - 1));
    }
}

void RunListModel::removeGone(const std::vector<RunSummary>& wanted)
{
    for (int row = static_cast<int>(m_runs.size()) - 1; row >= 0; --row) {
        if (std::ranges::find(wanted, at(row).id, &RunSummary::id) != wanted.end())
            continue;
        beginRemoveRows({}, row, row);
        m_runs.erase(m_runs.begin() + row);
        endRemoveRows();
    }
}

int RunListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunSummary& run = at(index.row());
    switch (role) {
    case Qt::DisplayRole: return textOf(run, index.column());
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2 · %3").arg(textOf(run, Name), word(run.state), lineOf(run));
    case Qt::ToolTipRole: return textOf(run, index.column());
    case SortRole:
        if (index.column() == Started)
            return QVariant::fromValue(static_cast<qlonglong>(run.startedAt.wallNs));
        if (index.column() == Duration)
            return QVariant::fromValue(static_cast<qlonglong>(durationOf(run)));
        if (index.column() == Ranks)
            return run.worldSize;
        return textOf(run, index.column());
    case IdRole: return QString::fromStdString(run.id);
    case StateRole: return static_cast<int>(run.state);
    case WordRole: return word(run.state);
    case LiveRole: return run.isLive;
    case LineRole: return lineOf(run);
    default: return {};
    }
}

QString RunListModel::textOf(const RunSummary& run, int column) const
{
    switch (column) {
    case Name: return QString::fromStdString(run.name);
    case State: return word(run.state);
    case Ranks: return run.worldSize > 0 ? QString::number(run.worldSize) : QString();
    case Restarts:
        if (run.restartBudget == 0 && run.restartsUsed == 0)
            return QStringLiteral("–");
        return tr("%1 of %2", "restarts used").arg(run.restartsUsed).arg(run.restartBudget);
    case Started: return dateTimeText(run.startedAt);
    case Duration: return clockText(durationOf(run));
    case Reason: return run.reason.code == code::None ? QString() : text(run.reason);
    default: return {};
    }
}

QString RunListModel::lineOf(const RunSummary& run) const
{
    if (run.state == RunState::Restarting)
        return tr("restarting · %1 of %2").arg(run.restartsUsed).arg(run.restartBudget);
    if (run.worldSize == 0)
        return QStringLiteral("%1 · %2").arg(word(run.state), clockText(durationOf(run)));
    return QStringLiteral("%1 · %2").arg(ranksCountText(run.worldSize), clockText(durationOf(run)));
}

QVariant RunListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Name: return tr("Job");
    case State: return tr("State");
    case Ranks: return tr("Ranks");
    case Restarts: return tr("Restarts");
    case Started: return tr("Started");
    case Duration: return tr("Time");
    case Reason: return tr("Reason");
    default: return {};
    }
}

QModelIndex RunListModel::indexOf(const QString& run) const
{
    const auto found = std::ranges::find(m_runs, run.toStdString(), &RunSummary::id);
    return found == m_runs.end() ? QModelIndex()
                                 : index(static_cast<int>(found - m_runs.begin()), 0);
}

int RunListModel::liveCount() const
{
    return static_cast<int>(std::ranges::count(m_runs, true, &RunSummary::isLive));
}

void RunListModel::tick()
{
    for (int row = 0; row < rowCount(); ++row) {
        if (!isFinal(at(row).state))
            Q_EMIT dataChanged(index(row, Duration), index(row, Duration),
                               {Qt::DisplayRole, LineRole, SortRole});
    }
}

RunFilter::RunFilter(Show show, QObject* parent) : QSortFilterProxyModel(parent), m_show(show)
{
    setSortRole(RunListModel::SortRole);
}

void RunFilter::setText(const QString& text)
{
    m_text = text;
    invalidateRowsFilter();
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, RunListModel::Name, parent);
    const bool isLive = index.data(RunListModel::LiveRole).toBool();
    if (m_show == Show::Live ? !isLive : m_show == Show::Finished && isLive)
        return false;
    return m_text.isEmpty() || index.data().toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace ringmaster::app
