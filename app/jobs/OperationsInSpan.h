#pragma once

#include "app/model/AttemptChoice.h"
#include "app/model/TimeSpan.h"
#include "engine/control/OperationSummary.h"

namespace ringmaster::app {

/// The bandwidth over time, as much as a chart of that span shows; without the rows.
OperationSummary seriesIn(const OperationSummary& summary, const TimeSpan& span);

/// The operations of a group to which the last rank came in that span and attempt.
std::vector<OperationSummary::Collective>
collectivesIn(const OperationSummary::GroupCollectives& group, const TimeSpan& span,
              const AttemptChoice& attempts);

} // namespace ringmaster::app
