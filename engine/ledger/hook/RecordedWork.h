#pragma once

#include "engine/ledger/hook/CallTracker.h"

#include <torch/csrc/distributed/c10d/Work.hpp>

namespace ringmaster::ledger {

#ifdef __clang__
#pragma clang diagnostic ignored "-Winconsistent-missing-override"
#endif

/// Stands for a backend's work, whose every answer it gives, and tells when its caller waits and
/// goes on.
class RecordedWork : public c10d::Work
{
public:
    /// `isActive`: false in a forked child, where nothing is told any more. Outlives this.
    RecordedWork(c10::intrusive_ptr<c10d::Work> work, std::shared_ptr<CallTracker> tracker,
                 const std::atomic<bool>& isActive);
    ~RecordedWork() override;

    bool isCompleted() override;
    bool isSuccess() const override { return m_work->isSuccess(); }
    std::exception_ptr exception() const override { return m_work->exception(); }
    int sourceRank() const override { return m_work->sourceRank(); }
    std::vector<at::Tensor> result() override { return m_work->result(); }
    void synchronize() override { m_work->synchronize(); }
    bool wait(std::chrono::milliseconds timeout) override;
    void abort() override { m_work->abort(); }
    c10::intrusive_ptr<c10::ivalue::Future> getFuture() override;
    c10::intrusive_ptr<c10::ivalue::Future> getFutureResult() override;
    float getDuration() const override { return m_work->getDuration(); }
    uint64_t getSequencenumber() const override { return m_work->getSequencenumber(); }

    // Which of these a work has depends on torch's version: without it they override nothing, and
    // nobody calls them.
    void blockCurrentStream();
    std::chrono::milliseconds getTimeout() const;
    uint64_t getCompletionKey() const;

private:
    /// Null in a forked child.
    RecordedCall* recorded() const;

    const c10::intrusive_ptr<c10d::Work> m_work;
    const std::shared_ptr<CallTracker> m_tracker;
    const std::atomic<bool>& m_isActive;
};

} // namespace ringmaster::ledger
