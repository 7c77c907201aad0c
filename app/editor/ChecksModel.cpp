#include "app/editor/ChecksModel.h"

#include "app/bridge/Messages.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

QString shownText(const Finding& finding)
{
    const QString sentence = text(finding.message);
    return finding.place.line > 0
               ? ChecksModel::tr("Line %1: %2").arg(finding.place.line).arg(sentence)
               : sentence;
}

QString spokenText(const Finding& finding)
{
    const QString sentence = text(finding.message);
    switch (finding.severity) {
    case Finding::Severity::Ok: return ChecksModel::tr("In order: %1").arg(sentence);
    case Finding::Severity::Warning: return ChecksModel::tr("Warning: %1").arg(sentence);
    case Finding::Severity::Error: return ChecksModel::tr("Error: %1").arg(sentence);
    }
    return {};
}

} // namespace

ChecksModel::ChecksModel(QObject* parent) : RowsModel(parent)
{
    setColumns({{.text = shownText}});
}

int ChecksModel::errorCount() const
{
    return static_cast<int>(
        std::ranges::count(rows(), Finding::Severity::Error, &Finding::severity));
}

QVariant ChecksModel::rowData(const Finding& finding, const QModelIndex& /*index*/, int role) const
{
    switch (role) {
    case Qt::AccessibleTextRole: return spokenText(finding);
    case SeverityRole: return static_cast<int>(finding.severity);
    case FieldRole: return QString::fromStdString(finding.place.field);
    default: return {};
    }
}

} // namespace ringmaster::app
