#include "app/model/WorkerTableModel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/OperationText.h"
#include "engine/base/Codes.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

bool isNumber(int column)
{
    return column == WorkerTableModel::Pid || column == WorkerTableModel::Restarts ||
           column == WorkerTableModel::LocalRank;
}

} // namespace

WorkerTableModel::WorkerTableModel(const RunModel& run, QObject* parent)
    : QAbstractTableModel(parent), m_run(run)
{
    connect(&m_run, &RunModel::workersReplaced, this, &WorkerTableModel::resizeToRun);
    connect(&m_run, &RunModel::workersChanged, this, &WorkerTableModel::announce);
    resizeToRun();
}

void WorkerTableModel::resizeToRun()
{
    const int wanted = static_cast<int>(m_run.snapshot().workers.size());
    if (wanted < m_rows) {
        beginRemoveRows({}, wanted, m_rows - 1);
        m_rows = wanted;
        endRemoveRows();
    } else if (wanted > m_rows) {
        beginInsertRows({}, m_rows, wanted - 1);
        m_rows = wanted;
        endInsertRows();
    }
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, ColumnCount - 1));
}

void WorkerTableModel::announce(const std::vector<int>& rows)
{
    // Proxies and views pay for each signal: neighbours go together, and so do many.
    constexpr size_t ManySignals = 32;
    size_t ranges = 0;
    for (size_t i = 0; i < rows.size(); ++i)
        ranges += i == 0 || rows[i] != rows[i - 1] + 1 ? 1 : 0;
    for (size_t i = 0; i < rows.size();) {
        size_t last = i;
        while (last + 1 < rows.size() && (ranges > ManySignals || rows[last + 1] == rows[last] + 1))
            ++last;
        Q_EMIT dataChanged(index(rows[i], 0), index(rows[last], ColumnCount - 1));
        i = last + 1;
    }
}

int WorkerTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int WorkerTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WorkerTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto row = static_cast<size_t>(index.row());
    if (row >= m_run.snapshot().workers.size())
        return {};
    const WorkerSnapshot& worker = m_run.snapshot().workers[row];
    const int rank = worker.assignment.globalRank;
    switch (role) {
    case Qt::DisplayRole: return textOf(worker, index.column());
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2 · %3")
            .arg(rankText(rank), word(worker.state), wholeNoteOf(worker));
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case SortRole: return sortKeyOf(worker, index.column());
    case RankRole: return rank;
    case StateRole: return static_cast<int>(worker.state);
    case WordRole: return word(worker.state);
    case NodeRole: return QString::fromStdString(worker.node);
    case HeadingRole: return headingOf(worker);
    case SparkRole:
        return QVariant::fromValue(index.column() == Memory ? m_run.load(rank).memory
                                                            : m_run.load(rank).cpu);
    case NoteRole: return noteOf(worker);
    case RestartsRole: return m_run.restartsOf(rank);
    case FirstCauseRole: return m_run.isFirstCause(rank);
    default: return {};
    }
}

QString WorkerTableModel::headingOf(const WorkerSnapshot& worker) const
{
    const auto& hosts = m_run.snapshot().hosts;
    const auto host = std::ranges::find(hosts, worker.agent, &HostSnapshot::agent);
    if (host == hosts.end())
        return QString::fromStdString(worker.node);
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(host->host), word(host->state));
}

QString WorkerTableModel::textOf(const WorkerSnapshot& worker, int column) const
{
    const int rank = worker.assignment.globalRank;
    const WorkerLoad& load = m_run.load(rank);
    const bool isSampled = load.lastMemory >= 0 && !worker.lastExit;
    switch (column) {
    case Rank: return QString::number(rank);
    case State: return word(worker.state);
    case Pid: return worker.pid > 0 ? QString::number(worker.pid) : QString();
    case Cpu: return isSampled ? percentText(load.lastCpu) : QString();
    case Memory: return isSampled ? bytesText(load.lastMemory) : QString();
    case Restarts: return QString::number(m_run.restartsOf(rank));
    case Node: return QString::fromStdString(worker.node);
    case LocalRank: return QString::number(worker.assignment.localRank);
    case Role: return QString::fromStdString(worker.assignment.role);
    case Exit: return explanationOf(worker);
    default: return {};
    }
}

QVariant WorkerTableModel::sortKeyOf(const WorkerSnapshot& worker, int column) const
{
    const int rank = worker.assignment.globalRank;
    switch (column) {
    case Rank: return rank;
    case State: return static_cast<int>(worker.state);
    case Pid: return worker.pid;
    case Cpu: return m_run.load(rank).lastCpu;
    case Memory: return QVariant::fromValue(static_cast<qlonglong>(m_run.load(rank).lastMemory));
    case Restarts: return m_run.restartsOf(rank);
    case LocalRank: return worker.assignment.localRank;
    default: return textOf(worker, column);
    }
}

QString WorkerTableModel::explanationOf(const WorkerSnapshot& worker) const
{
    if (!worker.lastExit)
        return {};
    const WorkerExited& exit = *worker.lastExit;
    if (!exit.errorType.empty()) {
        const QString type = QString::fromStdString(exit.errorType);
        return exit.errorText.empty()
                   ? type
                   : QStringLiteral("%1: %2").arg(type, QString::fromStdString(exit.errorText));
    }
    if (exit.explanation.code != code::None && exit.explanation.code != code::InternalError)
        return text(exit.explanation);
    return exitText(exit.status);
}

QString WorkerTableModel::noteOf(const WorkerSnapshot& worker) const
{
    if (worker.lastExit)
        return explanationOf(worker);
    const int rank = worker.assignment.globalRank;
    const int restarts = m_run.restartsOf(rank);
    const auto* place = m_run.isRunning() ? m_run.placeOf(rank) : nullptr;
    if (place != nullptr)
        return placeText(*place, SystemClock().now().monotonicNs);
    QStringList parts;
    if (worker.pid > 0)
        parts << tr("pid %1").arg(worker.pid);
    if (restarts == 1)
        parts << tr("restarted once");
    else if (restarts > 1)
        parts << tr("restarted %n times", nullptr, restarts);
    return parts.join(QStringLiteral(" · "));
}

QString WorkerTableModel::wholeNoteOf(const WorkerSnapshot& worker) const
{
    const auto* place = !worker.lastExit && m_run.isRunning()
                            ? m_run.placeOf(worker.assignment.globalRank)
                            : nullptr;
    const QString called = place == nullptr ? QString() : calledAtText(*place);
    return called.isEmpty() ? noteOf(worker) : QStringLiteral("%1, %2").arg(noteOf(worker), called);
}

QVariant WorkerTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isNumber(section))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Rank: return tr("Rank");
    case State: return tr("State");
    case Pid: return tr("PID");
    case Cpu: return tr("CPU");
    case Memory: return tr("Memory");
    case Restarts: return tr("Restarts");
    case Node: return tr("Node");
    case LocalRank: return tr("Local rank");
    case Role: return tr("Role");
    case Exit: return tr("How it ended");
    default: return {};
    }
}

QModelIndex WorkerTableModel::indexOfRank(int globalRank) const
{
    const auto& workers = m_run.snapshot().workers;
    for (size_t row = 0; row < workers.size() && row < static_cast<size_t>(m_rows); ++row) {
        if (workers[row].assignment.globalRank == globalRank)
            return index(static_cast<int>(row), 0);
    }
    return {};
}

int WorkerTableModel::countOf(WorkerState state) const
{
    return static_cast<int>(
        std::ranges::count(m_run.snapshot().workers, state, &WorkerSnapshot::state));
}

int WorkerTableModel::restartedCount() const
{
    return static_cast<int>(
        std::ranges::count_if(m_run.snapshot().workers, [this](const WorkerSnapshot& worker) {
            return m_run.restartsOf(worker.assignment.globalRank) > 0;
        }));
}

} // namespace ringmaster::app
