#include "app/model/RunListModel.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/NumberText.h"
#include "app/model/OperationText.h"
#include "engine/base/Codes.h"

#include <QDateTime>

#include <algorithm>
#include <map>

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

/// Its id, and what a user has written on it.
QString labelText(const RunSummary& run)
{
    QStringList lines{QString::fromStdString(run.id)};
    QStringList tags;
    for (const std::string& tag : run.labels.tags)
        tags << QStringLiteral("#") + QString::fromStdString(tag);
    for (const QString& line : {tags.join(u' '), QString::fromStdString(run.labels.note)}) {
        if (!line.isEmpty())
            lines << line;
    }
    return lines.join(u'\n');
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
         .text = [](const RunSummary& run) { return QString::fromStdString(run.shownName()); },
         .toolTip = labelText},
        {.title = QT_TR_NOOP("State"),
         .text = [](const RunSummary& run) { return word(run.health.health); }},
        {.title = QT_TR_NOOP("Progress")},
        {.title = QT_TR_NOOP("Steps/s"), .alignment = NumberAlignment},
        {.title = "busbw", .alignment = NumberAlignment},
        {.title = "CPU"},
        {.title = "GPU"},
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
        {.title = QT_TR_NOOP("What it says")},
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
    const QString machine = machineOf(run.id);
    const QString line = machine.isEmpty()
                             ? stateLineOf(run)
                             : QStringLiteral("%1 · %2").arg(machine, stateLineOf(run));
    const auto progress = progressOf(run);
    return progress ? QStringLiteral("%1 · %2").arg(line, percentText(*progress)) : line;
}

QVariant RunListModel::rowData(const RunSummary& run, const QModelIndex& index, int role) const
{
    if (QVariant figure = figureOf(run, index.column(), role); figure.isValid())
        return figure;
    switch (role) {
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2 · %3")
            .arg(QString::fromStdString(run.shownName()), word(run.health.health), lineOf(run));
    case IdRole: return QString::fromStdString(run.id);
    case HealthRole: return static_cast<int>(run.health.health);
    case WordRole: return word(run.health.health);
    case LiveRole: return run.isLive;
    case PurposeRole: return static_cast<int>(run.purpose);
    case LineRole: return lineOf(run);
    case ProgressRole: {
        const auto progress = progressOf(run);
        return progress ? QVariant(*progress) : QVariant();
    }
    default: return {};
    }
}

void RunListModel::setOverview(const RunOverview& overview)
{
    m_overview = &overview;
    connect(&overview, &RunOverview::changed, this, &RunListModel::tick);
    tick();
}

std::optional<double> RunListModel::valueOf(const RunSummary& run, int column) const
{
    const RunOverview::Entry* entry = m_overview == nullptr ? nullptr : m_overview->find(run.id);
    const auto last = [](const std::vector<float>& samples) {
        return samples.empty() ? std::nullopt : std::optional(double(samples.back()));
    };
    switch (column) {
    case Progress: return progressOf(run);
    case StepRate: {
        if (entry != nullptr && entry->figures.stepsASecond)
            return entry->figures.stepsASecond;
        // By what is printed, where it goes on as it did.
        const auto* printed = m_progress == nullptr ? nullptr : m_progress->find(run.id);
        return printed != nullptr && printed->endWallNs ? printed->perSecond : std::nullopt;
    }
    case BusBandwidth:
        return entry != nullptr && entry->figures.busBandwidth > 0
                   ? std::optional(entry->figures.busBandwidth)
                   : std::nullopt;
    case Cpu: return entry == nullptr ? std::nullopt : last(entry->cpu);
    case Gpu: return entry == nullptr ? std::nullopt : last(entry->gpu);
    default: return std::nullopt;
    }
}

/// "41 % · 4:05 left"
QString RunListModel::progressTextOf(const RunSummary& run) const
{
    const auto* progress = m_progress == nullptr ? nullptr : m_progress->find(run.id);
    return progress == nullptr
               ? QString()
               : progressText(*progress, QDateTime::currentMSecsSinceEpoch() * 1'000'000);
}

QString RunListModel::saysOf(const RunSummary& run) const
{
    const Message& first = firstToldOf(run);
    if (first.code != code::None)
        return text(first);
    const RunOverview::Entry* entry = m_overview == nullptr ? nullptr : m_overview->find(run.id);
    return entry == nullptr ? QString() : QString::fromStdString(entry->figures.lastLine).trimmed();
}

/// Of the columns that the list of runs doesn't tell; invalid: another column or role.
QVariant RunListModel::figureOf(const RunSummary& run, int column, int role) const
{
    if (column == Says) {
        const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole || role == SortRole;
        return isText ? QVariant(saysOf(run)) : QVariant();
    }
    if (column < Progress || column > Gpu)
        return {};
    const auto value = valueOf(run, column);
    if (role == SortRole)
        return value.value_or(-1);
    if (role == SamplesRole && m_overview != nullptr) {
        const RunOverview::Entry* entry = m_overview->find(run.id);
        if (entry == nullptr || (column != Cpu && column != Gpu))
            return {};
        return QVariant::fromValue(column == Cpu ? entry->cpu : entry->gpu);
    }
    if (role == Qt::ToolTipRole && column == StepRate)
        return tr("By the rhythm of its collectives, else by what it prints");
    if (role == Qt::ToolTipRole && column == Gpu)
        return tr("Mean of the GPUs of its machines");
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (column == Progress)
        return progressTextOf(run);
    if (!value)
        return run.isLive ? QStringLiteral("–") : QString();
    switch (column) {
    case StepRate: return QString::number(*value, 'g', 3);
    case BusBandwidth: return bandwidthText(*value);
    default: return percentText(*value);
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
    return static_cast<int>(std::ranges::count_if(
        rows(), [](const RunSummary& run) { return run.isLive && machineOf(run.id).isEmpty(); }));
}

QString RunListModel::healthText() const
{
    std::map<Health, int> counts;
    int live = 0;
    for (const RunSummary& run : rows()) {
        if (!run.isLive)
            continue;
        ++live;
        ++counts[run.health.health];
    }
    if (live == 0)
        return {};
    QStringList parts{tr("%n running", nullptr, live)};
    for (const auto& [health, count] : counts) {
        if (health != Health::Running)
            parts << QStringLiteral("%1 %2").arg(count).arg(word(health));
    }
    return parts.join(QStringLiteral(" · "));
}

void RunListModel::tick()
{
    for (int row = 0; row < rowCount(); ++row) {
        if (!isFinal(at(row).state))
            Q_EMIT dataChanged(index(row, Progress), index(row, Says),
                               {Qt::DisplayRole, LineRole, ProgressRole, SortRole, SamplesRole});
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

void RunFilter::setPurposes(std::set<RunPurpose> purposes)
{
    m_purposes = std::move(purposes);
    invalidateFilter();
}

int RunFilter::countOfAll() const
{
    int count = 0;
    for (int row = 0; sourceModel() != nullptr && row < sourceModel()->rowCount(); ++row)
        count += isWanted(sourceModel()->index(row, RunListModel::Name)) ? 1 : 0;
    return count;
}

bool RunFilter::isWanted(const QModelIndex& index) const
{
    const bool isLive = index.data(RunListModel::LiveRole).toBool();
    if (m_show == Show::Live ? !isLive : m_show == Show::Finished && isLive)
        return false;
    const auto purpose = static_cast<RunPurpose>(index.data(RunListModel::PurposeRole).toInt());
    return m_purposes.empty() || m_purposes.contains(purpose);
}

bool RunFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const bool isLeftLive = left.data(RunListModel::LiveRole).toBool();
    const bool isRightLive = right.data(RunListModel::LiveRole).toBool();
    if (isLeftLive != isRightLive)
        return isLeftLive == (sortOrder() == Qt::AscendingOrder);
    return QSortFilterProxyModel::lessThan(left, right);
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, RunListModel::Name, parent);
    if (!isWanted(index))
        return false;
    return m_text.isEmpty() || index.data().toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace ringmaster::app
