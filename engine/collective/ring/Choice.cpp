#include "engine/collective/ring/Choice.h"

namespace ringmaster::ring {

namespace {

// Where the ways cross, as tests/bench/collective measures it.
constexpr size_t BoardLimit = size_t{1} << 20U;
constexpr size_t FewHopsLimit = size_t{64} << 10U;

Algorithm automatic(const Situation& situation)
{
    // Of three ranks and more, less goes through memory over the board than round the ring.
    const bool isInParts = situation.operation == Operation::AllReduce && situation.ranks > 2;
    if (situation.oneHost)
        return isInParts || situation.bytes <= BoardLimit ? Algorithm::Direct : Algorithm::Ring;
    if (situation.bytes > FewHopsLimit)
        return Algorithm::Ring;
    return situation.ranks <= 4 ? Algorithm::Direct : Algorithm::Tree;
}

} // namespace

Algorithm chosen(Algorithm wanted, const Situation& situation)
{
    const Algorithm way = wanted == Algorithm::Auto ? automatic(situation) : wanted;
    switch (situation.operation) {
    case Operation::AllReduce:
    case Operation::Reduce:
    case Operation::Broadcast: return way;
    case Operation::AllGather:
    case Operation::ReduceScatter: return way == Algorithm::Tree ? Algorithm::Direct : way;
    case Operation::None:
    case Operation::Scatter:
    case Operation::Gather:
    case Operation::AllToAll:
    case Operation::Barrier:
    case Operation::Send:
    case Operation::Receive: return Algorithm::Direct;
    }
    return Algorithm::Direct;
}

} // namespace ringmaster::ring
