#include "app/history/HistoryModel.h"

#include "app/bridge/Words.h"

#include <algorithm>
#include <numeric>

namespace ringmaster::app {

namespace {

std::int64_t finishedDurationOf(const RunSummary& run)
{
    return run.endedAt.monotonicNs - run.startedAt.monotonicNs;
}

} // namespace

HistoryModel::HistoryModel(const EngineBridge& bridge, QObject* parent)
    : RowsModel(parent), m_bridge(bridge)
{
    setColumns({
        {.title = QT_TR_NOOP("Job"),
         .text = [](const RunSummary& run) { return QString::fromStdString(run.name); },
         .toolTip = [](const RunSummary& run) { return QString::fromStdString(run.id); }},
        {.title = QT_TR_NOOP("Ended as"),
         .text = [](const RunSummary& run) { return word(run.health.health); }},
        {.title = QT_TR_NOOP("Started"),
         .text = [](const RunSummary& run) { return dateTimeText(run.startedAt); },
         .sortKey = [](const RunSummary& run) { return run.startedAt.wallNs; }},
        {.title = QT_TR_NOOP("Duration"),
         .text = [](const RunSummary& run) { return clockText(finishedDurationOf(run)); },
         .sortKey = finishedDurationOf},
        {.title = QT_TR_NOOP("Ranks"),
         .text = [](const RunSummary& run) { return QString::number(run.worldSize); },
         .sortKey = &RunSummary::worldSize,
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Restarts"),
         .text =
             [](const RunSummary& run) {
                 return tr("%1 of %2").arg(run.restartsUsed).arg(run.restartBudget);
             },
         .sortKey = &RunSummary::restartsUsed},
        {.title = QT_TR_NOOP("Size"),
         .text =
             [](const RunSummary& run) {
                 return bytesText(static_cast<std::int64_t>(run.sizeBytes));
             },
         .sortKey = &RunSummary::sizeBytes,
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Kept"),
         .text = [](const RunSummary& run) { return run.isPinned ? tr("pinned") : QString(); }},
    });
    connect(&m_bridge, &EngineBridge::runsChanged, this, &HistoryModel::update);
    update();
}

void HistoryModel::setHidden(const std::string& run, bool hidden)
{
    if (hidden)
        m_hidden.insert(run);
    else
        m_hidden.erase(run);
    update();
}

std::uint64_t HistoryModel::totalBytes() const
{
    return std::accumulate(
        rows().begin(), rows().end(), std::uint64_t{0},
        [](std::uint64_t sum, const RunSummary& run) { return sum + run.sizeBytes; });
}

void HistoryModel::update()
{
    std::vector<RunSummary> finished;
    for (const RunSummary& run : m_bridge.runs()) {
        if (isFinal(run.state) && !run.isLive && !m_hidden.contains(run.id))
            finished.push_back(run);
    }
    setRows(finished, &RunSummary::id);
}

QVariant HistoryModel::rowData(const RunSummary& run, const QModelIndex& /*index*/, int role) const
{
    switch (role) {
    case IdRole: return QString::fromStdString(run.id);
    case StateRole: return static_cast<int>(run.state);
    case HealthRole: return static_cast<int>(run.health.health);
    case PinnedRole: return run.isPinned;
    default: return {};
    }
}

HistoryFilter::HistoryFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(HistoryModel::SortRole);
    setDynamicSortFilter(true);
}

void HistoryFilter::setText(const QString& text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

void HistoryFilter::setState(std::optional<RunState> state)
{
    m_state = state;
    invalidateFilter();
}

bool HistoryFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex name = sourceModel()->index(row, HistoryModel::Name, parent);
    if (m_state && name.data(HistoryModel::StateRole).toInt() != static_cast<int>(*m_state))
        return false;
    return name.data().toString().contains(m_text, Qt::CaseInsensitive) ||
           name.data(HistoryModel::IdRole).toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace ringmaster::app
