#include "engine/diagnose/WaitGraph.h"

#include <algorithm>

namespace ringmaster::diagnose {

WaitGraph::WaitGraph(const std::vector<RankView>& ranks, const std::vector<Wait>& waits,
                     WaitSet explained, std::chrono::nanoseconds idle)
    : m_ranks(ranks), m_waits(waits), m_explained(std::move(explained)), m_idle(idle)
{
    for (const Wait& wait : m_waits) {
        if (wait.absent.empty() && !m_explained.contains(&wait))
            continue;
        for (const int rank : wait.waiting)
            m_waitingFor[rank].push_back(&wait);
    }
}

bool WaitGraph::waitsItself(int rank) const
{
    const RankView* view = viewOf(m_ranks, rank);
    return view != nullptr && m_waitingFor.contains(rank) &&
           view->process.state == ProcessView::State::Alive &&
           view->process.idleNs >= m_idle.count();
}

bool WaitGraph::isConsequence(const Wait& wait) const
{
    return std::ranges::all_of(wait.absent, [&](int rank) {
        std::set<int> ways;
        return waitsItself(rank) && leadsToRoot(rank, ways);
    });
}

bool WaitGraph::leadsToRoot(int rank, std::set<int>& ways) const
{
    if (!ways.insert(rank).second)
        return false;
    for (const Wait* wait : m_waitingFor.at(rank)) {
        if (m_explained.contains(wait))
            return true;
        for (const int next : wait->absent) {
            if (!waitsItself(next) || leadsToRoot(next, ways))
                return true;
        }
    }
    return false;
}

bool WaitGraph::isSameAbsence(const Wait& wait, const Wait& longest)
{
    const auto isIn = [](const std::vector<int>& ranks) {
        return [&ranks](int rank) { return std::ranges::count(ranks, rank) > 0; };
    };
    std::vector<int> others = wait.absent;
    std::erase_if(others, isIn(longest.absent));
    return !wait.absent.empty() && wait.group == longest.group &&
           wait.absent.size() == longest.absent.size() + others.size() &&
           std::ranges::all_of(others, isIn(longest.waiting));
}

WaitGraph::Consequences WaitGraph::consequencesOf(const Wait& root) const
{
    constexpr size_t Most = 8;
    Consequences found{.waiting = root.waiting};
    WaitSet seen{&root};
    std::vector<int>& reached = found.waiting;
    for (size_t i = 0; i < reached.size() && seen.size() <= Most; ++i) {
        for (const Wait& wait : m_waits) {
            if (seen.contains(&wait) || m_explained.contains(&wait))
                continue;
            const bool isReached = std::ranges::count(wait.absent, reached[i]) > 0;
            if (!isSameAbsence(wait, root) && !(isReached && isConsequence(wait)))
                continue;
            seen.insert(&wait);
            found.waits.push_back(&wait);
            reached.insert(reached.end(), wait.waiting.begin(), wait.waiting.end());
        }
    }
    std::ranges::sort(reached);
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    return found;
}

} // namespace ringmaster::diagnose
