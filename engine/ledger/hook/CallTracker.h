#pragma once

#include "engine/ledger/hook/AlgorithmListener.h"
#include "engine/ledger/hook/HookRecorder.h"

#include <ATen/core/Tensor.h>

namespace ringmaster::ledger {

/// One call of an operator on its way: follows it to the thread that carries it out, as torch's
/// thread-local debug information, and is recorded as over once, whoever sees that first.
class CallTracker : public AlgorithmListener
{
public:
    CallTracker(HookRecorder& recorder, const Call& call)
        : m_recorder(recorder)
        , m_call(call)
        , m_enqueuedNs(monotonicNs())
        , m_operation(recorder.writer().begin(m_call, m_enqueuedNs))
    {
    }

    void started()
    {
        std::int64_t unknown = 0;
        m_startedNs.compare_exchange_strong(unknown, monotonicNs(), std::memory_order_relaxed);
    }
    bool hasStarted() const { return m_startedNs.load(std::memory_order_relaxed) != 0; }

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

    const Call& call() const { return m_call; }

private:
    void finish(std::int64_t endedNs, bool failed)
    {
        if (m_isOver.exchange(true, std::memory_order_relaxed))
            return;
        Call call = m_call;
        call.algorithm = m_algorithm.load(std::memory_order_relaxed);
        m_recorder.writer().end(m_operation, call, m_enqueuedNs,
                                m_startedNs.load(std::memory_order_relaxed), endedNs, failed);
    }

    HookRecorder& m_recorder;
    const Call m_call;
    const std::int64_t m_enqueuedNs;
    const std::uint64_t m_operation;
    std::atomic<std::int64_t> m_startedNs{0};
    std::atomic<std::int64_t> m_scopeEndedNs{0};
    std::atomic<Algorithm> m_algorithm{Algorithm::Unknown};
    std::atomic<bool> m_endsByScope{false};
    std::atomic<bool> m_isOver{false};
};

} // namespace ringmaster::ledger
