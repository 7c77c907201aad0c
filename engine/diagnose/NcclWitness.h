#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/Waits.h"

namespace ringmaster::diagnose {

/// How far the ranks of a communicator are, by NCCL's RAS.
struct NcclStanding
{
    std::vector<int> behind{}; ///< Who has launched less than others; empty: nobody.
    std::vector<int> ahead{};
    Message said{}; ///< Of `absent`, if that is who is behind.
};

/// Of each communicator that has these ranks and no others; see witnessOf(). Pure.
std::vector<NcclStanding> ncclStandings(const std::vector<int>& group, std::vector<int> absent,
                                        const std::vector<RankView>& ranks);

/// What NCCL's RAS says of a wait that the recorder found: evidence beside ours, whether it agrees
/// or not. Nothing where RAS hasn't told of every member of the group twice, or any of them has
/// launched something meanwhile. NCCL counts an operation when it is launched, so who is behind
/// hasn't called it. Pure.
std::vector<Message> witnessOf(const Wait& wait, const std::vector<RankView>& ranks);

} // namespace ringmaster::diagnose
