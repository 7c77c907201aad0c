#pragma once

#include "engine/base/Error.h"
#include "engine/event/Fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// What the diagnosis says of some ranks. It is stated again, under the same id, when more is known
/// or something else holds, and withdrawn when it holds no longer.
struct Verdict
{
    /// Waiting is neutral. In the order of their weight.
    enum class Kind { Waiting, SlowWire, Straggler, Hang, Mismatch };

    std::uint64_t id = 0; ///< In its run, from 1.
    int attempt = 0;
    Kind kind = Kind::Waiting;
    bool isStanding = true; ///< False: withdrawn; then `statement` says what came of it.
    bool isSure = true;
    std::vector<int> guilty{};  ///< Global ranks; empty: nobody, or not known.
    std::vector<int> waiting{}; ///< Who can't go on because of it.
    std::vector<int> stopped{}; ///< Of the guilty: whom a signal has stopped.
    std::int64_t sinceNs = 0;   ///< Monotonic, by the event's clock; 0: of no moment.
    Message statement{};
    std::vector<Message> evidence{}; ///< Stacks are in the details.
    Message remedy{};                ///< code::None: none.

    bool operator==(const Verdict&) const = default;
};
RM_FIELDS(Verdict, id, attempt, kind, isStanding, isSure, guilty, waiting, stopped, sinceNs,
          statement, evidence, remedy);

/// What a rank was in when it ended, as its ledger tells.
struct LastOperation
{
    int attempt = 0;
    int globalRank = 0;
    Message place{};
    bool operator==(const LastOperation&) const = default;
};
RM_FIELDS(LastOperation, attempt, globalRank, place);

/// A statement whose `seconds` go on: counted from its `since` until `nowNs`, by the same clock.
Message atTime(Message message, std::int64_t nowNs);
/// The same, and it stops there.
Message frozenAt(Message message, std::int64_t nowNs);
/// "6.2"
std::string secondsPassed(std::int64_t nanoseconds);

} // namespace ringmaster
