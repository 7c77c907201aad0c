#pragma once

#include "engine/base/Result.h"
#include "engine/control/NumberNews.h"
#include "engine/control/OperationSummary.h"
#include "engine/control/RunFigures.h"
#include "engine/record/NumberSummary.h"

namespace ringmaster {

namespace v1 {
class LastNumbers;
class RankPlaces;
class RunFigures;
} // namespace v1

// Figures of a run to and from their protobuf form. Inwards a number that can't be one is
// code::MalformedMessage.

void toProto(const RunFigures& figures, v1::RunFigures& proto);
Result<RunFigures> fromProto(const v1::RunFigures& proto);

void toProto(const NumberSummary& numbers, v1::LastNumbers& proto);
Result<NumberSummary> fromProto(const v1::LastNumbers& proto);
void toProto(const NumberNews& news, v1::LastNumbers& proto);
Result<NumberNews> newsFromProto(const v1::LastNumbers& proto);

/// Two machines' clocks have nothing in common: an age crosses. `nowNs` is CLOCK_MONOTONIC here.
void toProto(const RankPlaces& places, std::int64_t nowNs, v1::RankPlaces& proto);
RankPlaces fromProto(const v1::RankPlaces& proto, std::int64_t nowNs);

} // namespace ringmaster
