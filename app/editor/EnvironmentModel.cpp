#include "app/editor/EnvironmentModel.h"

#include "app/editor/RankEnvironment.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// torchrun's own order of the variables that a user looks for first; others follow by name.
int importance(const EnvironmentEntry& entry)
{
    static const std::vector<std::string> first{"RANK",
                                                "LOCAL_RANK",
                                                "WORLD_SIZE",
                                                "LOCAL_WORLD_SIZE",
                                                "GROUP_RANK",
                                                "GROUP_WORLD_SIZE",
                                                "MASTER_ADDR",
                                                "MASTER_PORT",
                                                "CUDA_VISIBLE_DEVICES"};
    const auto found = std::find(first.begin(), first.end(), entry.name);
    return static_cast<int>(found - first.begin()) +
           (entry.origin == VariableOrigin::Inherited ? 100 : 0);
}

} // namespace

void EnvironmentModel::setEnvironment(const WorkerEnvironment& environment, bool withInherited)
{
    std::vector<EnvironmentEntry> wanted;
    for (const EnvironmentEntry& entry : environment.entries) {
        if (withInherited || entry.origin != VariableOrigin::Inherited)
            wanted.push_back(entry);
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const EnvironmentEntry& left, const EnvironmentEntry& right) {
                         return importance(left) < importance(right);
                     });
    setRows(std::move(wanted));
}

int EnvironmentModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EnvironmentModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const EnvironmentEntry& entry = rowAt(index);
    switch (index.column()) {
    case Name: return QString::fromStdString(entry.name);
    case Value:
        return isChosenAtStart(entry) ? tr("chosen at start") : QString::fromStdString(entry.value);
    case Origin: break;
    default: return {};
    }
    switch (entry.origin) {
    case VariableOrigin::Inherited: return tr("inherited");
    case VariableOrigin::Job: return tr("this job");
    case VariableOrigin::Torchrun: return QStringLiteral("torchrun");
    case VariableOrigin::Ringmaster: return QStringLiteral("Ringmaster");
    }
    return {};
}

QVariant EnvironmentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("Variable");
    case Value: return tr("Value");
    case Origin: return tr("Set by");
    default: return {};
    }
}

} // namespace ringmaster::app
