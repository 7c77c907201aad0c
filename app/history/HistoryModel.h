#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RowsModel.h"

#include <QSortFilterProxyModel>

#include <optional>
#include <set>

namespace ringmaster::app {

/// The finished runs of this machine. Rows keep their identity while others come and go; a hidden
/// run is one whose deletion can still be taken back.
class HistoryModel : public RowsModel<RunSummary>
{
    Q_OBJECT

public:
    enum Column { Name, State, Started, Duration, Ranks, Restarts, Size, Kept };
    enum DataRole { IdRole = FirstOwnRole, StateRole, HealthRole, PinnedRole };

    explicit HistoryModel(const EngineBridge& bridge, QObject* parent = nullptr);

    void setHidden(const std::string& run, bool hidden);
    std::uint64_t totalBytes() const;

protected:
    QVariant rowData(const RunSummary& run, const QModelIndex& index, int role) const override;

private:
    void update();

    const EngineBridge& m_bridge;
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
