#include "app/jobs/WorkerFilter.h"

#include <algorithm>

namespace ringmaster::app {

bool belongs(WorkerFilter::Group group, Health health, int restarts)
{
    using Group = WorkerFilter::Group;
    switch (group) {
    case Group::Running: return health == Health::Running;
    case Group::Hanging: return health == Health::Hanging;
    case Group::Stopped: return health == Health::Stopped;
    case Group::Waiting: return health == Health::Waiting;
    case Group::Slow: return health == Health::Slow;
    case Group::Starting: return health == Health::Starting || health == Health::Restarting;
    case Group::Finished: return health == Health::Finished;
    case Group::Ended: return health == Health::Ended;
    case Group::StoppedByUser: return health == Health::StoppedByUser;
    case Group::Recorded: return health == Health::Recorded;
    case Group::Lost: return health == Health::Lost;
    case Group::Failed: return health == Health::Failed;
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
    const auto health = static_cast<Health>(index.data(WorkerTableModel::HealthRole).toInt());
    const int restarts = index.data(WorkerTableModel::RestartsRole).toInt();
    return std::ranges::any_of(m_groups,
                               [&](Group group) { return belongs(group, health, restarts); });
}

} // namespace ringmaster::app
