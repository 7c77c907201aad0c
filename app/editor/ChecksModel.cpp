#include "app/editor/ChecksModel.h"

#include "app/bridge/Messages.h"

#include <algorithm>

namespace ringmaster::app {

void ChecksModel::setFindings(const std::vector<Finding>& findings)
{
    const int wanted = static_cast<int>(findings.size());
    const int present = static_cast<int>(m_findings.size());
    if (wanted < present) {
        beginRemoveRows({}, wanted, present - 1);
        m_findings.resize(findings.size());
        endRemoveRows();
    } else if (wanted > present) {
        beginInsertRows({}, present, wanted - 1);
        m_findings.insert(m_findings.end(), findings.begin() + present, findings.end());
        endInsertRows();
    }
    for (int row = 0; row < wanted; ++row) {
        Finding& shown = m_findings[static_cast<size_t>(row)];
        if (shown == findings[static_cast<size_t>(row)])
            continue;
        shown = findings[static_cast<size_t>(row)];
        Q_EMIT dataChanged(index(row), index(row));
    }
}

int ChecksModel::errorCount() const
{
    return static_cast<int>(
        std::count_if(m_findings.begin(), m_findings.end(), [](const Finding& finding) {
            return finding.severity == Finding::Severity::Error;
        }));
}

int ChecksModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_findings.size());
}

QVariant ChecksModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Finding& finding = m_findings[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: {
        const QString sentence = text(finding.message);
        return finding.place.line > 0 ? tr("Line %1: %2").arg(finding.place.line).arg(sentence)
                                      : sentence;
    }
    case Qt::AccessibleTextRole:
        switch (finding.severity) {
        case Finding::Severity::Ok: return tr("In order: %1").arg(text(finding.message));
        case Finding::Severity::Warning: return tr("Warning: %1").arg(text(finding.message));
        case Finding::Severity::Error: return tr("Error: %1").arg(text(finding.message));
        }
        return {};
    case SeverityRole: return static_cast<int>(finding.severity);
    case FieldRole: return QString::fromStdString(finding.place.field);
    default: return {};
    }
}

} // namespace ringmaster::app
