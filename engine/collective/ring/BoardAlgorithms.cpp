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

/// One line a rank that sent something, all in the same step: nobody's came first. `start` is where
/// it stands on each board.
void reportAll(Team& team, size_t round, size_t start, ConstBytes before, ConstBytes after)
{
    if (!team.isObserved())
        return;
    for (int rank = 0; rank < team.size(); ++rank) {
        if (rank != team.rank())
            team.report(
                0, round, rank,
                {after.size(), before, team.board(rank).subspan(start, after.size()), after});
    }
}

/// Everybody's contribution of this round stands on the board when it returns.
Result<void> show(Team& team, ConstBytes contribution)
{
    copyBytes(team.ownBoard(), contribution);
    return team.barrier();
}

/// Each rank reduces a part of every stretch of the tensor: less to read than if everybody reduced
/// all. Of three stretches at a time one is shown, one reduced and one read, with one barrier for
/// the three: a rank shows nothing in its own part of its board, where the results stand, so that
/// nobody writes where another may still read.
class InParts
{
public:
    InParts(Team& team, Bytes data, Arithmetic arithmetic)
        : m_team(team)
        , m_data(data)
        , m_arithmetic(arithmetic)
        , m_partBytes(blockOf(chunkOf(data, 0, RoundBytes), 0, team.size()).size())
    {
    }

    Result<void> run()
    {
        const size_t stretches = chunksIn(m_data.size(), RoundBytes);
        show(0);
        for (size_t number = 0; number <= stretches; ++number) {
            RM_TRY(m_team.barrier());
            if (number < stretches)
                reduce(number);
            m_team.turnBoard();
            if (number + 1 < stretches)
                show(number + 1);
            if (number > 0)
                read(number - 1);
        }
        m_team.turnBoard();
        return {};
    }

private:
    struct Part
    {
        Bytes values{};
        size_t start = 0; ///< In its stretch, and so on the board.
    };

    Part partOf(size_t stretch, int rank) const
    {
        const Bytes whole = chunkOf(m_data, stretch, RoundBytes);
        const Bytes part = chunkOf(whole, static_cast<size_t>(rank), m_partBytes);
        return {part, static_cast<size_t>(part.data() - whole.data())};
    }

    void show(size_t stretch) const
    {
        const Bytes whole = chunkOf(m_data, stretch, RoundBytes);
        const Part own = partOf(stretch, m_team.rank());
        const size_t behind = own.start + own.values.size();
        copyBytes(m_team.ownBoard(), whole.first(own.start));
        copyBytes(m_team.ownBoard().subspan(behind), whole.subspan(behind));
    }

    void reduce(size_t stretch) const
    {
        const auto [type, reduction] = m_arithmetic;
        const Part own = partOf(stretch, m_team.rank());
        for (size_t number = 0; number < chunksIn(own.values.size(), Strip); ++number) {
            const Bytes strip = chunkOf(own.values, number, Strip);
            const size_t from = own.start + number * Strip;
            const Bytes result = m_team.ownBoard().subspan(from, strip.size());
            const auto values = [&](int rank) -> const std::byte* {
                return rank == m_team.rank() ? strip.data() : m_team.board(rank).data() + from;
            };
            combine(type, reduction, result.data(), values(0), values(1), strip.size());
            for (int rank = 2; rank < m_team.size(); ++rank)
                combine(type, reduction, result.data(), result.data(), values(rank), strip.size());
            if (reduction == Reduction::Average)
                divide(type, result, m_team.size());
            copyBytes(strip, result);
        }
    }

    void read(size_t stretch) const
    {
        for (int rank = 0; rank < m_team.size(); ++rank) {
            const Part part = partOf(stretch, rank);
            if (rank != m_team.rank())
                copyBytes(part.values, m_team.board(rank).subspan(part.start, part.values.size()));
        }
        const Bytes whole = chunkOf(m_data, stretch, RoundBytes);
        reportAll(m_team, stretch, 0, {}, whole);
    }

    Team& m_team;
    Bytes m_data;
    Arithmetic m_arithmetic;
    size_t m_partBytes; ///< Of every stretch, so that a part is at one place on the board.
};

/// From so many bytes on a second barrier costs less than reducing everything everywhere.
size_t leastInParts(int ranks)
{
    return size_t{ranks > 2 ? 16U : 256U} << 10U;
}

} // namespace

Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic)
{
    if (data.size() >= leastInParts(team.size()))
        return InParts(team, data, arithmetic).run();
    if (data.empty())
        return {};
    const auto before = team.valuesBefore(data);
    RM_TRY(show(team, data));
    reduceBoards(team, 0, data, arithmetic);
    reportAll(team, 0, 0, before, data);
    team.turnBoard();
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
            reportAll(team, round, 0, before, target);
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
        RM_TRY(team.barrier());
        reduceBoards(team, own * each, target, arithmetic);
        reportAll(team, round, own * each, before, target);
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
            const ConstBytes arrived = team.board(rank).first(target.size());
            copyBytes(target, arrived);
            if (rank != team.rank())
                team.report(0, round, rank, {target.size(), before, arrived, target});
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
            const ConstBytes arrived = team.board(root).first(own.size());
            copyBytes(own, arrived);
            team.report(0, round, root, {own.size(), before, arrived, own});
        }
        team.turnBoard();
    }
    return {};
}

Result<void> barrier(Team& team)
{
    return team.barrier();
}

} // namespace ringmaster::ring::board
