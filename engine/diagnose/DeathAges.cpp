#include "engine/diagnose/DeathAges.h"

namespace ringmaster::diagnose {

void DeathAges::seen(int rank, ProcessView::State state, std::int64_t atNs)
{
    if (state == ProcessView::State::Dead)
        m_sinceNs.try_emplace(rank, atNs);
    else
        m_sinceNs.erase(rank);
}

std::optional<std::int64_t> DeathAges::of(int rank, std::int64_t nowNs) const
{
    const auto since = m_sinceNs.find(rank);
    return since == m_sinceNs.end() ? std::nullopt : std::optional(nowNs - since->second);
}

} // namespace ringmaster::diagnose
