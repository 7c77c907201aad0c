#pragma once

#include "engine/base/Result.h"

#include <torch/csrc/distributed/c10d/Work.hpp>

namespace ringmaster::collective {

/// What c10d's callers wait for. Keeps the tensors until the operation has ended.
class RingWork : public c10d::Work
{
public:
    RingWork(int rank, c10d::OpType type, const char* title, std::vector<at::Tensor> inputs,
             std::vector<at::Tensor> outputs, std::uint64_t sequence);

    /// Once, from any thread; the value is the other rank of a message.
    void complete(const Result<int>& outcome);

    c10::intrusive_ptr<c10::ivalue::Future> getFuture() override;
    std::vector<at::Tensor> result() override { return m_outputs; }
    int sourceRank() const override;
    std::uint64_t getSequencenumber() const override { return m_sequence; }

private:
    void mark();

    std::vector<at::Tensor> m_inputs;
    std::vector<at::Tensor> m_outputs;
    std::uint64_t m_sequence;
    int m_otherRank = -1;
    bool m_isMarked = false;
    c10::intrusive_ptr<c10::ivalue::Future> m_future;
};

/// As an exception that torch's callers know.
std::exception_ptr exceptionOf(const Error& error);

} // namespace ringmaster::collective
