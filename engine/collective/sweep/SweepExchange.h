#pragma once

#include "engine/collective/sweep/Options.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace ringmaster::collective {

/// The ranks of a sweep, as they meet in the store of their run: what they agree about beside the
/// collectives that they measure. All ranks make the same calls in the same order; throws what the
/// store throws.
class SweepExchange
{
public:
    explicit SweepExchange(const SweepOptions& options);

    int rank() const { return m_rank; }
    int ranks() const { return m_ranks; }

    /// Rank 0's value.
    std::string agree(const std::string& value);
    /// Each rank's value, on all ranks.
    std::vector<std::string> exchange(const std::string& value);
    /// Each rank's value, on rank 0; empty elsewhere.
    std::vector<std::string> collect(const std::string& value);
    void barrier() { (void)exchange(""); }

    /// A part of the store that nothing has used.
    c10::intrusive_ptr<c10d::Store> freshStore(const std::string& name);

private:
    std::string key(int rank) const;

    int m_rank;
    int m_ranks;
    std::uint64_t m_step = 0;
    c10::intrusive_ptr<c10d::Store> m_store;
};

} // namespace ringmaster::collective
