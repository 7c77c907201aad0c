#pragma once

#include "app/model/RowsModel.h"
#include "engine/job/WorkerEnvironment.h"

namespace ringmaster::app {

/// The environment of one rank: name, value, and who put it there.
class EnvironmentModel : public RowsModel<EnvironmentEntry>
{
    Q_OBJECT

public:
    enum Column { Name, Value, Origin, ColumnCount };

    using RowsModel::RowsModel;

    /// Inherited variables only where `withInherited`.
    void setEnvironment(const WorkerEnvironment& environment, bool withInherited);

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
};

} // namespace ringmaster::app
