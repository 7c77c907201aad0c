#include "app/hosts/HostListModel.h"

#include "app/widget/FieldText.h"

#include <QStringList>

#include <algorithm>

namespace ringmaster::app {

namespace {

std::vector<float> samplesOf(const HostRow& row, int column)
{
    switch (column) {
    case HostListModel::Load: return row.load;
    case HostListModel::Memory: return row.memory;
    case HostListModel::Gpus: return row.gpuMemory;
    default: return {};
    }
}

/// All that a tile says where there is room for it.
QString toldOf(const HostRow& row)
{
    QStringList lines{QString::fromStdString(row.host.name), problemText(row), memoryText(row),
                      gpusText(row)};
    if (row.facts() != nullptr)
        lines << QStringLiteral("torch %1 · NCCL %2 · %3")
                     .arg(torchText(row), ncclText(row), clockOffsetText(row));
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace

HostListModel::HostListModel(QObject* parent) : RowsModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("Host"),
         .text = [](const HostRow& row) { return QString::fromStdString(row.host.name); }},
        {.title = QT_TR_NOOP("State"),
         .text = [](const HostRow& row) { return word(stateOf(row)); }},
        {.title = QT_TR_NOOP("Slots"),
         .text = [](const HostRow& row) { return slotsText(row.host); }},
        {.title = QT_TR_NOOP("Groups"),
         .text = [](const HostRow& row) { return listText(row.host.groups); }},
        {.title = QT_TR_NOOP("Cores"), .text = coresText},
        {.title = QT_TR_NOOP("Load"), .text = loadText},
        {.title = QT_TR_NOOP("Memory"), .text = memoryText},
        {.title = QT_TR_NOOP("GPUs"), .text = gpusText},
        {.title = "torch", .text = torchText},
        {.title = "NCCL", .text = ncclText},
        {.title = QT_TR_NOOP("Agent"), .text = agentText},
        {.title = QT_TR_NOOP("Clock"), .text = clockOffsetText},
        {.title = QT_TR_NOOP("Its jobs"), .text = jobsText},
    });
}

void HostListModel::setHosts(const std::vector<Host>& hosts)
{
    std::vector<HostRow> wanted;
    for (const Host& host : hosts) {
        const int known = rowOf(host.name);
        HostRow row = known >= 0 ? at(known) : HostRow{};
        if (known >= 0 && (row.host.sshDestination() != host.sshDestination() ||
                           row.host.interpreter != host.interpreter))
            row = {.watch = row.watch};
        row.host = host;
        wanted.push_back(std::move(row));
    }
    // Rows move with their hosts: what is chosen stays the same host when others go.
    setRows(wanted, [](const HostRow& row) -> const std::string& { return row.host.name; });
}

void HostListModel::setAsked(const std::vector<std::string>& names)
{
    std::vector<HostRow> wanted = rows();
    for (HostRow& row : wanted)
        row.isAsked = row.isAsked || std::ranges::find(names, row.host.name) != names.end();
    setRows(std::move(wanted));
}

void HostListModel::take(const std::vector<HostReport>& reports, std::int64_t nowMs)
{
    std::vector<HostRow> wanted = rows();
    for (const HostReport& report : reports) {
        if (const int row = rowOf(report.host); row >= 0)
            wanted[static_cast<size_t>(row)].take(report, nowMs);
    }
    setRows(std::move(wanted));
}

void HostListModel::setWatched(const std::vector<WatchedMachineState>& machines)
{
    std::vector<HostRow> wanted = rows();
    for (HostRow& row : wanted) {
        const auto found = std::ranges::find(machines, row.host.name, &WatchedMachineState::name);
        row.watch = found == machines.end() ? std::nullopt : std::optional(*found);
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

QVariant HostListModel::rowData(const HostRow& row, const QModelIndex& index, int role) const
{
    switch (role) {
    case Qt::ToolTipRole: return toldOf(row);
    case Qt::AccessibleDescriptionRole: return problemText(row);
    case Qt::AccessibleTextRole: {
        if (index.column() != Name)
            return index.data();
        QStringList parts{QString::fromStdString(row.host.name), word(stateOf(row)),
                          problemText(row)};
        parts.removeAll(QString());
        return parts.join(QStringLiteral(": "));
    }
    case StateRole: return static_cast<int>(stateOf(row));
    case SparkRole: return QVariant::fromValue(samplesOf(row, index.column()));
    default: return {};
    }
}

} // namespace ringmaster::app
