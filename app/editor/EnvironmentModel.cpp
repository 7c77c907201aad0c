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

QString valueText(const EnvironmentEntry& entry)
{
    return isChosenAtStart(entry) ? EnvironmentModel::tr("chosen at start")
                                  : QString::fromStdString(entry.value);
}

QString originText(const EnvironmentEntry& entry)
{
    switch (entry.origin) {
    case VariableOrigin::Inherited: return EnvironmentModel::tr("inherited");
    case VariableOrigin::Job: return EnvironmentModel::tr("this job");
    case VariableOrigin::Torchrun: return QStringLiteral("torchrun");
    case VariableOrigin::Ringmaster: return QStringLiteral("Ringmaster");
    }
    return {};
}

} // namespace

EnvironmentModel::EnvironmentModel(QObject* parent) : RowsModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("Variable"),
         .text = [](const EnvironmentEntry& entry) { return QString::fromStdString(entry.name); }},
        {.title = QT_TR_NOOP("Value"), .text = valueText},
        {.title = QT_TR_NOOP("Set by"), .text = originText},
    });
}

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

} // namespace ringmaster::app
