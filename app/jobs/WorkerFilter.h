#pragma once

#include "app/model/WorkerTableModel.h"

#include <QSortFilterProxyModel>

namespace ringmaster::app {

/// Lets the workers through whose filter is on; all, when none is.
class WorkerFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    enum class Group {
        Running,
        Hanging,
        Stopped, ///< By a signal or a debugger.
        Waiting,
        Slow,
        Starting,
        Finished,
        Ended,
        StoppedByUser,
        Recorded,
        Lost,
        Failed,
        Restarted
    };

    explicit WorkerFilter(WorkerTableModel& workers, QObject* parent = nullptr);

    void setShown(Group group, bool shown);
    void showAll();
    bool isFiltering() const { return !m_groups.empty(); }
    QModelIndex indexOfRank(int globalRank) const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    WorkerTableModel& m_workers;
    std::vector<Group> m_groups;
};

/// Is a worker with this health, started again so often, in the group?
bool belongs(WorkerFilter::Group group, Health health, int restarts);

} // namespace ringmaster::app
