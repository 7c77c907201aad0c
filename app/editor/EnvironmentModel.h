#pragma once

#include "engine/job/WorkerEnvironment.h"

#include <QAbstractTableModel>

namespace ringmaster::app {

/// The environment of one rank: name, value, and who put it there.
class EnvironmentModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Value, Origin, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Inherited variables only where `withInherited`.
    void setEnvironment(const WorkerEnvironment& environment, bool withInherited);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    std::vector<EnvironmentEntry> m_entries;
};

} // namespace ringmaster::app
