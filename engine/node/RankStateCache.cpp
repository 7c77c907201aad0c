#include "engine/node/RankStateCache.h"

namespace ringmaster {

bool RankStateCache::isAsked() const
{
    return m_askedAt != Clock::time_point() && Clock::now() - m_askedAt < Patience;
}

bool RankStateCache::isWanted() const
{
    const std::lock_guard lock(m_mutex);
    return isAsked();
}

std::vector<int> RankStateCache::stacksWanted() const
{
    const std::lock_guard lock(m_mutex);
    return isAsked() ? m_stacks : std::vector<int>();
}

void RankStateCache::show(std::vector<RankState> ranks)
{
    const std::lock_guard lock(m_mutex);
    m_ranks = std::move(ranks);
    m_shownAt = Clock::now();
}

std::vector<RankState> RankStateCache::read(const std::vector<int>& stacks)
{
    const std::lock_guard lock(m_mutex);
    m_askedAt = Clock::now();
    m_stacks = stacks;
    return m_askedAt - m_shownAt < Patience ? m_ranks : std::vector<RankState>();
}

} // namespace ringmaster
