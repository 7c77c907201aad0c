#include "app/bridge/Words.h"

#include "engine/event/States.h"
#include "engine/text/RankList.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace ringmaster::app {

namespace {

constexpr std::int64_t Millisecond = 1'000'000;
constexpr std::int64_t Second = 1'000 * Millisecond;
constexpr std::int64_t Minute = 60 * Second;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(Words)
};

QDateTime localTime(const Moment& moment)
{
    return QDateTime::fromMSecsSinceEpoch(moment.wallNs / Millisecond);
}

} // namespace

QString word(WorkerState state)
{
    switch (state) {
    case WorkerState::Unknown: return Words::tr("Unknown", "worker");
    case WorkerState::Init: return Words::tr("Starting", "worker");
    case WorkerState::Healthy: return Words::tr("Running", "worker");
    case WorkerState::Unhealthy: return Words::tr("Unhealthy", "worker");
    case WorkerState::Stopped: return Words::tr("Stopped", "worker");
    case WorkerState::Succeeded: return Words::tr("Finished", "worker");
    case WorkerState::Failed: return Words::tr("Failed", "worker");
    }
    return {};
}

QString word(Health health)
{
    switch (health) {
    case Health::Starting: return Words::tr("Starting", "health");
    case Health::Running: return Words::tr("Running", "health");
    case Health::Waiting: return Words::tr("Waiting", "health");
    case Health::Slow: return Words::tr("Slow", "health");
    case Health::Hanging: return Words::tr("Hanging", "health");
    case Health::Stopped: return Words::tr("Stopped", "health: by a signal");
    case Health::Restarting: return Words::tr("Restarting", "health");
    case Health::Stopping: return Words::tr("Stopping", "health");
    case Health::Failed: return Words::tr("Failed", "health");
    case Health::Finished: return Words::tr("Finished", "health");
    case Health::Ended: return Words::tr("Ended", "health: because another rank failed");
    case Health::StoppedByUser: return Words::tr("Stopped by you", "health");
    case Health::Recorded: return Words::tr("Recorded", "health: known from files");
    case Health::Lost: return Words::tr("Lost", "health");
    }
    return {};
}

QString word(RunState state)
{
    return word(healthOf(state));
}

QString word(Notice::Severity severity)
{
    switch (severity) {
    case Notice::Severity::Info: return Words::tr("Note");
    case Notice::Severity::Warning: return Words::tr("Warning");
    case Notice::Severity::Error: return Words::tr("Error");
    }
    return {};
}

QString word(RendezvousStep::Step step)
{
    switch (step) {
    case RendezvousStep::Step::Joining: return Words::tr("joining");
    case RendezvousStep::Step::Waiting: return Words::tr("waiting for others");
    case RendezvousStep::Step::Completed: return Words::tr("completed");
    case RendezvousStep::Step::Closed: return Words::tr("closed");
    case RendezvousStep::Step::Failed: return Words::tr("failed");
    }
    return {};
}

QString word(HostChanged::State state)
{
    switch (state) {
    case HostChanged::State::Connecting: return Words::tr("connecting");
    case HostChanged::State::Connected: return Words::tr("connected");
    case HostChanged::State::Lost: return Words::tr("connection lost");
    case HostChanged::State::Gone: return Words::tr("gone");
    case HostChanged::State::Finished: return Words::tr("finished");
    case HostChanged::State::StandingBy: return Words::tr("standing by");
    case HostChanged::State::Reconnecting: return Words::tr("reconnecting");
    }
    return {};
}

QString word(RankEvidence::Source source)
{
    switch (source) {
    case RankEvidence::Source::System: return QStringLiteral("/proc");
    case RankEvidence::Source::WorkerServer: return Words::tr("torch's worker server");
    case RankEvidence::Source::PySpy: return QStringLiteral("py-spy");
    }
    return {};
}

QString word(RankEvidence::Process process)
{
    switch (process) {
    case RankEvidence::Process::Unknown: return Words::tr("unknown");
    case RankEvidence::Process::Running: return Words::tr("running");
    case RankEvidence::Process::Waiting: return Words::tr("waiting");
    case RankEvidence::Process::WaitingForDisk: return Words::tr("waiting for a disk");
    case RankEvidence::Process::Stopped: return Words::tr("stopped by a signal");
    case RankEvidence::Process::Ended: return Words::tr("ended");
    }
    return {};
}

QString exitText(const ExitStatus& status)
{
    if (status.signal != 0) {
        const QString name = QString::fromStdString(signalName(status.signal));
        return status.coreDumped ? Words::tr("killed by %1 (core dumped)").arg(name)
                                 : Words::tr("killed by %1").arg(name);
    }
    if (status.code != 0)
        return Words::tr("exit code %1").arg(status.code);
    return Words::tr("finished");
}

QString clockText(std::int64_t durationNs)
{
    const std::int64_t seconds = std::max<std::int64_t>(durationNs, 0) / Second;
    const QChar zero = QLatin1Char('0');
    const QString tail = QStringLiteral(":%1").arg(seconds % 60, 2, 10, zero);
    const std::int64_t minutes = seconds / 60;
    if (minutes < 60)
        return QString::number(minutes) + tail;
    return QStringLiteral("%1:%2").arg(minutes / 60).arg(minutes % 60, 2, 10, zero) + tail;
}

QString durationText(std::int64_t durationNs)
{
    const QLocale locale;
    if (durationNs < Second)
        return Words::tr("%1 ms").arg(
            locale.toString(static_cast<qlonglong>(durationNs / Millisecond)));
    if (durationNs < Minute)
        return Words::tr("%1 s").arg(
            locale.toString(static_cast<double>(durationNs) / 1e9, 'f', 1));
    return clockText(durationNs);
}

QString fineDurationText(std::int64_t durationNs)
{
    const QLocale locale;
    if (durationNs < Millisecond)
        return Words::tr("%1 µs").arg(locale.toString(static_cast<qlonglong>(durationNs / 1000)));
    if (durationNs < 100 * Millisecond)
        return Words::tr("%1 ms").arg(
            locale.toString(static_cast<double>(durationNs) / 1e6, 'f', 1));
    return durationText(durationNs);
}

QString offsetText(std::int64_t offsetNs, std::int64_t boundNs)
{
    const QChar sign = offsetNs < 0 ? QChar(0x2212) : u'+';
    return QStringLiteral("%1%2 ± %3")
        .arg(sign)
        .arg(fineDurationText(std::abs(offsetNs)), fineDurationText(boundNs));
}

QString bytesText(std::int64_t bytes)
{
    return QLocale().formattedDataSize(bytes, bytes < (10LL << 30) ? 0 : 1);
}

QString percentText(double fraction)
{
    return Words::tr("%1 %").arg(QLocale().toString(fraction * 100, 'f', 0));
}

QString timeText(const Moment& moment)
{
    return localTime(moment).toString(QStringLiteral("HH:mm:ss"));
}

QString dateTimeText(const Moment& moment)
{
    const QDateTime time = localTime(moment);
    if (time.date() == QDate::currentDate())
        return time.toString(QStringLiteral("HH:mm"));
    return QLocale().toString(time, QLocale::ShortFormat);
}

QString rankText(int globalRank)
{
    return Words::tr("rank %1").arg(globalRank);
}

QString ranksText(const std::vector<int>& ranks)
{
    return QString::fromStdString(rankList(ranks));
}

QString ranksCountText(int ranks)
{
    return Words::tr("%n ranks", nullptr, ranks);
}

} // namespace ringmaster::app
