#include "app/model/ForeignJobModel.h"

#include "app/bridge/Words.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// Of all ranks; below zero: not known yet.
double foreignCpuOf(const WatchedJob& watched)
{
    double sum = 0;
    bool isKnown = false;
    for (const ForeignRankUse& rank : watched.ranks) {
        sum += rank.cpuShare.value_or(0);
        isKnown = isKnown || rank.cpuShare.has_value();
    }
    return isKnown ? sum : -1;
}

std::int64_t foreignMemoryOf(const WatchedJob& watched)
{
    std::int64_t sum = 0;
    for (const ForeignRankUse& rank : watched.ranks)
        sum += rank.residentBytes;
    return sum;
}

QString foreignRanksText(const ForeignJob& job)
{
    const auto here = static_cast<int>(job.ranks.size());
    return job.worldSize > here
               ? ForeignJobModel::tr("%1 of %2", "ranks here, of all").arg(here).arg(job.worldSize)
               : QString::number(here);
}

QString foreignCommandOf(const WatchedJob& watched)
{
    return watched.job.ranks.empty() ? QString()
                                     : QString::fromStdString(watched.job.ranks.front().command);
}

/// All of them, where they differ.
QString foreignCommandsOf(const WatchedJob& watched)
{
    QStringList commands;
    for (const ForeignRank& rank : watched.job.ranks)
        commands << QString::fromStdString(rank.command);
    commands.removeDuplicates();
    constexpr qsizetype MostShown = 8;
    return commands.mid(0, MostShown).join(u'\n');
}

} // namespace

QString word(ForeignRankUse::State state)
{
    using State = ForeignRankUse::State;
    switch (state) {
    case State::Loading: return ForeignJobModel::tr("Loading", "a rank");
    case State::Running: return ForeignJobModel::tr("Running", "a rank");
    case State::Stopped: return ForeignJobModel::tr("Stopped", "a rank");
    }
    return {};
}

QString statesText(const WatchedJob& watched)
{
    using State = ForeignRankUse::State;
    QStringList parts;
    for (const State state : {State::Running, State::Loading, State::Stopped}) {
        const auto count = std::ranges::count(watched.ranks, state, &ForeignRankUse::state);
        if (count == std::ssize(watched.ranks))
            return word(state);
        if (count > 0)
            parts << QStringLiteral("%1 %2").arg(count).arg(word(state));
    }
    return parts.join(QStringLiteral(" · "));
}

QString startedByText(const ForeignJob& job)
{
    if (job.launcher == ForeignJob::Launcher::Unknown)
        return QStringLiteral("python");
    const QString name = QString::fromUtf8(nameOf(job.launcher).data(),
                                           static_cast<qsizetype>(nameOf(job.launcher).size()));
    return job.started.pid > 0
               ? ForeignJobModel::tr("%1, process %2").arg(name).arg(job.started.pid)
               : name;
}

ForeignJobModel::ForeignJobModel(const ForeignJobs& jobs, QObject* parent) : RowsModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("Job"),
         .text = [](const WatchedJob& watched) { return QString::fromStdString(watched.job.name); },
         .toolTip =
             [](const WatchedJob& watched) {
                 const QString name = QString::fromStdString(watched.job.name);
                 return watched.job.user.empty()
                            ? name
                            : tr("%1, of %2", "job, user")
                                  .arg(name, QString::fromStdString(watched.job.user));
             }},
        {.title = QT_TR_NOOP("Started by"),
         .text = [](const WatchedJob& watched) { return startedByText(watched.job); }},
        {.title = QT_TR_NOOP("State"), .text = statesText},
        {.title = QT_TR_NOOP("Ranks"),
         .text = [](const WatchedJob& watched) { return foreignRanksText(watched.job); },
         .sortKey = [](const WatchedJob& watched) -> double {
             return static_cast<double>(watched.job.ranks.size());
         },
         .alignment = NumberAlignment},
        {.title = "CPU",
         .text =
             [](const WatchedJob& watched) {
                 const double cpu = foreignCpuOf(watched);
                 return cpu < 0 ? QStringLiteral("–") : percentText(cpu);
             },
         .sortKey = foreignCpuOf,
         .toolTip = [](const WatchedJob&) { return tr("Of all ranks; 100 % is one core"); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Memory"),
         .text = [](const WatchedJob& watched) { return bytesText(foreignMemoryOf(watched)); },
         .sortKey = [](const WatchedJob& watched) -> double {
             return static_cast<double>(foreignMemoryOf(watched));
         },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Since"),
         .text =
             [](const WatchedJob& watched) {
                 return watched.job.startedNs > 0
                            ? dateTimeText(Moment{.wallNs = watched.job.startedNs})
                            : QString();
             },
         .sortKey = [](const WatchedJob& watched) -> double {
             return static_cast<double>(watched.job.startedNs);
         }},
        {.title = QT_TR_NOOP("Command"), .text = foreignCommandOf, .toolTip = foreignCommandsOf},
    });
    const auto update = [this, &jobs] {
        setRows(jobs.jobs(), [](const WatchedJob& watched) { return watched.job.identity(); });
    };
    connect(&jobs, &ForeignJobs::changed, this, update);
    update();
}

} // namespace ringmaster::app
