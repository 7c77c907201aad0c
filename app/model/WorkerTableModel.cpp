#include "app/model/WorkerTableModel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/HostText.h"
#include "app/model/OperationText.h"

#include <algorithm>

namespace ringmaster::app {

WorkerTableModel::WorkerTableModel(const RunModel& run, QObject* parent)
    : TableModel(parent), m_run(run)
{
    describeColumns();
    connect(&m_run, &RunModel::workersReplaced, this, &WorkerTableModel::resizeToRun);
    connect(&m_run, &RunModel::workersChanged, this, [this](const std::vector<int>& rows) {
        if (!isEarlier())
            announce(rows);
    });
    connect(&m_run, &RunModel::placesChanged, this, [this](const std::vector<int>& rows) {
        if (!isEarlier())
            announce(rows, {NoteRole, Qt::ToolTipRole, Qt::AccessibleTextRole});
    });
    resizeToRun();
}

void WorkerTableModel::describeColumns()
{
    const auto rankOf = [](const WorkerSnapshot& worker) { return worker.assignment.globalRank; };
    const auto loadOf = [this, rankOf](const WorkerSnapshot& worker) -> const WorkerLoad& {
        return m_run.load(rankOf(worker));
    };
    const auto isSampled = [this, loadOf](const WorkerSnapshot& worker) {
        return loadOf(worker).lastMemory >= 0 && !worker.lastExit && !isEarlier();
    };
    setColumns({
        {.title = QT_TR_NOOP("Rank"),
         .text = [rankOf](const WorkerSnapshot& worker) { return QString::number(rankOf(worker)); },
         .sortKey = rankOf},
        {.title = QT_TR_NOOP("State"),
         .text = [this](const WorkerSnapshot& worker) { return word(healthOf(worker)); },
         .sortKey =
             [this](const WorkerSnapshot& worker) { return static_cast<int>(healthOf(worker)); }},
        {.title = QT_TR_NOOP("PID"),
         .text =
             [](const WorkerSnapshot& worker) {
                 return worker.pid > 0 ? QString::number(worker.pid) : QString();
             },
         .sortKey = &WorkerSnapshot::pid,
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("CPU"),
         .text =
             [loadOf, isSampled](const WorkerSnapshot& worker) {
                 return isSampled(worker) ? percentText(loadOf(worker).lastCpu) : QString();
             },
         .sortKey = [loadOf](const WorkerSnapshot& worker) { return loadOf(worker).lastCpu; }},
        {.title = QT_TR_NOOP("Memory"),
         .text =
             [loadOf, isSampled](const WorkerSnapshot& worker) {
                 return isSampled(worker) ? bytesText(loadOf(worker).lastMemory) : QString();
             },
         .sortKey = [loadOf](const WorkerSnapshot& worker) { return loadOf(worker).lastMemory; }},
        {.title = QT_TR_NOOP("Restarts"),
         .text =
             [this](const WorkerSnapshot& worker) { return QString::number(restartsOf(worker)); },
         .sortKey = [this](const WorkerSnapshot& worker) { return restartsOf(worker); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Node"),
         .text = [](const WorkerSnapshot& worker) { return QString::fromStdString(worker.node); }},
        {.title = QT_TR_NOOP("Local rank"),
         .text =
             [](const WorkerSnapshot& worker) {
                 return QString::number(worker.assignment.localRank);
             },
         .sortKey = [](const WorkerSnapshot& worker) { return worker.assignment.localRank; },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Role"),
         .text =
             [](const WorkerSnapshot& worker) {
                 return QString::fromStdString(worker.assignment.role);
             }},
        {.title = QT_TR_NOOP("How it ended"),
         .text = [this](const WorkerSnapshot& worker) { return explanationOf(worker); }},
    });
}

void WorkerTableModel::resizeToRun()
{
    const int wanted = static_cast<int>(workers().size());
    if (wanted < m_rows) {
        beginRemoveRows({}, wanted, m_rows - 1);
        m_rows = wanted;
        endRemoveRows();
    } else if (wanted > m_rows) {
        beginInsertRows({}, m_rows, wanted - 1);
        m_rows = wanted;
        endInsertRows();
    }
    announceAll(0, m_rows - 1);
}

void WorkerTableModel::showAttempt(int attempt)
{
    m_attempt = attempt;
    resizeToRun();
}

/// Null: the latest one is shown. One that isn't kept any more has no workers.
const EarlierAttempt* WorkerTableModel::earlier() const
{
    static const EarlierAttempt NotKept;
    if (m_attempt < 0 || m_attempt >= m_run.snapshot().attempt)
        return nullptr;
    const EarlierAttempt* kept = m_run.earlierAttempts().find(m_attempt);
    return kept != nullptr ? kept : &NotKept;
}

const std::vector<WorkerSnapshot>& WorkerTableModel::workers() const
{
    const EarlierAttempt* shown = earlier();
    return shown != nullptr ? shown->workers : m_run.snapshot().workers;
}

Health WorkerTableModel::healthOf(const WorkerSnapshot& worker) const
{
    const EarlierAttempt* shown = earlier();
    return shown == nullptr ? m_run.healthOf(worker)
                            : shown->health[static_cast<size_t>(&worker - shown->workers.data())];
}

int WorkerTableModel::restartsOf(const WorkerSnapshot& worker) const
{
    const int all = m_run.restartsOf(worker.assignment.globalRank);
    return isEarlier() ? std::min(all, m_attempt) : all;
}

int WorkerTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

const WorkerSnapshot* WorkerTableModel::rowAt(int row) const
{
    const auto& workers = this->workers();
    const auto at = static_cast<size_t>(row);
    return at < workers.size() ? &workers[at] : nullptr;
}

QVariant WorkerTableModel::rowData(const WorkerSnapshot& worker, const QModelIndex& index,
                                   int role) const
{
    const int rank = worker.assignment.globalRank;
    switch (role) {
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2 · %3")
            .arg(rankText(rank), word(healthOf(worker)), wholeNoteOf(worker));
    case RankRole: return rank;
    case HealthRole: return static_cast<int>(healthOf(worker));
    case WordRole: return word(healthOf(worker));
    case NodeRole: return QString::fromStdString(worker.node);
    case HeadingRole: {
        const HostSnapshot* host = hostOf(worker);
        return QString::fromStdString(host != nullptr ? host->host : worker.node);
    }
    case HostStateRole: {
        const HostSnapshot* host = hostOf(worker);
        return host != nullptr ? QVariant(static_cast<int>(host->state)) : QVariant();
    }
    case HostNoteRole: {
        const HostSnapshot* host = hostOf(worker);
        return host != nullptr ? hostNote(*host) : QString();
    }
    case SparkRole:
        if (isEarlier())
            return {};
        return QVariant::fromValue(index.column() == Memory ? m_run.load(rank).memory
                                                            : m_run.load(rank).cpu);
    case NoteRole: return noteOf(worker);
    case RestartsRole: return restartsOf(worker);
    case FirstCauseRole:
        return isEarlier() ? earlier()->firstCause == rank : m_run.isFirstCause(rank);
    default: return {};
    }
}

const HostSnapshot* WorkerTableModel::hostOf(const WorkerSnapshot& worker) const
{
    const auto& hosts = m_run.snapshot().hosts;
    const auto host = std::ranges::find(hosts, worker.agent, &HostSnapshot::agent);
    return host == hosts.end() ? nullptr : &*host;
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
    if (saysAnything(exit.explanation))
        return text(exit.explanation);
    return exitText(exit.status);
}

QString WorkerTableModel::noteOf(const WorkerSnapshot& worker) const
{
    if (worker.lastExit)
        return explanationOf(worker);
    const int rank = worker.assignment.globalRank;
    const int restarts = restartsOf(worker);
    const auto* place = m_run.isRunning() && !isEarlier() ? m_run.placeOf(rank) : nullptr;
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
    const auto* place = !worker.lastExit && m_run.isRunning() && !isEarlier()
                            ? m_run.placeOf(worker.assignment.globalRank)
                            : nullptr;
    const QString called = place == nullptr ? QString() : calledAtText(*place);
    return called.isEmpty() ? noteOf(worker) : QStringLiteral("%1, %2").arg(noteOf(worker), called);
}

QModelIndex WorkerTableModel::indexOfRank(int globalRank) const
{
    const auto& workers = this->workers();
    for (size_t row = 0; row < workers.size() && row < static_cast<size_t>(m_rows); ++row) {
        if (workers[row].assignment.globalRank == globalRank)
            return index(static_cast<int>(row), 0);
    }
    return {};
}

int WorkerTableModel::countOf(Health health) const
{
    return static_cast<int>(std::ranges::count(
        workers(), health, [this](const WorkerSnapshot& worker) { return healthOf(worker); }));
}

int WorkerTableModel::restartedCount() const
{
    return static_cast<int>(std::ranges::count_if(
        workers(), [this](const WorkerSnapshot& worker) { return restartsOf(worker) > 0; }));
}

} // namespace ringmaster::app
