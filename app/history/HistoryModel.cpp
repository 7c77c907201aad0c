#include "app/history/HistoryModel.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/RunListModel.h"
#include "engine/base/Codes.h"

#include <algorithm>
#include <numeric>

namespace ringmaster::app {

namespace {

std::int64_t finishedDurationOf(const RunSummary& run)
{
    return run.endedAt.monotonicNs - run.startedAt.monotonicNs;
}

/// "train", "gpu1: train"
QString shownNameOf(const RunSummary& run)
{
    const QString machine = machineOf(run.id);
    const QString name = QString::fromStdString(run.shownName());
    return machine.isEmpty() ? name : QStringLiteral("%1: %2").arg(machine, name);
}

QString noteOf(const RunSummary& run)
{
    return QString::fromStdString(run.labels.note);
}

/// Why it ended as it did, where there is more to say than how.
QString causeOf(const RunSummary& run)
{
    const Message& cause = firstToldOf(run);
    return cause.code == code::None ? QString() : text(cause);
}

QStringList tagsOf(const RunSummary& run)
{
    QStringList tags;
    for (const std::string& tag : run.labels.tags)
        tags << QString::fromStdString(tag);
    return tags;
}

} // namespace

HistoryModel::HistoryModel(const EngineBridge& bridge, QObject* parent)
    : RowsModel(parent), m_bridge(bridge)
{
    setColumns({
        {.title = QT_TR_NOOP("Job"),
         .text = shownNameOf,
         .toolTip =
             [](const RunSummary& run) {
                 const QString id = QString::fromStdString(run.id);
                 const QString note = noteOf(run);
                 return note.isEmpty() ? id : id + u'\n' + note;
             }},
        {.title = QT_TR_NOOP("Ended as"),
         .text = [](const RunSummary& run) { return word(run.health.health); }},
        {.title = QT_TR_NOOP("Tags"),
         .text = [](const RunSummary& run) { return tagsOf(run).join(QStringLiteral(", ")); }},
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
                 return run.restartBudget == 0 && run.restartsUsed == 0
                            ? QStringLiteral("–")
                            : tr("%1 of %2").arg(run.restartsUsed).arg(run.restartBudget);
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
        {.title = QT_TR_NOOP("Note"), .text = noteOf, .toolTip = noteOf},
        {.title = QT_TR_NOOP("Cause"), .text = causeOf, .toolTip = causeOf},
    });
    connect(&m_bridge, &EngineBridge::runsChanged, this, &HistoryModel::update);
    update();
}

std::uint64_t HistoryModel::totalBytes() const
{
    return std::accumulate(
        rows().begin(), rows().end(), std::uint64_t{0},
        [](std::uint64_t sum, const RunSummary& run) { return sum + run.sizeBytes; });
}

QStringList HistoryModel::allTags() const
{
    QStringList tags;
    for (const RunSummary& run : rows())
        tags << tagsOf(run);
    tags.removeDuplicates();
    tags.sort(Qt::CaseInsensitive);
    return tags;
}

bool HistoryModel::hasAny(Column column) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (!index(row, column).data().toString().isEmpty())
            return true;
    }
    return false;
}

void HistoryModel::update()
{
    std::vector<RunSummary> finished;
    for (const RunSummary& run : m_bridge.runs()) {
        if (isFinal(run.state) && !run.isLive)
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
    case PurposeRole: return static_cast<int>(run.purpose);
    case TagsRole: return tagsOf(run);
    case SearchRole: {
        QStringList texts{QString::fromStdString(run.shownName()), QString::fromStdString(run.name),
                          QString::fromStdString(run.id), noteOf(run), causeOf(run)};
        for (const QString& tag : tagsOf(run))
            texts << u'#' + tag;
        return texts.join(u'\n');
    }
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
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

void HistoryFilter::setState(std::optional<RunState> state)
{
    m_state = state;
    invalidateFilter();
}

void HistoryFilter::setPurpose(std::optional<RunPurpose> purpose)
{
    m_purpose = purpose;
    invalidateFilter();
}

void HistoryFilter::setTag(const QString& tag)
{
    m_tag = tag;
    invalidateFilter();
}

bool HistoryFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex run = sourceModel()->index(row, HistoryModel::Name, parent);
    if (m_state && run.data(HistoryModel::StateRole).toInt() != static_cast<int>(*m_state))
        return false;
    if (m_purpose && run.data(HistoryModel::PurposeRole).toInt() != static_cast<int>(*m_purpose))
        return false;
    if (!m_tag.isEmpty() && !run.data(HistoryModel::TagsRole).toStringList().contains(m_tag))
        return false;
    const QString text = run.data(HistoryModel::SearchRole).toString();
    return std::ranges::all_of(
        m_words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace ringmaster::app
