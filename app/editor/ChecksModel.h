#pragma once

#include "engine/job/Finding.h"

#include <QAbstractListModel>

namespace ringmaster::app {

/// What was found out about a job: one row a finding, errors first.
class ChecksModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum DataRole { SeverityRole = Qt::UserRole, FieldRole };

    using QAbstractListModel::QAbstractListModel;

    void setFindings(const std::vector<Finding>& findings);
    int errorCount() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<Finding> m_findings;
};

} // namespace ringmaster::app
