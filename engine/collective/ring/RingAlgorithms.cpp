#include "engine/collective/ring/Algorithms.h"
#include "engine/collective/ring/Chunks.h"
#include "engine/collective/ring/Reduce.h"

#include <deque>

namespace ringmaster::ring::roundtrip {

namespace {

/// Chunks of a rank that travel at the same time. The channels hold more, so that not all ranks
/// can wait for room at once.
constexpr size_t Window = 4;
constexpr size_t SmallestChunk = size_t{64} << 10U;
static_assert(Window < Segment::CollectiveShape.slotCount);

/// What every chunk does on its way: reduced by the first hops, then copied by the others.
struct Plan
{
    int reduceHops = 0;
    int copyHops = 0;
    int firstBlock = 0; ///< The block that this rank sends first.
    std::vector<ConstBytes> inputs{};
    std::vector<Bytes> outputs{}; ///< Empty where a block isn't wanted here.
    Arithmetic arithmetic{};

    int hops() const { return reduceHops + copyHops; }
};

/// One rank's part in the round trip. All ranks follow the same rule, so the order in which chunks
/// arrive is the order in which this rank sends its own.
class RoundTrip
{
public:
    RoundTrip(Team& team, const Plan& plan)
        : m_team(team)
        , m_plan(plan)
        , m_next((team.rank() + 1) % team.size())
        , m_previous((team.rank() + team.size() - 1) % team.size())
        , m_chunkBytes(chunkSize(longestBlock()))
        , m_chunks(chunksIn(longestBlock(), m_chunkBytes))
    {
    }

    Result<void> run()
    {
        for (size_t started = 0; started < Window; ++started)
            RM_TRY(startNext());
        while (!m_order.empty()) {
            const Travelling chunk = m_order.front();
            m_order.pop_front();
            RM_TRY(handle(chunk));
            if (chunk.hop + 1 == m_plan.hops())
                RM_TRY(startNext());
        }
        return {};
    }

private:
    struct Travelling
    {
        int hop = 0;
        size_t chunk = 0;
    };

    size_t longestBlock() const
    {
        size_t longest = 0;
        for (const ConstBytes& input : m_plan.inputs)
            longest = std::max(longest, input.size());
        for (const Bytes& output : m_plan.outputs)
            longest = std::max(longest, output.size());
        return longest;
    }

    /// Small enough that a block fills the window, large enough that waking the next rank pays.
    size_t chunkSize(size_t longest) const
    {
        const size_t share = (longest / Window + SmallestChunk - 1) / SmallestChunk * SmallestChunk;
        return std::clamp(share, SmallestChunk, m_team.chunkBytes());
    }

    template <class Block>
    Block part(const std::vector<Block>& blocks, int block, size_t chunk) const
    {
        return chunkOf(blocks[static_cast<size_t>(block)], chunk, m_chunkBytes);
    }

    int blockAt(int hop) const
    {
        const int size = m_team.size();
        return ((m_plan.firstBlock - hop - 1) % size + size) % size;
    }

    Result<void> startNext()
    {
        if (m_started == m_chunks)
            return {};
        const ConstBytes source = part(m_plan.inputs, m_plan.firstBlock, m_started);
        const Bytes slot = RM_TRY(m_team.reserve(m_next));
        copyBytes(slot, source);
        m_team.commit(m_next, source.size());
        if (m_plan.reduceHops == 0)
            copyBytes(part(m_plan.outputs, m_plan.firstBlock, m_started), source);
        m_order.push_back({0, m_started++});
        return {};
    }

    Result<void> handle(const Travelling& travelling)
    {
        const int block = blockAt(travelling.hop);
        const bool isLast = travelling.hop + 1 == m_plan.hops();
        const bool reduces = travelling.hop < m_plan.reduceHops;
        const Bytes output = part(m_plan.outputs, block, travelling.chunk);
        const ConstBytes own = reduces ? part(m_plan.inputs, block, travelling.chunk) : output;
        const ConstBytes arrived = RM_TRY(m_team.receive(m_previous, own.size()));
        const auto before = m_team.valuesBefore(own);
        Bytes forwarded{};
        if (!isLast)
            forwarded = RM_TRY(m_team.reserve(m_next)).first(own.size());
        const ConstBytes result = reduces ? reduced(travelling, arrived, own, output, forwarded)
                                          : passedOn(arrived, output, forwarded);
        const size_t part = static_cast<size_t>(block) * m_chunks + travelling.chunk;
        m_team.report(travelling.hop, part, m_previous, {own.size(), before, arrived, result});
        // Whoever looks sees the sum where it grows; unseen, only what is sent on has it.
        if (reduces && m_team.isObserved() && !output.empty())
            copyBytes(output, result);
        m_team.release(m_previous);
        if (!isLast) {
            m_team.commit(m_next, own.size());
            m_order.push_back({travelling.hop + 1, travelling.chunk});
        }
        return {};
    }

    ConstBytes reduced(const Travelling& travelling, ConstBytes arrived, ConstBytes own,
                       Bytes output, Bytes forwarded) const
    {
        const auto [type, reduction] = m_plan.arithmetic;
        const bool isComplete = travelling.hop + 1 == m_plan.reduceHops;
        const Bytes target = isComplete ? output : forwarded;
        combine(type, reduction, target.data(), arrived.data(), own.data(), own.size());
        if (isComplete) {
            if (reduction == Reduction::Average)
                divide(type, target, m_team.size());
            if (!forwarded.empty())
                copyBytes(forwarded, target);
        }
        return target;
    }

    static ConstBytes passedOn(ConstBytes arrived, Bytes output, Bytes forwarded)
    {
        copyBytes(output, arrived);
        if (!forwarded.empty())
            copyBytes(forwarded, arrived);
        return output;
    }

    Team& m_team;
    const Plan& m_plan;
    int m_next;
    int m_previous;
    size_t m_chunkBytes;
    size_t m_chunks;
    size_t m_started = 0;
    std::deque<Travelling> m_order;
};

} // namespace

Result<void> allReduce(Team& team, Bytes data, Arithmetic arithmetic)
{
    Plan plan{team.size() - 1, team.size() - 1, team.rank(), {}, {}, arithmetic};
    for (int block = 0; block < team.size(); ++block) {
        plan.outputs.push_back(blockOf(data, block, team.size(), sizeOf(arithmetic.type)));
        plan.inputs.emplace_back(plan.outputs.back());
    }
    return RoundTrip(team, plan).run();
}

Result<void> reduceScatter(Team& team, ConstParts inputs, Bytes output, Arithmetic arithmetic)
{
    const int last = (team.rank() + team.size() - 1) % team.size();
    Plan plan{team.size() - 1, 0, last, {inputs.begin(), inputs.end()}, {}, arithmetic};
    plan.outputs.resize(inputs.size());
    plan.outputs[static_cast<size_t>(team.rank())] = output;
    return RoundTrip(team, plan).run();
}

Result<void> allGather(Team& team, ConstBytes input, Parts outputs)
{
    Plan plan{0, team.size() - 1, team.rank(), {}, {outputs.begin(), outputs.end()}, {}};
    plan.inputs.resize(outputs.size());
    plan.inputs[static_cast<size_t>(team.rank())] = input;
    return RoundTrip(team, plan).run();
}

Result<void> broadcast(Team& team, Bytes data, int root)
{
    const int size = team.size();
    const int previous = (team.rank() + size - 1) % size;
    const int next = (team.rank() + 1) % size;
    for (size_t chunk = 0; chunk < chunksIn(data.size(), team.chunkBytes()); ++chunk) {
        const Bytes own = chunkOf(data, chunk, team.chunkBytes());
        const auto before = team.valuesBefore(own);
        ConstBytes source = own;
        if (team.rank() != root)
            source = RM_TRY(team.receive(previous, own.size()));
        if (next != root)
            copyBytes(RM_TRY(team.reserve(next)), source);
        if (team.rank() != root) {
            copyBytes(own, source);
            team.report((previous - root + size) % size, chunk, previous,
                        {own.size(), before, source, own});
        }
        if (next != root)
            team.commit(next, own.size());
        if (team.rank() != root)
            team.release(previous);
    }
    return {};
}

Result<void> reduce(Team& team, ConstBytes input, Bytes output, int root, Arithmetic arithmetic)
{
    const int size = team.size();
    const int previous = (team.rank() + size - 1) % size;
    const int next = (team.rank() + 1) % size;
    const bool isFirst = previous == root;
    for (size_t chunk = 0; chunk < chunksIn(input.size(), team.chunkBytes()); ++chunk) {
        const ConstBytes own = chunkOf(input, chunk, team.chunkBytes());
        Bytes target{};
        if (team.rank() == root)
            target = chunkOf(output, chunk, team.chunkBytes());
        if (isFirst && team.rank() != root) {
            copyBytes(RM_TRY(team.reserve(next)), own);
            team.commit(next, own.size());
            continue;
        }
        const ConstBytes arrived = RM_TRY(team.receive(previous, own.size()));
        const auto before = team.valuesBefore(own);
        if (team.rank() != root)
            target = RM_TRY(team.reserve(next)).first(own.size());
        combine(arithmetic.type, arithmetic.reduction, target.data(), arrived.data(), own.data(),
                own.size());
        if (team.rank() == root && arithmetic.reduction == Reduction::Average)
            divide(arithmetic.type, target, size);
        team.report((previous - root + size) % size, chunk, previous,
                    {own.size(), before, arrived, target});
        team.release(previous);
        if (team.rank() != root)
            team.commit(next, own.size());
    }
    return {};
}

} // namespace ringmaster::ring::roundtrip
