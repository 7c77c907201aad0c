#pragma once

#include "app/model/RowsModel.h"
#include "engine/text/Finding.h"

#include <QAbstractListModel>

namespace ringmaster::app {

/// What was found out about a job: one row a finding, errors first.
class ChecksModel : public RowsModel<Finding, QAbstractListModel>
{
    Q_OBJECT

public:
    enum DataRole { SeverityRole = Qt::UserRole, FieldRole };

    using RowsModel::RowsModel;

    void setFindings(const std::vector<Finding>& findings) { setRows(findings); }
    int errorCount() const;

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
};

} // namespace ringmaster::app
