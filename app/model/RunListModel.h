#pragma once

#include "app/bridge/EngineBridge.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace ringmaster::app {

/// The runs of this machine, newest first; a row keeps its identity while others come and go.
class RunListModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, State, Ranks, Restarts, Started, Duration, Reason, ColumnCount };
    enum DataRole {
        SortRole = Qt::UserRole,
        IdRole,    ///< QString
        StateRole, ///< RunState as int
        WordRole,  ///< of the state
        LiveRole,  ///< bool
        LineRole,  ///< "8 ranks · 3:42"
    };

    explicit RunListModel(const EngineBridge& bridge, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

    const RunSummary& at(int row) const { return m_runs[static_cast<size_t>(row)]; }
    QModelIndex indexOf(const QString& run) const;
    int liveCount() const;
    /// Announces that running times have moved on; called once a second by who shows them.
    void tick();

private:
    void update();
    void removeGone(const std::vector<RunSummary>& wanted);
    QString textOf(const RunSummary& run, int column) const;
    QString lineOf(const RunSummary& run) const;

    const EngineBridge& m_bridge;
    std::vector<RunSummary> m_runs;
};

/// Only runs that are live, or only others.
class RunFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    enum class Show { Live, Finished, All };

    explicit RunFilter(Show show, QObject* parent = nullptr);
    void setText(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    Show m_show;
    QString m_text;
};

} // namespace ringmaster::app
