#include "app/model/FigureAge.h"

#include "app/bridge/Words.h"

#include <QCoreApplication>
#include <QDateTime>

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

/// Figures come about once a second; a busy machine may be late.
constexpr std::int64_t FreshNs = std::chrono::nanoseconds(10s).count();

class FigureAge
{
    Q_DECLARE_TR_FUNCTIONS(FigureAge)
};

} // namespace

QString figureAgeText(const RunModel& run, const Moment& measured, std::int64_t wallNowNs)
{
    const std::int64_t age = wallNowNs - measured.wallNs;
    if (!run.isRunning() || measured == Moment{} || age < FreshNs)
        return {};
    return FigureAge::tr("measured %1 ago").arg(durationText(age));
}

QString withFigureAge(const QString& said, const RunModel& run, const Moment& measured)
{
    const QString age =
        figureAgeText(run, measured, QDateTime::currentMSecsSinceEpoch() * 1'000'000);
    return age.isEmpty() ? said : QStringLiteral("%1 · %2").arg(age, said);
}

} // namespace ringmaster::app
