#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/Waits.h"

namespace ringmaster::diagnose {

/// What NCCL's RAS says of a wait that the recorder found: evidence beside ours, whether it agrees
/// or not. Nothing where RAS hasn't told of every member of the group twice, or any of them has
/// launched something meanwhile. NCCL counts an operation when it is launched, so who is behind
/// hasn't called it. Pure.
std::vector<Message> witnessOf(const Wait& wait, const std::vector<RankView>& ranks);

} // namespace ringmaster::diagnose
