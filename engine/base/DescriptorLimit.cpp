#include "engine/base/DescriptorLimit.h"

#include <algorithm>
#include <atomic>

namespace ringmaster {

namespace {

/// Some systems allow a thousand million, and libraries make tables of that size.
constexpr rlim_t Enough = 1U << 20U;

/// The limit belongs to the process, and so does the memory of what it was.
std::atomic<rlim_t>& limitBefore()
{
    static std::atomic<rlim_t> limit = RLIM_INFINITY;
    return limit;
}

} // namespace

void raiseDescriptorLimit()
{
    rlimit limit{};
    const bool isKnown = getrlimit(RLIMIT_NOFILE, &limit) == 0;
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = std::min(limit.rlim_max, Enough);
    if (!isKnown || before >= limit.rlim_cur) // a second time, too: the first one's is remembered
        return;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0)
        limitBefore() = before;
}

rlim_t usersDescriptorLimit()
{
    if (const rlim_t before = limitBefore(); before != RLIM_INFINITY)
        return before;
    rlimit limit{};
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

std::string usersDescriptorLimitVariable()
{
    return "RINGMASTER_DESCRIPTORS=" + std::to_string(usersDescriptorLimit());
}

void restoreDescriptorLimit(pid_t child)
{
    const rlim_t before = limitBefore();
    rlimit limit{};
    if (before == RLIM_INFINITY || prlimit(child, RLIMIT_NOFILE, nullptr, &limit) != 0)
        return;
    limit.rlim_cur = std::min(before, limit.rlim_max);
    (void)prlimit(child, RLIMIT_NOFILE, &limit, nullptr); // At worst it has the larger one.
}

} // namespace ringmaster
