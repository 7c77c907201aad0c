#include "app/model/RunListModel.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "engine/base/Codes.h"

#include <QDateTime>

#include <algorithm>

namespace ringmaster::app {

namespace {

std::int64_t sinceNs(const Moment& moment)
{
    return QDateTime::currentMSecsSinceEpoch() * 1'000'000 - moment.wallNs;
}

std::int64_t durationOf(const RunSummary& run)
{
    if (isFinal(run.state))
        return run.endedAt.monotonicNs - run.startedAt.monotonicNs;
    return sinceNs(run.startedAt);
}

/// "8 ranks · 3:42", "Hanging 0:12 · 8 ranks"
QString stateLineOf(const RunSummary& run)
{
    const QString time = clockText(durationOf(run));
    if (run.state == RunState::Restarting)
        return RunListModel::tr("restarting · %1 of %2")
            .arg(run.restartsUsed)
            .arg(run.restartBudget);
    if (run.health.statement.code != code::None)
        return QStringLiteral("%1 %2 · %3")
            .arg(word(run.health.health), clockText(sinceNs(run.health.since)),
                 ranksCountText(run.worldSize));
    return QStringLiteral("%1 · %2").arg(
        run.worldSize == 0 ? word(run.state) : ranksCountText(run.worldSize), time);
}

} // namespace

const Message& firstToldOf(const RunSummary& run)
{
    if (run.cause.code != code::None)
        return run.cause;
    return run.health.statement.code != code::None ? run.health.statement : run.reason;
}

RunListModel::RunListModel(const EngineBridge& bridge, const RunProgress* progress, QObject* parent)
    : RowsModel(parent), m_progress(progress)
{
    setColumns({
        {.title = QT_TR_NOOP("Job"),
         .text = [](const RunSummary& run) { return QString::fromStdString(run.name); }},
        {.title = QT_TR_NOOP("State"),
         .text = [](const RunSummary& run) { return word(run.health.health); }},
        {.title = QT_TR_NOOP("Ranks"),
         .text =
             [](const RunSummary& run) {
                 return run.worldSize > 0 ? QString::number(run.worldSize) : QString();
             },
         .sortKey = &RunSummary::worldSize},
        {.title = QT_TR_NOOP("Restarts"),
         .text =
             [](const RunSummary& run) {
                 return run.restartBudget == 0 && run.restartsUsed == 0
                            ? QStringLiteral("–")
                            : tr("%1 of %2", "restarts used")
                                  .arg(run.restartsUsed)
                                  .arg(run.restartBudget);
             }},
        {.title = QT_TR_NOOP("Started"),
         .text = [](const RunSummary& run) { return dateTimeText(run.startedAt); },
         .sortKey = [](const RunSummary& run) { return run.startedAt.wallNs; }},
        {.title = QT_TR_NOOP("Time"),
         .text = [](const RunSummary& run) { return clockText(durationOf(run)); },
         .sortKey = durationOf},
        {.title = QT_TR_NOOP("Reason"),
         .text =
             [](const RunSummary& run) {
                 const Message& first = firstToldOf(run);
                 return first.code == code::None ? QString() : text(first);
             }},
    });
    const auto update = [this, &bridge] { setRows(bridge.runs(), &RunSummary::id); };
    connect(&bridge, &EngineBridge::runsChanged, this, update);
    update();
    if (progress != nullptr)
        connect(progress, &RunProgress::changed, this, &RunListModel::tick);
}

std::optional<double> RunListModel::progressOf(const RunSummary& run) const
{
    if (m_progress == nullptr)
        return std::nullopt;
    const auto found = m_progress->all().find(run.id);
    return found == m_progress->all().end() ? std::nullopt : std::optional(found->second.part);
}

QString RunListModel::lineOf(const RunSummary& run) const
{
    const QString line = stateLineOf(run);
    const auto progress = progressOf(run);
    return progress ? QStringLiteral("%1 · %2").arg(line, percentText(*progress)) : line;
}

QVariant RunListModel::rowData(const RunSummary& run, const QModelIndex& /*index*/, int role) const
{
    switch (role) {
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2 · %3")
            .arg(QString::fromStdString(run.name), word(run.health.health), lineOf(run));
    case IdRole: return QString::fromStdString(run.id);
    case HealthRole: return static_cast<int>(run.health.health);
    case WordRole: return word(run.health.health);
    case LiveRole: return run.isLive;
    case LineRole: return lineOf(run);
    case ProgressRole: {
        const auto progress = progressOf(run);
        return progress ? QVariant(*progress) : QVariant();
    }
    default: return {};
    }
}

QModelIndex RunListModel::indexOf(const QString& run) const
{
    const auto found = std::ranges::find(rows(), run.toStdString(), &RunSummary::id);
    return found == rows().end() ? QModelIndex()
                                 : index(static_cast<int>(found - rows().begin()), 0);
}

int RunListModel::liveCount() const
{
    return static_cast<int>(std::ranges::count(rows(), true, &RunSummary::isLive));
}

void RunListModel::tick()
{
    for (int row = 0; row < rowCount(); ++row) {
        if (!isFinal(at(row).state))
            Q_EMIT dataChanged(index(row, Duration), index(row, Duration),
                               {Qt::DisplayRole, LineRole, ProgressRole, SortRole});
    }
}

RunFilter::RunFilter(Show show, QObject* parent) : QSortFilterProxyModel(parent), m_show(show)
{
    setSortRole(RunListModel::SortRole);
}

void RunFilter::setText(const QString& text)
{
    m_text = text;
    invalidateRowsFilter();
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, RunListModel::Name, parent);
    const bool isLive = index.data(RunListModel::LiveRole).toBool();
    if (m_show == Show::Live ? !isLive : m_show == Show::Finished && isLive)
        return false;
    return m_text.isEmpty() || index.data().toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace ringmaster::app
