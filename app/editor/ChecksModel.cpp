#include "app/editor/ChecksModel.h"

#include "app/bridge/Messages.h"

#include <algorithm>

namespace ringmaster::app {

int ChecksModel::errorCount() const
{
    return static_cast<int>(
        std::ranges::count(rows(), Finding::Severity::Error, &Finding::severity));
}

QVariant ChecksModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Finding& finding = rowAt(index);
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
