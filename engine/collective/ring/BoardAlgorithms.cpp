#include "engine/collective/ring/Algorithms.h"
#include "engine/collective/ring/Chunks.h"
#include "engine/collective/ring/Reduce.h"

namespace ringmaster::ring::board {

namespace {

/// So much of each rank's values is reduced at once that it stays in the nearest cache.
constexpr size_t Strip = size_t{8} << 10U;

constexpr size_t RoundBytes = Segment::BoardBytes;

/// Reduces what all ranks have on the board from `start` on into `output`, in the order of the
/// ranks.
void reduceBoards(Team& team, size_t start, Bytes output, Arithmetic arithmetic)
{
    const auto [type, reduction] = arithmetic;
    for (size_t number = 0; number < chunksIn(output.size(), Strip); ++number) {
        const Bytes strip = chunkOf(output, number, Strip);
        const size_t from = start + number * Strip;
        const auto values = [&](int rank) { return team.board(rank).data() + from; };
        combine(type, reduction, strip.data(), values(0), values(1), strip.size());
        for (int rank = 2; rank < team.size(); ++rank)
            combine(type, reduction, strip.data(), strip.data(), values(rank), strip.size());
        if (reduction == Reduction::Average)
            divide(type, strip, team.size());
    }
}

/// One line a rank that sent something, all in the same step: nobody's came first.
void reportAll(const Team& team, size_t round, size_t bytes, ConstBytes before, ConstBytes after)
{
    if (!team.isObserved())
        return;
    for (int rank = 0; rank < team.size(); ++rank) {
        if (rank != team.rank())
            team.report(0, round, rank, bytes, before, after);
    }
}

/// Everybody's contribution of this round stands on the board when it returns.
Result<void> show(Team& team, ConstBytes contribution)
{
    copyBytes(team.ownBoard(), contribution);
    return team.meet();
}

/// Two meetings, each rank reducing a part: less to read than if everybody reduced all.
Result<void> allReduceInParts(Team& team, Bytes data, Arithmetic arithmetic)
{
    RM_TRY(show(team, data));
    const Bytes own = blockOf(data, team.rank(), team.size());
    const auto start = static_cast<size_t>(own.data() - data.data());
    const Bytes result = team.ownBoard().subspan(start, own.size());
    // Only this rank reads its own part of any board, so the result may replace its values.
    reduceBoards(team, start, own, arithmetic);
    copyBytes(result, own);
    RM_TRY(team.meet());
    for (int rank = 0; rank < team.size(); ++rank) {
        const Bytes block = blockOf(data, rank, team.size());
        const auto from = static_cast<size_t>(block.data() - data.data());
        if (rank != team.rank())
            copyBytes(block, team.board(rank).subspan(from, block.size()));
    }
    return {};
}

Result<void> allReduceRound(Team& team, Bytes data, Arithmetic arithmetic)
{
    constexpr size_t InParts = size_t{16} << 10U;
    if (data.size() >= InParts && team.size() > 2)
        return allReduceInParts(team, data, arithmetic);
    RM_TRY(show(team, data));
    reduceBoards(team, 0, data, arithmetic);
    return {};
}

} // namespace

Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic)
{
    for (size_t round = 0; round < chunksIn(data.size(), RoundBytes); ++round) {
        const Bytes own = chunkOf(data, round, RoundBytes);
        const auto before = team.valuesBefore(own);
        RM_TRY(allReduceRound(team, own, arithmetic));
        reportAll(team, round, own.size(), before, own);
        team.turnBoard();
    }
    return {};
}

Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic)
{
    for (size_t round = 0; round < chunksIn(input.size(), RoundBytes); ++round) {
        const ConstBytes own = chunkOf(input, round, RoundBytes);
        const auto before = team.valuesBefore(own);
        RM_TRY(show(team, own));
        if (team.rank() == root) {
            const Bytes target = chunkOf(output, round, RoundBytes);
            reduceBoards(team, 0, target, arithmetic);
            reportAll(team, round, own.size(), before, target);
        }
        team.turnBoard();
    }
    return {};
}

Result<void> reduceScatter(Team& team, ConstParts inputs, Bytes output, Arithmetic arithmetic)
{
    // Every round shows the same stretch of every part, side by side.
    constexpr size_t Line = 64;
    const size_t each = RoundBytes / inputs.size() / Line * Line;
    size_t longest = 0;
    for (const ConstBytes& input : inputs)
        longest = std::max(longest, input.size());
    for (size_t round = 0; round < chunksIn(longest, each); ++round) {
        const Bytes target = chunkOf(output, round, each);
        for (size_t rank = 0; rank < inputs.size(); ++rank)
            copyBytes(team.ownBoard().subspan(rank * each), chunkOf(inputs[rank], round, each));
        const auto own = static_cast<size_t>(team.rank());
        const auto before = team.valuesBefore(chunkOf(inputs[own], round, each));
        RM_TRY(team.meet());
        reduceBoards(team, own * each, target, arithmetic);
        reportAll(team, round, target.size(), before, target);
        team.turnBoard();
    }
    return {};
}

Result<void> allGather(Team& team, ConstBytes input, Parts outputs)
{
    size_t longest = 0;
    for (const Bytes& output : outputs)
        longest = std::max(longest, output.size());
    for (size_t round = 0; round < chunksIn(longest, RoundBytes); ++round) {
        const ConstBytes own = chunkOf(input, round, RoundBytes);
        RM_TRY(show(team, own));
        for (int rank = 0; rank < team.size(); ++rank) {
            const Bytes target = chunkOf(outputs[static_cast<size_t>(rank)], round, RoundBytes);
            const auto before = team.valuesBefore(target);
            copyBytes(target, team.board(rank).first(target.size()));
            if (rank != team.rank())
                team.report(0, round, rank, target.size(), before, target);
        }
        team.turnBoard();
    }
    return {};
}

Result<void> broadcast(Team& team, Bytes data, int root)
{
    for (size_t round = 0; round < chunksIn(data.size(), RoundBytes); ++round) {
        const Bytes own = chunkOf(data, round, RoundBytes);
        RM_TRY(show(team, team.rank() == root ? ConstBytes(own) : ConstBytes{}));
        if (team.rank() != root) {
            const auto before = team.valuesBefore(own);
            copyBytes(own, team.board(root).first(own.size()));
            team.report(0, round, root, own.size(), before, own);
        }
        team.turnBoard();
    }
    return {};
}

Result<void> barrier(Team& team)
{
    return team.meet();
}

} // namespace ringmaster::ring::board
