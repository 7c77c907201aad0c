#include "engine/collective/ring/Algorithms.h"
#include "engine/collective/ring/Chunks.h"
#include "engine/collective/ring/Reduce.h"

namespace ringmaster::ring::direct {

namespace {

/// Smaller than a slot: with many ranks, every pair's channel is used, and memory is touched by
/// what travels.
constexpr size_t Chunk = size_t{32} << 10U;
static_assert(Chunk <= Segment::CollectiveShape.slotBytes);

size_t longest(ConstParts parts)
{
    size_t bytes = 0;
    for (const ConstBytes& part : parts)
        bytes = std::max(bytes, part.size());
    return bytes;
}

size_t longest(Parts parts)
{
    size_t bytes = 0;
    for (const Bytes& part : parts)
        bytes = std::max(bytes, part.size());
    return bytes;
}

int rankAfter(const Team& team, int distance)
{
    return (team.rank() + distance) % team.size();
}

Result<void> sendChunk(Team& team, int to, ConstBytes chunk)
{
    copyBytes(RM_TRY(team.reserve(to)), chunk);
    team.commit(to, chunk.size());
    return {};
}

Result<void> takeChunk(Team& team, int from, size_t number, Bytes target)
{
    const ConstBytes arrived = RM_TRY(team.receive(from, target.size()));
    const auto before = team.valuesBefore(target);
    copyBytes(target, arrived);
    team.report(0, number, from, {target.size(), before, arrived, target});
    team.release(from);
    return {};
}

/// One chunk of every rank, in the order of the ranks, whoever came first: the result is the same
/// each time. `sum` may be where `own` lies.
Result<void> reduceChunk(Team& team, size_t number, ConstBytes own, Bytes sum,
                         Arithmetic arithmetic)
{
    const std::vector<std::byte> kept(own.begin(), own.end());
    for (int rank = 0; rank < team.size(); ++rank) {
        const bool isOwn = rank == team.rank();
        ConstBytes values = kept;
        if (!isOwn)
            values = RM_TRY(team.receive(rank, own.size()));
        const auto before = team.valuesBefore(rank == 0 ? own : ConstBytes(sum));
        if (rank == 0)
            copyBytes(sum, values);
        else
            combine(arithmetic.type, arithmetic.reduction, sum.data(), sum.data(), values.data(),
                    own.size());
        if (isOwn)
            continue;
        team.report(0, number, rank, {own.size(), before, values, sum});
        team.release(rank);
    }
    if (arithmetic.reduction == Reduction::Average)
        divide(arithmetic.type, sum, team.size());
    return {};
}

} // namespace

Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic)
{
    for (size_t number = 0; number < chunksIn(data.size(), Chunk); ++number) {
        const Bytes own = chunkOf(data, number, Chunk);
        for (int distance = 1; distance < team.size(); ++distance)
            RM_TRY(sendChunk(team, rankAfter(team, distance), own));
        RM_TRY(reduceChunk(team, number, own, own, arithmetic));
    }
    return {};
}

Result<void> reduceScatter(Team& team, ConstParts inputs, Bytes output, Arithmetic arithmetic)
{
    for (size_t number = 0; number < chunksIn(longest(inputs), Chunk); ++number) {
        for (int distance = 1; distance < team.size(); ++distance) {
            const int to = rankAfter(team, distance);
            RM_TRY(sendChunk(team, to, chunkOf(inputs[static_cast<size_t>(to)], number, Chunk)));
        }
        const ConstBytes own = inputs[static_cast<size_t>(team.rank())];
        RM_TRY(reduceChunk(team, number, chunkOf(own, number, Chunk),
                           chunkOf(output, number, Chunk), arithmetic));
    }
    return {};
}

Result<void> allGather(Team& team, ConstBytes input, Parts outputs)
{
    const std::vector<ConstBytes> inputs(outputs.size(), input);
    return allToAll(team, inputs, outputs);
}

Result<void> broadcast(Team& team, Bytes data, int root)
{
    for (size_t number = 0; number < chunksIn(data.size(), Chunk); ++number) {
        const Bytes own = chunkOf(data, number, Chunk);
        if (team.rank() != root) {
            RM_TRY(takeChunk(team, root, number, own));
            continue;
        }
        for (int distance = 1; distance < team.size(); ++distance)
            RM_TRY(sendChunk(team, rankAfter(team, distance), own));
    }
    return {};
}

Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic)
{
    for (size_t number = 0; number < chunksIn(input.size(), Chunk); ++number) {
        const ConstBytes own = chunkOf(input, number, Chunk);
        if (team.rank() != root)
            RM_TRY(sendChunk(team, root, own));
        else
            RM_TRY(reduceChunk(team, number, own, chunkOf(output, number, Chunk), arithmetic));
    }
    return {};
}

Result<void> scatter(Team& team, ConstParts inputs, Bytes output, int root)
{
    if (team.rank() == root)
        copyBytes(output, inputs[static_cast<size_t>(root)]);
    const size_t bytes = team.rank() == root ? longest(inputs) : output.size();
    for (size_t number = 0; number < chunksIn(bytes, Chunk); ++number) {
        if (team.rank() != root) {
            RM_TRY(takeChunk(team, root, number, chunkOf(output, number, Chunk)));
            continue;
        }
        for (int distance = 1; distance < team.size(); ++distance) {
            const int to = rankAfter(team, distance);
            RM_TRY(sendChunk(team, to, chunkOf(inputs[static_cast<size_t>(to)], number, Chunk)));
        }
    }
    return {};
}

Result<void> gather(Team& team, ConstBytes input, Parts outputs, int root)
{
    if (team.rank() == root)
        copyBytes(outputs[static_cast<size_t>(root)], input);
    const size_t bytes = team.rank() == root ? longest(outputs) : input.size();
    for (size_t number = 0; number < chunksIn(bytes, Chunk); ++number) {
        if (team.rank() != root) {
            RM_TRY(sendChunk(team, root, chunkOf(input, number, Chunk)));
            continue;
        }
        for (int distance = 1; distance < team.size(); ++distance) {
            const int from = rankAfter(team, distance);
            RM_TRY(takeChunk(team, from, number,
                             chunkOf(outputs[static_cast<size_t>(from)], number, Chunk)));
        }
    }
    return {};
}

Result<void> allToAll(Team& team, ConstParts inputs, Parts outputs)
{
    const auto own = static_cast<size_t>(team.rank());
    copyBytes(outputs[own], inputs[own]);
    // Each pair has as many chunks as its own buffers; who has less is simply done earlier.
    const size_t chunks = chunksIn(std::max(longest(inputs), longest(outputs)), Chunk);
    for (size_t number = 0; number < chunks; ++number) {
        for (int distance = 1; distance < team.size(); ++distance) {
            const int to = rankAfter(team, distance);
            const ConstBytes chunk = chunkOf(inputs[static_cast<size_t>(to)], number, Chunk);
            if (!chunk.empty())
                RM_TRY(sendChunk(team, to, chunk));
        }
        for (int distance = 1; distance < team.size(); ++distance) {
            const int from = rankAfter(team, team.size() - distance);
            const Bytes chunk = chunkOf(outputs[static_cast<size_t>(from)], number, Chunk);
            if (!chunk.empty())
                RM_TRY(takeChunk(team, from, number, chunk));
        }
    }
    return {};
}

} // namespace ringmaster::ring::direct
