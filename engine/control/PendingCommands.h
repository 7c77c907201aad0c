#pragma once

#include "engine/control/Cluster.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace ringmaster {

/// The commands and changes of a Cluster that aren't answered yet: its end waits for them, since it
/// cuts off what is on its way to agents, machines and the host book. Outlives all their answers.
/// Any thread.
class PendingCommands
{
public:
    /// A window that is closed waits no longer.
    static constexpr std::chrono::milliseconds Patience{1'000};

    /// `answer`, to be given exactly once: until then the command is pending.
    Cluster::Answer<void> add(Cluster::Answer<void> answer)
    {
        {
            const std::lock_guard lock(m_mutex);
            ++m_count;
        }
        return [this, answer = std::move(answer)](Result<void> result) {
            answer(std::move(result));
            const std::lock_guard lock(m_mutex);
            if (--m_count == 0)
                m_allAnswered.notify_all();
        };
    }

    /// Until all are answered, but no longer than `patience`.
    void wait(std::chrono::milliseconds patience)
    {
        std::unique_lock lock(m_mutex);
        m_allAnswered.wait_for(lock, patience, [this] { return m_count == 0; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_allAnswered;
    int m_count = 0;
};

} // namespace ringmaster
