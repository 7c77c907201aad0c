#pragma once

#include "app/model/TimeSpan.h"
#include "engine/control/OperationSummary.h"
#include "engine/event/Snapshot.h"

namespace ringmaster::app {

/// The bandwidth over time, as much as a chart of that span shows; without the rows.
OperationSummary seriesIn(const OperationSummary& summary, const TimeSpan& span);

/// The operations of a group to which the last rank came in that span.
std::vector<OperationSummary::Meeting> meetingsIn(const OperationSummary::GroupMeetings& group,
                                                  const TimeSpan& span);

/// In nanoseconds, between the two hosts whose clocks are known least well; 0: there is one clock.
std::int64_t clockErrorOf(const RunSnapshot& run);

} // namespace ringmaster::app
