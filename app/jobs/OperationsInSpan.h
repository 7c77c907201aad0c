#pragma once

#include "app/model/AttemptChoice.h"
#include "app/model/TimeSpan.h"
#include "engine/control/OperationSummary.h"

namespace ringmaster::app {

/// The bandwidth over time of the chosen attempt, or of all; without the rows.
OperationSummary seriesOf(const OperationSummary& summary, const AttemptChoice& attempts);

/// As much of it as a chart of that span shows.
OperationSummary seriesIn(const OperationSummary& summary, const TimeSpan& span,
                          const AttemptChoice& attempts);

/// The operations of a group to which the last rank came in that span and attempt.
std::vector<OperationSummary::Collective>
collectivesIn(const OperationSummary::GroupCollectives& group, const TimeSpan& span,
              const AttemptChoice& attempts);

} // namespace ringmaster::app
