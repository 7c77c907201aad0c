#include "engine/collective/ring/Collectives.h"

#include "engine/collective/Codes.h"
#include "engine/collective/ring/Choice.h"
#include "engine/collective/ring/Chunks.h"
#include "engine/collective/ring/Reduce.h"

namespace ringmaster::ring {

namespace {

tl::unexpected<Error> wrongSize(Operation operation, size_t given, size_t needed)
{
    return fail(code::CollectiveSizeInvalid, {{"operation", std::string(nameOf(operation))},
                                              {"given", std::to_string(given)},
                                              {"needed", std::to_string(needed)}});
}

/// Alone there is nobody to agree with, but the result is the same.
Result<void> copyAlone(ConstBytes input, Bytes output)
{
    copyBytes(output, input);
    return {};
}

template <class AllParts>
size_t totalBytes(AllParts parts)
{
    size_t bytes = 0;
    for (const auto& part : parts)
        bytes += part.size();
    return bytes;
}

} // namespace

Result<Algorithm> Collectives::begin(const Shape& shape, const Options& options)
{
    const auto [type, reduction] = shape.arithmetic;
    if (shape.root >= m_team.size())
        return fail(code::CollectiveRankInvalid,
                    {{"operation", std::string(nameOf(shape.operation))},
                     {"rank", std::to_string(shape.root)},
                     {"size", std::to_string(m_team.size())}});
    const bool reduces = shape.operation == Operation::AllReduce ||
                         shape.operation == Operation::Reduce ||
                         shape.operation == Operation::ReduceScatter;
    if (reduces && !canReduce(type, reduction))
        return fail(
            code::CollectiveUnsupported,
            {{"backend", "ring"},
             {"operation", std::string(nameOf(shape.operation))},
             {"what", std::string(nameOf(reduction)) + " of " + std::string(nameOf(type))}});
    if (reduces && shape.bytes % sizeOf(type) != 0)
        return wrongSize(shape.operation, shape.bytes, shape.bytes / sizeOf(type) * sizeOf(type));
    const Algorithm algorithm =
        chosen(options.algorithm, {shape.operation, shape.bytes, m_team.size(), m_team.hasBoard()});
    Call call;
    call.signature = {++m_sequence, shape.bytes,       shape.operation, type,
                      reduction,    options.algorithm, shape.root};
    call.algorithm = algorithm;
    call.deadline = options.deadline;
    call.begun = Deadline::clock::now();
    m_team.begin(call);
    return algorithm;
}

Result<void> Collectives::ended(Result<void> result)
{
    m_team.wakeReceivers();
    return result;
}

Result<void> Collectives::checkParts(Operation operation, size_t given) const
{
    if (given != static_cast<size_t>(m_team.size()))
        return wrongSize(operation, given, static_cast<size_t>(m_team.size()));
    return {};
}

Result<void> Collectives::allReduce(Bytes data, Arithmetic arithmetic, const Options& options)
{
    const auto algorithm =
        RM_TRY(begin({Operation::AllReduce, data.size(), -1, arithmetic}, options));
    if (m_team.size() == 1)
        return {};
    if (algorithm == Algorithm::Ring)
        return ended(roundtrip::allReduce(m_team, data, arithmetic));
    if (algorithm == Algorithm::Tree)
        return ended(tree::allReduce(m_team, data, arithmetic));
    return ended(m_team.hasBoard() ? board::allReduce(m_team, data, arithmetic)
                                   : direct::allReduce(m_team, data, arithmetic));
}

Result<void> Collectives::reduce(ConstBytes input, Bytes output, int root, Arithmetic arithmetic,
                                 const Options& options)
{
    if (m_team.rank() == root && output.size() != input.size())
        return wrongSize(Operation::Reduce, output.size(), input.size());
    const auto algorithm =
        RM_TRY(begin({Operation::Reduce, input.size(), root, arithmetic}, options));
    if (m_team.size() == 1)
        return copyAlone(input, output);
    if (algorithm == Algorithm::Ring)
        return ended(roundtrip::reduce(m_team, input, output, root, arithmetic));
    if (algorithm == Algorithm::Tree)
        return ended(tree::reduce(m_team, input, output, root, arithmetic));
    return ended(m_team.hasBoard() ? board::reduce(m_team, input, output, root, arithmetic)
                                   : direct::reduce(m_team, input, output, root, arithmetic));
}

Result<void> Collectives::broadcast(Bytes data, int root, const Options& options)
{
    const auto algorithm = RM_TRY(begin({Operation::Broadcast, data.size(), root, {}}, options));
    if (m_team.size() == 1)
        return {};
    if (algorithm == Algorithm::Ring)
        return ended(roundtrip::broadcast(m_team, data, root));
    if (algorithm == Algorithm::Tree)
        return ended(tree::broadcast(m_team, data, root));
    return ended(m_team.hasBoard() ? board::broadcast(m_team, data, root)
                                   : direct::broadcast(m_team, data, root));
}

Result<void> Collectives::allGather(ConstBytes input, Parts outputs, const Options& options)
{
    RM_TRY(checkParts(Operation::AllGather, outputs.size()));
    const size_t own = outputs[static_cast<size_t>(m_team.rank())].size();
    if (own != input.size())
        return wrongSize(Operation::AllGather, own, input.size());
    const auto algorithm =
        RM_TRY(begin({Operation::AllGather, totalBytes(outputs), -1, {}}, options));
    if (m_team.size() == 1)
        return copyAlone(input, outputs[0]);
    if (algorithm == Algorithm::Ring)
        return ended(roundtrip::allGather(m_team, input, outputs));
    return ended(m_team.hasBoard() ? board::allGather(m_team, input, outputs)
                                   : direct::allGather(m_team, input, outputs));
}

Result<void> Collectives::reduceScatter(ConstParts inputs, Bytes output, Arithmetic arithmetic,
                                        const Options& options)
{
    RM_TRY(checkParts(Operation::ReduceScatter, inputs.size()));
    const size_t own = inputs[static_cast<size_t>(m_team.rank())].size();
    if (own != output.size())
        return wrongSize(Operation::ReduceScatter, output.size(), own);
    const auto algorithm =
        RM_TRY(begin({Operation::ReduceScatter, totalBytes(inputs), -1, arithmetic}, options));
    if (m_team.size() == 1)
        return copyAlone(inputs[0], output);
    if (algorithm == Algorithm::Ring)
        return ended(roundtrip::reduceScatter(m_team, inputs, output, arithmetic));
    return ended(m_team.hasBoard() ? board::reduceScatter(m_team, inputs, output, arithmetic)
                                   : direct::reduceScatter(m_team, inputs, output, arithmetic));
}

Result<void> Collectives::scatter(ConstParts inputs, Bytes output, int root, const Options& options)
{
    const bool isRoot = m_team.rank() == root;
    if (isRoot)
        RM_TRY(checkParts(Operation::Scatter, inputs.size()));
    const size_t total = output.size() * static_cast<size_t>(m_team.size());
    if (isRoot && totalBytes(inputs) != total)
        return wrongSize(Operation::Scatter, totalBytes(inputs), total);
    RM_TRY(begin({Operation::Scatter, total, root, {}}, options));
    return ended(direct::scatter(m_team, inputs, output, root));
}

Result<void> Collectives::gather(ConstBytes input, Parts outputs, int root, const Options& options)
{
    const bool isRoot = m_team.rank() == root;
    if (isRoot)
        RM_TRY(checkParts(Operation::Gather, outputs.size()));
    const size_t total = input.size() * static_cast<size_t>(m_team.size());
    if (isRoot && totalBytes(outputs) != total)
        return wrongSize(Operation::Gather, totalBytes(outputs), total);
    RM_TRY(begin({Operation::Gather, total, root, {}}, options));
    return ended(direct::gather(m_team, input, outputs, root));
}

Result<void> Collectives::allToAll(ConstParts inputs, Parts outputs, const Options& options)
{
    RM_TRY(checkParts(Operation::AllToAll, inputs.size()));
    RM_TRY(checkParts(Operation::AllToAll, outputs.size()));
    const auto own = static_cast<size_t>(m_team.rank());
    if (inputs[own].size() != outputs[own].size())
        return wrongSize(Operation::AllToAll, outputs[own].size(), inputs[own].size());
    RM_TRY(begin({Operation::AllToAll, 0, -1, {}}, options));
    return ended(direct::allToAll(m_team, inputs, outputs));
}

Result<void> Collectives::barrier(const Options& options)
{
    RM_TRY(begin({Operation::Barrier, 0, -1, {}}, options));
    if (m_team.size() == 1)
        return {};
    return ended(m_team.hasBoard() ? board::barrier(m_team) : tree::barrier(m_team));
}

} // namespace ringmaster::ring
