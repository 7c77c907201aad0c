#pragma once

#include "engine/collective/ring/Algorithms.h"

namespace ringmaster::ring {

/// The collectives of one rank: checks the buffers, chooses the way, runs it. One at a time.
class Collectives
{
public:
    struct Options
    {
        Deadline deadline{};
        Algorithm algorithm = Algorithm::Auto;
    };

    explicit Collectives(Team& team) : m_team(team) {}

    Result<void> allReduce(Bytes data, Arithmetic arithmetic, const Options& options);
    Result<void> reduce(ConstBytes input, Bytes output, int root, Arithmetic arithmetic,
                        const Options& options); ///< `output` is used on root only.
    Result<void> broadcast(Bytes data, int root, const Options& options);
    Result<void> allGather(ConstBytes input, Parts outputs, const Options& options);
    Result<void> reduceScatter(ConstParts inputs, Bytes output, Arithmetic arithmetic,
                               const Options& options);
    Result<void> scatter(ConstParts inputs, Bytes output, int root, const Options& options);
    Result<void> gather(ConstBytes input, Parts outputs, int root, const Options& options);
    Result<void> allToAll(ConstParts inputs, Parts outputs, const Options& options);
    Result<void> barrier(const Options& options);

    std::uint64_t sequence() const { return m_sequence; }
    Algorithm lastAlgorithm() const { return m_team.call().algorithm; }

private:
    struct Shape
    {
        Operation operation = Operation::None;
        size_t bytes = 0;
        int root = -1;
        Arithmetic arithmetic{};
    };

    Result<Algorithm> begin(const Shape& shape, const Options& options);
    Result<void> ended(Result<void> result);
    Result<void> checkParts(Operation operation, size_t given) const;

    Team& m_team;
    std::uint64_t m_sequence = 0;
};

} // namespace ringmaster::ring
