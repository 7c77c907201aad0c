#include "engine/collective/ring/Bell.h"

#include <cerrno>
#include <climits>
#include <ctime>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster::ring {

void Bell::wakeAll()
{
    m_changes.fetch_add(1, std::memory_order_seq_cst);
    ::syscall(SYS_futex, &m_changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool Bell::sleep(std::uint32_t seen, Deadline deadline)
{
    // FUTEX_WAIT_BITSET takes an absolute time of CLOCK_MONOTONIC, which is steady_clock's.
    const auto since = std::max(deadline.time_since_epoch(), Deadline::duration::zero());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
    timespec until{};
    until.tv_sec = seconds.count();
    until.tv_nsec = std::chrono::duration_cast<std::chrono::nanoseconds>(since - seconds).count();
    const long outcome = ::syscall(SYS_futex, &m_changes, FUTEX_WAIT_BITSET, seen, &until, nullptr,
                                   FUTEX_BITSET_MATCH_ANY);
    return outcome == 0 || errno != ETIMEDOUT;
}

void Bell::relax()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

} // namespace ringmaster::ring
