#include "app/jobs/WorkerFilter.h"

#include <algorithm>

namespace ringmaster::app {

bool belongs(WorkerFilter::Group group, WorkerState state, int restarts)
{
    using Group = WorkerFilter::Group;
    switch (group) {
    case Group::Running: return state == WorkerState::Healthy;
    case Group::Starting: return state == WorkerState::Init;
    case Group::Finished: return state == WorkerState::Succeeded;
    case Group::Stopped: return state == WorkerState::Stopped;
    case Group::Unhealthy: return state == WorkerState::Unhealthy || state == WorkerState::Unknown;
    case Group::Failed: return state == WorkerState::Failed;
    case Group::Restarted: return restarts > 0;
    }
    return false;
}

WorkerFilter::WorkerFilter(WorkerTableModel& workers, QObject* parent)
    : QSortFilterProxyModel(parent), m_workers(workers)
{
    setSortRole(WorkerTableModel::SortRole);
    setSourceModel(&workers);
}

void WorkerFilter::setShown(Group group, bool shown)
{
    std::erase(m_groups, group);
    if (shown)
        m_groups.push_back(group);
    invalidateRowsFilter();
}

void WorkerFilter::showAll()
{
    m_groups.clear();
    invalidateRowsFilter();
}

QModelIndex WorkerFilter::indexOfRank(int globalRank) const
{
    return mapFromSource(m_workers.indexOfRank(globalRank));
}

bool WorkerFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (m_groups.empty())
        return true;
    const QModelIndex index = m_workers.index(row, 0, parent);
    const auto state = static_cast<WorkerState>(index.data(WorkerTableModel::StateRole).toInt());
    const int restarts = index.data(WorkerTableModel::RestartsRole).toInt();
    return std::ranges::any_of(m_groups,
                               [&](Group group) { return belongs(group, state, restarts); });
}

} // namespace ringmaster::app
