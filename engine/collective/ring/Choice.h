#pragma once

#include "engine/collective/ring/Types.h"

namespace ringmaster::ring {

/// What decides the way of an operation; the same on every rank.
struct Situation
{
    Operation operation = Operation::None;
    size_t bytes = 0; ///< Of the whole tensor.
    int ranks = 1;
    bool oneHost = true;
};

/// What Auto stands for; anything else stays as it is, unless the operation has no such way
/// (scatter, gather and all_to_all are always direct).
Algorithm chosen(Algorithm wanted, const Situation& situation);

} // namespace ringmaster::ring
