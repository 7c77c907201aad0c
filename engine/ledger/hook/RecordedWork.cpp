#include "engine/ledger/hook/RecordedWork.h"

namespace ringmaster::ledger {

RecordedWork::RecordedWork(c10::intrusive_ptr<c10d::Work> work,
                           std::shared_ptr<CallTracker> tracker, const std::atomic<bool>& isActive)
    : Work(-1, work->retrieveOpType())
    , m_work(std::move(work))
    , m_tracker(std::move(tracker))
    , m_isActive(isActive)
{
    m_tracker->recorded().setAwaited();
}

RecordedWork::~RecordedWork()
{
    if (RecordedCall* call = recorded())
        call->forgone();
}

RecordedCall* RecordedWork::recorded() const
{
    return m_isActive.load(std::memory_order_relaxed) ? &m_tracker->recorded() : nullptr;
}

/// Who asks, and hears that it is over, need not wait.
bool RecordedWork::isCompleted()
{
    const bool isOver = m_work->isCompleted();
    if (RecordedCall* call = recorded(); isOver && call != nullptr)
        call->returned(monotonicNs(), false);
    return isOver;
}

bool RecordedWork::wait(std::chrono::milliseconds timeout)
{
    RecordedCall* call = recorded();
    if (call == nullptr)
        return m_work->wait(timeout);
    call->waits();
    try {
        const bool isOver = m_work->wait(timeout);
        call->returned(monotonicNs(), false);
        return isOver;
    } catch (...) {
        call->returned(monotonicNs(), true);
        throw;
    }
}

/// Who has the future waits for that, unseen.
c10::intrusive_ptr<c10::ivalue::Future> RecordedWork::getFuture()
{
    auto future = m_work->getFuture();
    if (RecordedCall* call = recorded())
        call->forgone();
    return future;
}

c10::intrusive_ptr<c10::ivalue::Future> RecordedWork::getFutureResult()
{
    auto future = m_work->getFutureResult();
    if (RecordedCall* call = recorded())
        call->forgone();
    return future;
}

void RecordedWork::blockCurrentStream()
{
    [](auto& work) {
        if constexpr (requires { work.blockCurrentStream(); })
            work.blockCurrentStream();
    }(*m_work);
}

std::chrono::milliseconds RecordedWork::getTimeout() const
{
    return [](const auto& work) {
        if constexpr (requires { work.getTimeout(); })
            return work.getTimeout();
        else
            return std::chrono::milliseconds();
    }(*m_work);
}

uint64_t RecordedWork::getCompletionKey() const
{
    return [](const auto& work) {
        if constexpr (requires { work.getCompletionKey(); })
            return work.getCompletionKey();
        else
            return uint64_t{};
    }(*m_work);
}

} // namespace ringmaster::ledger
