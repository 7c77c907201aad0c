#include "app/jobs/StopGrace.h"

#include "engine/job/JobFile.h"

#include <QCoreApplication>
#include <QLocale>

namespace ringmaster::app {

namespace {

class GraceText
{
    Q_DECLARE_TR_FUNCTIONS(StopGrace)
};

} // namespace

std::optional<std::chrono::nanoseconds> stopGraceOf(const RunSnapshot& run)
{
    return graceIn(run.started.jobFile);
}

QString graceText(std::chrono::nanoseconds grace)
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(grace).count();
    return GraceText::tr("%1 s").arg(QLocale().toString(static_cast<qlonglong>(seconds)));
}

QString stopGraceText(const RunSnapshot& run, std::int64_t wallNs)
{
    const auto grace = stopGraceOf(run);
    if (!grace)
        return GraceText::tr("The workers are ending. \"Stop now\" kills them at once.");
    const std::int64_t sinceNs = run.graceSince.wallNs != 0 ? run.graceSince.wallNs : wallNs;
    const std::int64_t leftNs = sinceNs + grace->count() - wallNs;
    if (leftNs <= 0)
        return GraceText::tr(
            "The time that the workers had to end is over; they are being killed.");
    return GraceText::tr(
               "The workers have %1 left to save and end. \"Stop now\" kills them at once.")
        .arg(graceText(std::chrono::nanoseconds(leftNs)));
}

} // namespace ringmaster::app
