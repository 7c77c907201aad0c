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

/// A send to a rank that doesn't receive it, of one that another rank receives from in vain.
struct StraySend
{
    int sender = 0; ///< Global ranks, as the next two.
    int receiver = 0;
    int awaiting = 0; ///< Who receives from the sender.
    int tag = 0;
    Operation send{};
};

/// For a receive that waits: what its sender sends elsewhere, if only that sends so far round the
/// group, and others as far as this receive expects. Nothing: there is none, or nothing tells which
/// of the two is meant. Pure.
std::optional<StraySend> findStraySend(const std::vector<RankView>& ranks, const Wait& wait);

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

/// Accused is who does otherwise than the rest of the program: other pairs of ranks use the one tag
/// and not the other, or have the same distance between them; both where nothing tells.
/// "Rank 1 sends to rank 0 with tag 101; rank 0 receives from rank 1 with tag 100."
Verdict verdictOf(const UnmatchedSend& unmatched, const Wait& wait,
                  const std::vector<RankView>& ranks, std::int64_t nowNs);
/// "Rank 2 sends to rank 1 (tag 0), which doesn't receive that; rank 0 receives from rank 2."
Verdict verdictOf(const StraySend& stray, const Wait& wait, const std::vector<RankView>& ranks,
                  std::int64_t nowNs);

} // namespace ringmaster::diagnose
