#pragma once

#include "app/model/RunModel.h"

#include <QString>

namespace ringmaster::app {

/// "measured 12 s ago", of figures of a job that goes on; empty while they are fresh, or none are
/// there. `wallNowNs` since 1970.
QString figureAgeText(const RunModel& run, const Moment& measured, std::int64_t wallNowNs);

/// The same, now, behind what a panel says else.
QString withFigureAge(const QString& said, const RunModel& run, const Moment& measured);

} // namespace ringmaster::app
