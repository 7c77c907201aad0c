#include "engine/collective/ring/Algorithms.h"
#include "engine/collective/ring/Chunks.h"
#include "engine/collective/ring/Reduce.h"

namespace ringmaster::ring::tree {

namespace {

/// A rank's neighbours in a binomial tree with `root` at the top.
class Branch
{
public:
    Branch(const Team& team, int root)
        : m_size(team.size()), m_root(root), m_place((team.rank() - root + m_size) % m_size)
    {
        int reach = 1;
        for (; reach < m_size && (m_place & reach) == 0; reach <<= 1) {
            if (m_place + reach < m_size)
                m_children.push_back(rankAt(m_place + reach));
            ++m_level;
        }
        if (m_place != 0)
            m_parent = rankAt(m_place - reach);
    }

    bool isTop() const { return m_place == 0; }
    int parent() const { return m_parent; }
    const std::vector<int>& children() const { return m_children; }
    int level() const { return m_level; }

private:
    int rankAt(int place) const { return (place + m_root) % m_size; }

    int m_size;
    int m_root;
    int m_place;
    int m_parent = -1;
    int m_level = 0;
    std::vector<int> m_children{};
};

Result<void> sendChunk(Team& team, int to, ConstBytes chunk)
{
    copyBytes(RM_TRY(team.reserve(to)), chunk);
    team.commit(to, chunk.size());
    return {};
}

/// At least one chunk, so that ranks with nothing to say meet as well.
size_t chunkCount(const Team& team, size_t bytes)
{
    return std::max<size_t>(1, chunksIn(bytes, team.chunkBytes()));
}

Result<void> reduceChunk(Team& team, const Branch& branch, size_t number, ConstBytes own, Bytes sum,
                         Arithmetic arithmetic)
{
    copyBytes(sum, own);
    int step = 0;
    for (const int child : branch.children()) {
        const ConstBytes arrived = RM_TRY(team.receive(child, own.size()));
        const auto before = team.valuesBefore(sum);
        combine(arithmetic.type, arithmetic.reduction, sum.data(), sum.data(), arrived.data(),
                own.size());
        team.report(step++, number, child, {own.size(), before, arrived, sum});
        team.release(child);
    }
    if (!branch.isTop())
        return sendChunk(team, branch.parent(), sum);
    if (arithmetic.reduction == Reduction::Average)
        divide(arithmetic.type, sum, team.size());
    return {};
}

/// The sums grow in `sums`, or, where that is empty, where nobody sees them.
Result<void> reduceInto(Team& team, const Branch& branch, ConstBytes input, Bytes sums,
                        Arithmetic arithmetic)
{
    std::vector<std::byte> scratch(sums.empty() ? std::min(input.size(), team.chunkBytes()) : 0);
    for (size_t number = 0; number < chunkCount(team, input.size()); ++number) {
        const ConstBytes own = chunkOf(input, number, team.chunkBytes());
        const Bytes sum = sums.empty() ? Bytes(scratch).first(own.size())
                                       : chunkOf(sums, number, team.chunkBytes());
        RM_TRY(reduceChunk(team, branch, number, own, sum, arithmetic));
    }
    return {};
}

} // namespace

Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic)
{
    const Branch branch(team, root);
    return reduceInto(team, branch, input, branch.isTop() ? output : Bytes{}, arithmetic);
}

Result<void> broadcast(Team& team, Bytes data, int root)
{
    const Branch branch(team, root);
    for (size_t number = 0; number < chunkCount(team, data.size()); ++number) {
        const Bytes own = chunkOf(data, number, team.chunkBytes());
        if (!branch.isTop()) {
            const ConstBytes arrived = RM_TRY(team.receive(branch.parent(), own.size()));
            const auto before = team.valuesBefore(own);
            copyBytes(own, arrived);
            team.report(branch.level(), number, branch.parent(),
                        {own.size(), before, arrived, own});
            team.release(branch.parent());
        }
        // The far child first: it has the most ranks below it.
        for (size_t child = branch.children().size(); child-- > 0;)
            RM_TRY(sendChunk(team, branch.children()[child], own));
    }
    return {};
}

Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic)
{
    const Branch branch(team, 0);
    const bool isKept = branch.isTop() || team.isObserved();
    RM_TRY(reduceInto(team, branch, data, isKept ? data : Bytes{}, arithmetic));
    return broadcast(team, data, 0);
}

Result<void> barrier(Team& team)
{
    return allReduce(team, {}, {});
}

} // namespace ringmaster::ring::tree
