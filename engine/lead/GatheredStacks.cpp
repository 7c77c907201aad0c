#include "engine/lead/GatheredStacks.h"

#include <algorithm>
#include <iterator>

namespace ringmaster {

void GatheredStacks::add(const Result<KeptEvidence>& part)
{
    if (!part)
        return; // a host that doesn't answer is shown as such elsewhere
    Evidence& all = m_taken.evidence;
    const Evidence& its = part->evidence;
    // One that is still in an earlier attempt has nothing to say of this one.
    if (its.attempt < all.attempt)
        return;
    if (its.attempt > all.attempt)
        all = {.attempt = its.attempt};
    all.tookNs = std::max(all.tookNs, its.tookNs);
    all.isPart = all.isPart || its.isPart;
    std::ranges::copy(its.ranks, std::back_inserter(all.ranks));
}

} // namespace ringmaster
