#include "engine/diagnose/RankView.h"

#include <algorithm>

namespace ringmaster::diagnose {

const Stack* freshStackOf(const RankView& view)
{
    if (!view.process.stack)
        return nullptr;
    const auto& last = view.track->lastEnded();
    std::int64_t movedNs = last && last->endedNs != 0 ? view.here(last->endedNs) : 0;
    for (const auto& [id, running] : view.track->running())
        movedNs = std::max(movedNs, running.enqueuedNs != 0 ? view.here(running.enqueuedNs) : 0);
    return view.process.stack->takenNs >= movedNs ? &*view.process.stack : nullptr;
}

std::int64_t clockErrorNs(const RankView& one, const RankView& other)
{
    const bool isSame =
        &one == &other || (!one.clock.host.empty() && one.clock.host == other.clock.host);
    return isSame ? 0 : one.clock.errorNs + other.clock.errorNs;
}

const RankView* viewOf(const std::vector<RankView>& ranks, int rank)
{
    const auto found = std::ranges::find(ranks, rank, &RankView::rank);
    return found == ranks.end() ? nullptr : &*found;
}

std::map<GroupKey, std::vector<const RankView*>> wholeGroups(const std::vector<RankView>& ranks)
{
    std::map<GroupKey, std::vector<const RankView*>> whole;
    for (const RankView& view : ranks) {
        for (const auto& [key, group] : view.track->groups()) {
            if (key.members.size() < 2 || whole.contains(key))
                continue;
            std::vector<const RankView*>& members = whole[key];
            for (const int member : key.members) {
                const RankView* known = viewOf(ranks, member);
                if (known != nullptr && known->isRecorded)
                    members.push_back(known);
            }
        }
    }
    std::erase_if(
        whole, [](const auto& group) { return group.second.size() != group.first.members.size(); });
    return whole;
}

} // namespace ringmaster::diagnose
