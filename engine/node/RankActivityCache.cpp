#include "engine/node/RankActivityCache.h"

namespace ringmaster {

bool RankActivityCache::isAsked() const
{
    return m_askedAt != Clock::time_point() && Clock::now() - m_askedAt < Patience;
}

bool RankActivityCache::isWanted() const
{
    const std::lock_guard lock(m_mutex);
    return isAsked();
}

std::vector<int> RankActivityCache::stacksWanted() const
{
    const std::lock_guard lock(m_mutex);
    return isAsked() ? m_stacks : std::vector<int>();
}

void RankActivityCache::show(std::vector<RankActivity> ranks)
{
    const std::lock_guard lock(m_mutex);
    m_ranks = std::move(ranks);
    m_shownAt = Clock::now();
}

std::vector<RankActivity> RankActivityCache::read(const std::vector<int>& stacks)
{
    const std::lock_guard lock(m_mutex);
    m_askedAt = Clock::now();
    m_stacks = stacks;
    return m_askedAt - m_shownAt < Patience ? m_ranks : std::vector<RankActivity>();
}

} // namespace ringmaster
