#pragma once

#include "engine/collective/ring/Team.h"

#include <span>

namespace ringmaster::ring {

/// One buffer a rank, in the order of the ranks.
using Parts = std::span<const Bytes>;
using ConstParts = std::span<const ConstBytes>;

/// What an operation reduces with.
struct Arithmetic
{
    DataType type = DataType::Bytes;
    Reduction reduction = Reduction::Sum;
};

/// Round the ring: each chunk travels from rank to rank and is reduced on its way, straight from
/// one channel into the next. Bound by the bandwidth of one copy a hop.
namespace roundtrip {
Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic);
Result<void> reduceScatter(Team& team, ConstParts inputs, Bytes output, Arithmetic arithmetic);
Result<void> allGather(Team& team, ConstBytes input, Parts outputs);
Result<void> broadcast(Team& team, Bytes data, int root);
Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic);
} // namespace roundtrip

/// Up and down a binomial tree: as many hops as the logarithm of the ranks.
namespace tree {
Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic);
Result<void> broadcast(Team& team, Bytes data, int root);
Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic);
Result<void> barrier(Team& team);
} // namespace tree

/// Everybody to everybody who needs it, in one hop, through channels.
namespace direct {
Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic);
Result<void> reduceScatter(Team& team, ConstParts inputs, Bytes output, Arithmetic arithmetic);
Result<void> allGather(Team& team, ConstBytes input, Parts outputs);
Result<void> broadcast(Team& team, Bytes data, int root);
Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic);
Result<void> scatter(Team& team, ConstParts inputs, Bytes output, int root);
Result<void> gather(Team& team, ConstBytes input, Parts outputs, int root);
Result<void> allToAll(Team& team, ConstParts inputs, Parts outputs);
} // namespace direct

/// As direct, over the board that all ranks of one host read: one barrier instead of a message a
/// pair. What doesn't fit on the board goes in several rounds.
namespace board {
Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic);
Result<void> reduceScatter(Team& team, ConstParts inputs, Bytes output, Arithmetic arithmetic);
Result<void> allGather(Team& team, ConstBytes input, Parts outputs);
Result<void> broadcast(Team& team, Bytes data, int root);
Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic);
Result<void> barrier(Team& team);
} // namespace board

} // namespace ringmaster::ring
