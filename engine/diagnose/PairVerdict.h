#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/Waits.h"
#include "engine/event/Verdict.h"

#include <optional>

namespace ringmaster::diagnose {

/// A send that nobody receives, and the receive that waits for another one instead.
struct UnmatchedSend
{
    int sender = 0; ///< Global ranks, as the next two.
    int receiver = 0;
    int wanted = 0; ///< Whom the receiver receives from: the sender, or another rank.
    int tag = 0;
    int wantedTag = 0;
    Operation send{};
};

/// For a receive that waits: a send to the same rank that has another tag, else one of another rank
/// than it receives from. Nothing: there is none. Pure.
std::optional<UnmatchedSend> findUnmatchedSend(const std::vector<RankView>& ranks,
                                               const Wait& wait);

/// Both sides' latest operations of one pair and tag, which don't have the same size.
struct SizesOfPair
{
    int sender = 0; ///< Global ranks, as the next.
    int receiver = 0;
    const Operation* send = nullptr;
    const Operation* receive = nullptr;
};

/// A tensor that has no room where it is received, or, with nccl, more than comes.
std::vector<SizesOfPair> findOtherSizes(const std::vector<RankView>& ranks);

/// Who of the two does otherwise than the rest of the program: other pairs of ranks use the one tag
/// and not the other, or have the same distance between them; both where nothing tells.
std::vector<int> deviatingRanks(const std::vector<RankView>& ranks, const GroupKey& group,
                                const UnmatchedSend& unmatched);

/// "Rank 1 sends to rank 0 with tag 101; rank 0 receives from rank 1 with tag 100."
Message statementOf(const UnmatchedSend& unmatched);

} // namespace ringmaster::diagnose
