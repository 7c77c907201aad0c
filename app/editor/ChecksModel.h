#pragma once

#include "app/model/RowsModel.h"
#include "engine/text/Finding.h"

namespace ringmaster::app {

/// What was found out about a job: one row a finding, errors first.
class ChecksModel : public RowsModel<Finding>
{
    Q_OBJECT

public:
    enum DataRole { SeverityRole = FirstOwnRole, FieldRole };

    explicit ChecksModel(QObject* parent = nullptr);

    void setFindings(const std::vector<Finding>& findings) { setRows(findings); }
    int errorCount() const;

protected:
    QVariant rowData(const Finding& finding, const QModelIndex& index, int role) const override;
};

} // namespace ringmaster::app
