#pragma once

#include "engine/collective/ring/Types.h"

#include <atomic>

namespace ringmaster::ring {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "shared between processes");
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared between processes");

/// Where threads of several processes wait for a change of the memory that they share, asleep in
/// the kernel. All zero is a valid state. Whoever changes what is waited for rings afterwards.
class Bell
{
public:
    /// One load when nobody waits.
    void ring()
    {
        if (m_waiting.load(std::memory_order_seq_cst) != 0)
            wakeAll();
    }

    /// Until `ready` says yes; false when the deadline comes first. `ready` must read with
    /// memory_order_seq_cst what the other side has written so before it rang. `spins` is how often
    /// to look before sleeping: 0 unless every rank has a core.
    template <class Ready>
    bool wait(const Ready& ready, Deadline deadline, int spins = 0)
    {
        for (int spin = 0; spin < spins; ++spin) {
            if (ready())
                return true;
            relax();
        }
        while (true) {
            const std::uint32_t seen = m_changes.load(std::memory_order_seq_cst);
            m_waiting.fetch_add(1, std::memory_order_seq_cst);
            const bool isReady = ready();
            const bool inTime = isReady || sleep(seen, deadline);
            m_waiting.fetch_sub(1, std::memory_order_relaxed);
            if (isReady)
                return true;
            if (!inTime)
                return ready();
        }
    }

private:
    void wakeAll();
    bool sleep(std::uint32_t seen, Deadline deadline); ///< False when the deadline has passed.
    static void relax();

    std::atomic<std::uint32_t> m_changes{0}; ///< The futex.
    std::atomic<std::uint32_t> m_waiting{
        0}; ///< A process killed while it waits leaves it too high.
};

} // namespace ringmaster::ring
