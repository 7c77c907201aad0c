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

NcclStanding standingOf(const Communicator& communicator, const std::vector<int>& absent)
{
    NcclStanding standing{.behind = communicator.behind()};
    if (standing.behind.empty())
        return standing;
    std::uint64_t least = communicator.most();
    for (const auto& [rank, member] : communicator.members) {
        if (std::ranges::count(standing.behind, rank) > 0)
            least = std::min(least, member->launched);
        else if (!member->isUnresponsive)
            standing.ahead.push_back(rank);
    }
    standing.said = {absent.empty()              ? code::RasBehind
                     : standing.behind == absent ? code::RasAgrees
                                                 : code::RasDiffers,
                     {{"ranks", rankList(standing.behind)},
                      {"others", rankList(standing.ahead)},
                      {"least", std::to_string(least)},
                      {"most", std::to_string(communicator.most())}},
                     {}};
    return standing;
}

} // namespace

std::vector<NcclStanding> ncclStandings(const std::vector<int>& group, std::vector<int> absent,
                                        const std::vector<RankView>& ranks)
{
    std::ranges::sort(absent);
    std::vector<NcclStanding> standings;
    for (const auto& [hash, communicator] : communicatorsOf(group, ranks))
        standings.push_back(standingOf(communicator, absent));
    return standings;
}

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
        if (NcclStanding standing = standingOf(communicator, absent); !standing.behind.empty())
            told.push_back(std::move(standing.said));
    }
    if (told.empty() && communicators.size() == 1 && !absent.empty())
        told.push_back({code::RasEven,
                        {{"ranks", rankList(wait.group.members)},
                         {"most", std::to_string(communicators.begin()->second.most())}},
                        {}});
    return told;
}

} // namespace ringmaster::diagnose
