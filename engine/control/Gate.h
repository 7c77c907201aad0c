#pragma once

#include <mutex>

namespace ringmaster {

/// What makes a Subscription's promise true: once closed, calls neither start nor still run. A
/// call may itself close its gate.
class Gate
{
public:
    template <class Call>
    void pass(const Call& call)
    {
        const std::lock_guard lock(m_mutex);
        if (m_isOpen)
            call();
    }

    /// Waits for a call that runs on another thread.
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_isOpen = false;
    }

private:
    std::recursive_mutex m_mutex;
    bool m_isOpen = true;
};

} // namespace ringmaster
