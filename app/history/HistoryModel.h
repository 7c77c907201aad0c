#pragma once

#include "app/bridge/EngineBridge.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <optional>
#include <set>

namespace ringmaster::app {

/// The finished runs of this machine. Rows keep their identity while others come and go; a hidden
/// run is one whose deletion can still be taken back.
class HistoryModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, State, Started, Duration, Ranks, Restarts, Size, Kept, ColumnCount };
    enum DataRole { SortRole = Qt::UserRole, IdRole, StateRole, PinnedRole };

    explicit HistoryModel(const EngineBridge& bridge, QObject* parent = nullptr);

    void setHidden(const std::string& run, bool hidden);
    const RunSummary& at(int row) const { return m_runs[static_cast<size_t>(row)]; }
    std::uint64_t totalBytes() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    void update();
    std::vector<RunSummary> finishedRuns() const;
    void removeGone(const std::vector<RunSummary>& wanted);
    QString textOf(const RunSummary& run, int column) const;
    QVariant sortValueOf(const RunSummary& run, int column) const;

    const EngineBridge& m_bridge;
    std::vector<RunSummary> m_runs;
    std::set<std::string> m_hidden;
};

/// By name and by how they ended.
class HistoryFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit HistoryFilter(QObject* parent = nullptr);
    void setText(const QString& text);
    void setState(std::optional<RunState> state);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_text;
    std::optional<RunState> m_state;
};

} // namespace ringmaster::app
