#include "engine/collective/RingWork.h"

#include <ATen/core/ivalue_inl.h>

namespace ringmaster::collective {

RingWork::RingWork(int rank, c10d::OpType type, const char* title, std::vector<at::Tensor> inputs,
                   std::vector<at::Tensor> outputs, std::uint64_t sequence)
    : Work(rank, type, title, inputs)
    , m_inputs(std::move(inputs))
    , m_outputs(std::move(outputs))
    , m_sequence(sequence)
{
}

void RingWork::complete(const Result<int>& outcome)
{
    {
        const std::lock_guard lock(mutex_);
        m_otherRank = outcome.value_or(-1);
    }
    finish(outcome ? nullptr : exceptionOf(outcome.error()));
    std::unique_lock lock(mutex_);
    if (m_future == nullptr || std::exchange(m_isMarked, true))
        return;
    lock.unlock();
    mark();
}

c10::intrusive_ptr<c10::ivalue::Future> RingWork::getFuture()
{
    std::unique_lock lock(mutex_);
    if (m_future == nullptr)
        m_future =
            c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()));
    const bool isNow = completed_ && !std::exchange(m_isMarked, true);
    lock.unlock();
    if (isNow)
        mark();
    return m_future;
}

void RingWork::mark()
{
    // Without the lock: what waits for the future runs here.
    if (exception_)
        m_future->setError(exception_);
    else
        m_future->markCompleted(at::IValue(m_outputs));
}

int RingWork::sourceRank() const
{
    const std::lock_guard lock(mutex_);
    return m_otherRank;
}

std::exception_ptr exceptionOf(const Error& error)
{
    try {
        C10_THROW_ERROR(DistBackendError, "ring: " + describe(error));
    } catch (...) {
        return std::current_exception();
    }
}

} // namespace ringmaster::collective
