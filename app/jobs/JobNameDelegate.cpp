#include "app/jobs/JobNameDelegate.h"

#include "app/bridge/MachineBridge.h"
#include "app/model/RunListModel.h"

namespace ringmaster::app {

void JobNameDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const std::string run = index.data(RunListModel::IdRole).toString().toStdString();
    if (const QString machine = machineOf(run); !machine.isEmpty())
        option->text += QChar::LineSeparator + tr("on %1").arg(machine);
}

} // namespace ringmaster::app
