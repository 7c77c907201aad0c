#pragma once

#include "app/model/RunModel.h"
#include "app/model/TableModel.h"

namespace ringmaster::app {

/// One row a worker of the latest attempt, or of an earlier one as it ended; none of one that isn't
/// kept any more. Rows keep their place while the group is the same; tiles and table show the same
/// model.
class WorkerTableModel : public TableModel<WorkerSnapshot>
{
    Q_OBJECT

public:
    enum Column { Rank, State, Pid, Cpu, Memory, Restarts, Node, LocalRank, Role, Exit };
    enum DataRole {
        RankRole = FirstOwnRole, ///< int
        HealthRole,              ///< Health as int
        WordRole,                ///< of the health
        NodeRole,                ///< QString
        HeadingRole,             ///< QString: the name of its host
        HostStateRole,           ///< HostChanged::State as int; of a job on hosts
        HostNoteRole,            ///< QString, lines: what else there is to say of that
        SparkRole,               ///< std::vector<float>: memory in its column, else CPU
        NoteRole,                ///< the line under the state: pid and load, or how it ended
        RestartsRole,            ///< int
        FirstCauseRole,          ///< bool
    };

    explicit WorkerTableModel(const RunModel& run, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;

    /// -1: the latest one.
    void showAttempt(int attempt);
    bool isEarlier() const { return earlier() != nullptr; }
    const std::vector<WorkerSnapshot>& workers() const;
    /// Of one of workers().
    Health healthOf(const WorkerSnapshot& worker) const;
    int restartsOf(const WorkerSnapshot& worker) const;

    QModelIndex indexOfRank(int globalRank) const;
    int countOf(Health health) const;
    int restartedCount() const;

protected:
    const WorkerSnapshot* rowAt(int row) const override;
    QVariant rowData(const WorkerSnapshot& worker, const QModelIndex& index,
                     int role) const override;

private:
    void describeColumns();
    void resizeToRun();
    const EarlierAttempt* earlier() const;
    /// With where its operation was called.
    QString wholeNoteOf(const WorkerSnapshot& worker) const;
    QString noteOf(const WorkerSnapshot& worker) const;
    /// Null: the job isn't one on hosts.
    const HostSnapshot* hostOf(const WorkerSnapshot& worker) const;
    QString explanationOf(const WorkerSnapshot& worker) const;

    const RunModel& m_run;
    int m_rows = 0;
    int m_attempt = -1;
};

} // namespace ringmaster::app
