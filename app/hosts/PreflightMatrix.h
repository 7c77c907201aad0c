#pragma once

#include "engine/hosts/HostReport.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <optional>

namespace ringmaster::app {

/// A preflight as a table: a row a host, a column a host that it has to reach; where both are the
/// same, what was found about it alone.
class PreflightMatrix : public QAbstractTableModel
{
    Q_OBJECT

public:
    using Grade = PreflightFinding::Grade;
    enum DataRole { GradeRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setFindings(const std::vector<std::string>& hosts,
                     const std::vector<PreflightFinding>& findings);
    /// Of one cell, the worst first.
    std::vector<PreflightFinding> at(const QModelIndex& index) const;
    /// All that isn't as it should be, the worst first.
    std::vector<PreflightFinding> troubles() const;
    /// What each host said of itself.
    std::vector<PreflightFinding> ofHosts() const;
    int badCount() const;
    bool isEmpty() const { return m_hosts.empty(); }
    const std::vector<std::string>& hosts() const { return m_hosts; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    static std::optional<Grade> worst(const std::vector<PreflightFinding>& findings);
    QString textOf(const QModelIndex& index) const;

    std::vector<std::string> m_hosts;
    std::vector<PreflightFinding> m_findings;
};

/// A cell: shape and colour of its grade, and how long the way takes.
class PreflightDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace ringmaster::app
