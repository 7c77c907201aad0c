#include "engine/diagnose/Mismatch.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <limits>

namespace ringmaster::diagnose {

namespace {

using ledger::OperationKind;

/// Where ranks may bring tensors of their own sizes.
bool mayDiffer(OperationKind kind)
{
    return kind == OperationKind::AllGather || kind == OperationKind::AllGatherCoalesced ||
           kind == OperationKind::ReduceScatter || kind == OperationKind::AllToAll ||
           kind == OperationKind::AllToAllSingle || kind == OperationKind::Other;
}

std::string callText(const Operation& operation)
{
    std::string text = nameOf(operation) + " (" + dataText(operation);
    if (operation.reduction != ledger::Reduction::None)
        text += ", " + std::string(ledger::nameOf(operation.reduction));
    if (ledger::hasRoot(operation.kind))
        text += ", root " + std::to_string(operation.peer);
    return text + ")";
}

/// Ranks whose calls fit each other.
struct Camp
{
    Operation call{};
    std::vector<int> ranks{};
};

std::vector<Camp> campsOf(const std::vector<RankView>& ranks, const GroupKey& group,
                          std::uint64_t number)
{
    std::vector<Camp> camps;
    for (const RankView& view : ranks) {
        const Operation* call = view.track->find(group, number);
        if (call == nullptr)
            continue;
        const auto camp =
            std::ranges::find_if(camps, [&](const Camp& known) { return fit(known.call, *call); });
        if (camp != camps.end())
            camp->ranks.push_back(view.rank);
        else
            camps.push_back({*call, {view.rank}});
    }
    std::ranges::stable_sort(camps, std::greater(),
                             [](const Camp& camp) { return camp.ranks.size(); });
    return camps;
}

Verdict verdictOf(const std::vector<Camp>& camps, const GroupKey& group, std::uint64_t number)
{
    const Camp& most = camps[0];
    const Camp& odd = camps[1];
    const bool hasMajority = most.ranks.size() > odd.ranks.size();
    return {.kind = Verdict::Kind::Mismatch,
            .isSure = hasMajority,
            .guilty = hasMajority ? odd.ranks : std::vector<int>(),
            .statement = {code::MismatchRanks,
                          {{"group", group.shown()},
                           {"number", std::to_string(number)},
                           {"ranks", rankList(most.ranks)},
                           {"one", callText(most.call)},
                           {"others", rankList(odd.ranks)},
                           {"other", callText(odd.call)}},
                          {}},
            .remedy = {code::RemedySameCall, {{"ranks", rankList(odd.ranks)}}, {}}};
}

/// A few of both sides.
std::vector<int> someOf(const std::vector<Camp>& camps)
{
    std::vector<int> some;
    for (const Camp& camp : camps) {
        const size_t count = std::min<size_t>(camp.ranks.size(), 2);
        some.insert(some.end(), camp.ranks.begin(),
                    camp.ranks.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return some;
}

} // namespace

bool fit(const Operation& one, const Operation& other)
{
    return one.kind == other.kind && one.name == other.name && one.type == other.type &&
           one.reduction == other.reduction &&
           (!ledger::hasRoot(one.kind) || one.peer == other.peer) &&
           (mayDiffer(one.kind) || one.bytes == other.bytes);
}

void MismatchWatch::lookForOutsiders(const std::vector<RankView>& ranks)
{
    for (const RankView& view : ranks) {
        for (const auto& [key, group] : view.track->groups()) {
            if (key.members.empty() || group.remembered.empty() ||
                std::ranges::find(key.members, view.rank) != key.members.end() ||
                !m_looked[key].outsiders.insert(view.rank).second)
                continue;
            const Operation& call = group.remembered.front();
            Parameters parameters = namesOf(call, key);
            parameters["rank"] = std::to_string(view.rank);
            parameters["ranks"] = rankList(key.members);
            m_found.push_back(
                {"outsider/" + key.name + "/" + std::to_string(view.rank),
                 {.kind = Verdict::Kind::Mismatch,
                  .guilty = {view.rank},
                  .statement = {code::OutsiderCalls, std::move(parameters), {}},
                  .remedy = {code::RemedyOutsider, {{"rank", std::to_string(view.rank)}}, {}}}});
        }
    }
}

const std::vector<VerdictCandidate>& MismatchWatch::look(const std::vector<RankView>& ranks,
                                                         std::int64_t nowNs)
{
    lookForOutsiders(ranks);
    lookFor(ranks, nowNs);
    return m_found;
}

void MismatchWatch::lookFor(const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    struct Reach
    {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t most = 0;
        size_t members = 0;
    };
    std::map<GroupKey, Reach> reached;
    for (const RankView& view : ranks) {
        for (const auto& [key, group] : view.track->groups()) {
            const std::deque<Operation>& remembered = group.remembered;
            if (remembered.empty())
                continue;
            Reach& reach = reached[key];
            reach.least = std::min(reach.least, remembered.back().number);
            reach.most = std::max(reach.most, remembered.back().number);
            ++reach.members;
        }
    }
    for (const auto& [group, reach] : reached) {
        Looked& looked = m_looked[group];
        const std::uint64_t oldest =
            reach.most > RankTrack::Remembered ? reach.most - RankTrack::Remembered : 0;
        for (std::uint64_t number = std::max(looked.complete, oldest) + 1;
             number <= reach.most && !looked.isFound; ++number) {
            const std::vector<Camp> camps = campsOf(ranks, group, number);
            if (camps.size() < 2)
                continue;
            looked.isFound = true;
            Verdict verdict = verdictOf(camps, group, number);
            for (const Camp& camp : {camps[0], camps[1]}) {
                for (Message& call : callsOf(camp.ranks, ranks, group, camp.call))
                    verdict.evidence.push_back(std::move(call));
            }
            for (Message& place : evidenceOf(someOf(camps), ranks, nowNs))
                verdict.evidence.push_back(std::move(place));
            m_found.push_back(
                {"mismatch/" + group.name + "/" + rankList(group.members), std::move(verdict)});
        }
        if (reach.members == group.members.size())
            looked.complete = std::max(looked.complete, reach.least);
    }
}

} // namespace ringmaster::diagnose
