#pragma once

#include "engine/collective/sweep/Backends.h"

#include <vector>

namespace ringmaster::collective {

/// The tensors of one row, and the operation on them. Every rank has the same.
class SweepBenchmark
{
public:
    struct Shape
    {
        std::string collective{};
        std::string type{};
        std::string reduction{};
        int rank = 0;
        int ranks = 1;

        /// nccl-tests' size and count for what was asked: parts are equal, so they may be less.
        std::int64_t countFor(std::int64_t wantedBytes) const;
        std::int64_t bytesOf(std::int64_t count) const;
    };

    SweepBenchmark(Shape shape, std::int64_t count, const SweepBackend& backend);

    /// Gives every tensor its first values, of this rank.
    void fill();
    /// Once, from start to end.
    void run();
    /// Elements of this rank that aren't what one run after fill() leaves.
    std::int64_t wrong() const;

private:
    /// One piece of memory, and its equal parts.
    struct Tensors
    {
        std::vector<at::Tensor> parts{};
        at::Tensor whole{};
    };

    Tensors allocate(int parts) const;
    c10::intrusive_ptr<c10d::Work> start();
    std::vector<c10::intrusive_ptr<c10d::Work>> startPair();
    bool isRoot() const { return m_shape.rank == 0; }
    at::Tensor pattern(int rank, int part) const;
    at::Tensor expected(int part) const;

    Shape m_shape;
    std::int64_t m_count;
    const SweepBackend& m_backend;
    at::ScalarType m_type;
    Tensors m_input;  ///< Part i goes to rank i, or there is one.
    Tensors m_output; ///< Likewise; without parts where the input is changed.
};

} // namespace ringmaster::collective
