#pragma once

#include "engine/ledger/hook/AlgorithmListener.h"
#include "engine/ledger/hook/RecordedCall.h"

#include <ATen/core/Tensor.h>

namespace ringmaster::ledger {

/// One call of an operator on its way: follows it to the thread that carries it out, as torch's
/// thread-local debug information.
class CallTracker : public AlgorithmListener
{
public:
    CallTracker(LedgerWriter& writer, const Call& call, std::int64_t enqueuedNs)
        : m_recorded(writer, call, enqueuedNs)
    {
    }

    void started()
    {
        std::int64_t unknown = 0;
        m_startedNs.compare_exchange_strong(unknown, monotonicNs(), std::memory_order_relaxed);
    }

    void ended(bool failed) { finish(monotonicNs(), failed); }
    /// The backend's own scope is over. That is the operation's end where nothing else tells.
    void scopeEnded()
    {
        m_scopeEndedNs = monotonicNs();
        if (m_endsByScope)
            finish(m_scopeEndedNs, false);
    }
    void endByScope()
    {
        m_endsByScope = true;
        if (const std::int64_t endedNs = m_scopeEndedNs; endedNs != 0)
            finish(endedNs, false);
    }
    /// It was given away, and nobody will say when it is over.
    void endUnknown() { finish(0, false); }

    void went(Algorithm algorithm) override
    {
        m_algorithm.store(algorithm, std::memory_order_relaxed);
    }

    RecordedCall& recorded() { return m_recorded; }
    const Call& call() const { return m_recorded.call(); }

private:
    void finish(std::int64_t endedNs, bool failed)
    {
        m_recorded.ended(endedNs, failed, m_startedNs.load(std::memory_order_relaxed),
                         m_algorithm.load(std::memory_order_relaxed));
    }

    RecordedCall m_recorded;
    std::atomic<std::int64_t> m_startedNs{0};
    std::atomic<std::int64_t> m_scopeEndedNs{0};
    std::atomic<Algorithm> m_algorithm{Algorithm::Unknown};
    std::atomic<bool> m_endsByScope{false};
};

} // namespace ringmaster::ledger
