#include "engine/diagnose/NcclWitness.h"

#include "engine/diagnose/Codes.h"
#include "engine/text/RankList.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

/// One communicator that has a group's members and no others.
struct Communicator
{
    std::map<int, const NcclMember*> members{}; ///< By global rank.

    bool isStill() const
    {
        return std::ranges::all_of(members, [](const auto& known) {
            return known.second->isStill || known.second->isUnresponsive;
        });
    }

    std::vector<int> silent() const
    {
        std::vector<int> ranks;
        for (const auto& [rank, member] : members) {
            if (member->isUnresponsive)
                ranks.push_back(rank);
        }
        return ranks;
    }

    std::uint64_t most() const
    {
        std::uint64_t most = 0;
        for (const auto& [rank, member] : members)
            most = std::max(most, member->launched);
        return most;
    }

    std::vector<int> behind() const
    {
        std::vector<int> ranks;
        for (const auto& [rank, member] : members) {
            if (!member->isUnresponsive && member->launched < most())
                ranks.push_back(rank);
        }
        return ranks;
    }
};

/// Several groups may have the same members, and a communicator each.
std::map<std::string, Communicator> communicatorsOf(const std::vector<int>& group,
                                                    const std::vector<RankView>& ranks)
{
    std::map<std::string, Communicator> found;
    for (const int rank : group) {
        const RankView* view = viewOf(ranks, rank);
        if (view == nullptr)
            return {};
        for (const NcclMember& member : view->process.nccl) {
            if (member.size == static_cast<int>(group.size()))
                found[member.communicator].members[rank] = &member;
        }
    }
    std::erase_if(found, [&](const auto& known) {
        return known.second.members.size() != group.size() || !known.second.isStill();
    });
    return found;
}

Message behindMessage(Code code, const Communicator& communicator, const std::vector<int>& behind)
{
    std::uint64_t least = communicator.most();
    std::vector<int> others;
    for (const auto& [rank, member] : communicator.members) {
        if (std::ranges::count(behind, rank) > 0)
            least = std::min(least, member->launched);
        else if (!member->isUnresponsive)
            others.push_back(rank);
    }
    return {code,
            {{"ranks", rankList(behind)},
             {"others", rankList(others)},
             {"least", std::to_string(least)},
             {"most", std::to_string(communicator.most())}},
            {}};
}

} // namespace

std::vector<Message> witnessOf(const Wait& wait, const std::vector<RankView>& ranks)
{
    if (wait.operation.backend != ledger::Backend::Nccl)
        return {};
    const auto communicators = communicatorsOf(wait.group.members, ranks);
    std::vector<int> absent = wait.absent;
    std::ranges::sort(absent);
    std::vector<Message> told;
    for (const auto& [hash, communicator] : communicators) {
        if (const std::vector<int> silent = communicator.silent(); !silent.empty())
            told.push_back({code::RasUnanswered, {{"ranks", rankList(silent)}}, {}});
        const std::vector<int> behind = communicator.behind();
        if (behind.empty())
            continue;
        const Code code = absent.empty()     ? code::RasBehind
                          : behind == absent ? code::RasAgrees
                                             : code::RasDiffers;
        told.push_back(behindMessage(code, communicator, behind));
    }
    if (told.empty() && communicators.size() == 1 && !absent.empty())
        told.push_back({code::RasEven,
                        {{"ranks", rankList(wait.group.members)},
                         {"most", std::to_string(communicators.begin()->second.most())}},
                        {}});
    return told;
}

} // namespace ringmaster::diagnose
