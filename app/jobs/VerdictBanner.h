#pragma once

#include "engine/event/Snapshot.h"

#include <QString>

namespace ringmaster::app {

class Banner;
class BannerPlace;
class RunModel;

/// Shows what the diagnosis says of a run, the weightiest first, with its seconds counted until
/// `wallNs`. False, and nothing is shown, where all that stands has less weight than `least`.
bool showVerdict(Banner& banner, const RunModel& run, Verdict::Kind least, std::int64_t wallNs);

/// Most of them take no more words than the one that it is kept for.
void keepPlaceOfVerdicts(BannerPlace& place);

/// Why the attempt before this one was over; empty: there was none, or it isn't known.
QString restartText(const RunSnapshot& run);

/// The rank of which the weightiest verdict says that it is stopped, and can be let go on; -1:
/// none.
int stoppedRankOf(const RunModel& run);

/// What a rank was in when it ended; empty: not known.
QString lastOperationOf(const RunModel& run, int globalRank);

} // namespace ringmaster::app
