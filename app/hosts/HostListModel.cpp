#include "app/hosts/HostListModel.h"

#include "app/widget/FieldText.h"

#include <QStringList>

#include <algorithm>

namespace ringmaster::app {

void HostListModel::setHosts(const std::vector<Host>& hosts)
{
    std::vector<HostRow> wanted;
    for (const Host& host : hosts) {
        const int known = rowOf(host.name);
        HostRow row = known >= 0 ? at(known) : HostRow{};
        if (known >= 0 && (row.host.sshDestination() != host.sshDestination() ||
                           row.host.interpreter != host.interpreter))
            row = {};
        row.host = host;
        wanted.push_back(std::move(row));
    }
    setRows(std::move(wanted));
}

void HostListModel::setAsked(const std::vector<std::string>& names)
{
    std::vector<HostRow> wanted = rows();
    for (HostRow& row : wanted)
        row.isAsked = row.isAsked || std::ranges::find(names, row.host.name) != names.end();
    setRows(std::move(wanted));
}

void HostListModel::take(const std::vector<HostReport>& reports)
{
    std::vector<HostRow> wanted = rows();
    for (const HostReport& report : reports) {
        if (const int row = rowOf(report.host); row >= 0)
            wanted[static_cast<size_t>(row)].take(report);
    }
    setRows(std::move(wanted));
}

void HostListModel::stopAsking()
{
    std::vector<HostRow> wanted = rows();
    for (HostRow& row : wanted)
        row.isAsked = false;
    setRows(std::move(wanted));
}

int HostListModel::rowOf(const std::string& name) const
{
    const auto found = std::ranges::find(
        rows(), name, [](const HostRow& row) -> const std::string& { return row.host.name; });
    return found == rows().end() ? -1 : static_cast<int>(found - rows().begin());
}

int HostListModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HostListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const HostRow& row = rowAt(index);
    switch (role) {
    case Qt::DisplayRole: return textOf(row, index.column());
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole: return problemText(row);
    case Qt::AccessibleTextRole: {
        if (index.column() != Name)
            return textOf(row, index.column());
        QStringList parts{textOf(row, Name), textOf(row, State), problemText(row)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(": "));
    }
    case StateRole: return static_cast<int>(stateOf(row));
    case SparkRole: return QVariant::fromValue(samplesOf(row, index.column()));
    default: return {};
    }
}

QString HostListModel::textOf(const HostRow& row, int column)
{
    switch (column) {
    case Name: return QString::fromStdString(row.host.name);
    case State: return word(stateOf(row));
    case Slots: return slotsText(row.host);
    case Groups: return listText(row.host.groups);
    case Cores: return coresText(row);
    case Load: return loadText(row);
    case Memory: return memoryText(row);
    case Gpus: return gpusText(row);
    case Torch: return torchText(row);
    case Nccl: return ncclText(row);
    case Agent: return agentText(row);
    case Clock: return clockOffsetText(row);
    default: return {};
    }
}

std::vector<float> HostListModel::samplesOf(const HostRow& row, int column)
{
    switch (column) {
    case Load: return row.load;
    case Memory: return row.memory;
    case Gpus: return row.gpuMemory;
    default: return {};
    }
}

QVariant HostListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return RowsModel::headerData(section, orientation, role);
    switch (section) {
    case Name: return tr("Host");
    case State: return tr("State");
    case Slots: return tr("Slots");
    case Groups: return tr("Groups");
    case Cores: return tr("Cores");
    case Load: return tr("Load");
    case Memory: return tr("Memory");
    case Gpus: return tr("GPUs");
    case Torch: return QStringLiteral("torch");
    case Nccl: return QStringLiteral("NCCL");
    case Agent: return tr("Agent");
    case Clock: return tr("Clock");
    default: return {};
    }
}

} // namespace ringmaster::app
