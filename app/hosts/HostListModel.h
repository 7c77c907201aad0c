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
        ColumnCount
    };
    enum DataRole { StateRole = Qt::UserRole, SparkRole };

    using RowsModel::RowsModel;

    /// Those that were there keep what they said, unless how they are reached has changed.
    void setHosts(const std::vector<Host>& hosts);
    void setAsked(const std::vector<std::string>& names);
    void take(const std::vector<HostReport>& reports);
    /// Nobody is asked any more.
    void stopAsking();
    const HostRow& at(int row) const { return rows()[static_cast<size_t>(row)]; }
    int rowOf(const std::string& name) const;

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    static QString textOf(const HostRow& row, int column);
    static std::vector<float> samplesOf(const HostRow& row, int column);
};

} // namespace ringmaster::app
