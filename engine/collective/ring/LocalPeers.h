#pragma once

#include "engine/collective/ring/KeyValue.h"
#include "engine/collective/ring/Segment.h"

#include <vector>

namespace ringmaster::ring {

/// The ranks of one host, once each has the segment.
struct LocalPeers
{
    Segment segment;
    /// The first rank's sockets to all others, the others' one to the first: hung up when a
    /// process ends or replaces itself, and a byte on it says that the alarm was raised.
    std::vector<std::pair<int, FileDescriptor>> sockets{}; ///< By local rank.
};

/// Meets the other ranks of this host; the first of them makes the segment and hands it out, over
/// a socket that only this user's processes may use.
Result<LocalPeers> meetLocalPeers(KeyValue& store, int localRank, const std::vector<int>& ranks,
                                  Deadline deadline);

/// What tells hosts apart: the machine's boot, its network and the user, all of which ranks must
/// share to have memory in common.
std::string hostIdentity();

} // namespace ringmaster::ring
