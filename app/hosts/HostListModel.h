#pragma once

#include "app/hosts/HostRows.h"
#include "app/model/RowsModel.h"

namespace ringmaster::app {

/// The hosts of the book with what they said; tiles and table are views of it.
class HostListModel : public RowsModel<HostRow>
{
    Q_OBJECT

public:
    enum Column {
        Name,
        State,
        Slots,
        Groups,
        Cores,
        Load,
        Memory,
        Gpus,
        Torch,
        Nccl,
        Agent,
        Clock,
        Jobs, ///< Whether the jobs that run there are shown here.
    };
    enum DataRole { StateRole = FirstOwnRole, SparkRole };

    explicit HostListModel(QObject* parent = nullptr);

    /// Those that were there keep what they said, unless how they are reached has changed.
    void setHosts(const std::vector<Host>& hosts);
    void setAsked(const std::vector<std::string>& names);
    /// At this time, in ms since the epoch.
    void take(const std::vector<HostReport>& reports, std::int64_t nowMs);
    /// The machines whose jobs are shown.
    void setWatched(const std::vector<WatchedMachineState>& machines);
    /// Nobody is asked any more.
    void stopAsking();
    int rowOf(const std::string& name) const;

protected:
    QVariant rowData(const HostRow& row, const QModelIndex& index, int role) const override;
};

} // namespace ringmaster::app
