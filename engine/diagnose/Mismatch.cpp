#include "engine/diagnose/Mismatch.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/PairVerdict.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ringmaster::diagnose {

namespace {

using ledger::OperationKind;

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

/// `isOfOneSize`: whose sizes differ don't fit, whatever the operation is.
std::vector<Camp> campsOf(const std::vector<RankView>& ranks, const GroupKey& group,
                          std::uint64_t number, bool isOfOneSize = false)
{
    std::vector<Camp> camps;
    for (const RankView& view : ranks) {
        const Operation* call = view.track->find(group, number);
        if (call == nullptr)
            continue;
        const auto camp = std::ranges::find_if(camps, [&](const Camp& known) {
            return fit(known.call, *call) && (!isOfOneSize || known.call.bytes == call->bytes);
        });
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
    std::vector<int> guilty;
    for (const Camp& camp : camps) {
        if (&camp != &most || !hasMajority)
            guilty.insert(guilty.end(), camp.ranks.begin(), camp.ranks.end());
    }
    std::ranges::sort(guilty);
    return {.kind = Verdict::Kind::Mismatch,
            .guilty = std::move(guilty),
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

bool mayDiffer(OperationKind kind)
{
    return kind == OperationKind::AllGather || kind == OperationKind::AllGatherCoalesced ||
           kind == OperationKind::ReduceScatter || kind == OperationKind::AllToAll ||
           kind == OperationKind::AllToAllSingle || kind == OperationKind::Other;
}

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
                ledger::makesGroup(group.remembered.front().kind) ||
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

void MismatchWatch::lookAtSizes(const std::vector<RankView>& ranks)
{
    for (const SizesOfPair& sizes : findOtherSizes(ranks)) {
        if (!m_sizesFound.insert({sizes.sender, sizes.receiver}).second)
            continue;
        const GroupKey group = viewOf(ranks, sizes.sender)->track->keyOf(sizes.send->group);
        Parameters parameters = namesOf(*sizes.send, group);
        parameters["rank"] = std::to_string(sizes.sender);
        parameters["other"] = std::to_string(sizes.receiver);
        parameters["tag"] = std::to_string(sizes.send->tag);
        parameters["sent"] = dataText(*sizes.send);
        parameters["received"] = dataText(*sizes.receive);
        Verdict verdict{.kind = Verdict::Kind::Mismatch,
                        .guilty = {std::min(sizes.sender, sizes.receiver),
                                   std::max(sizes.sender, sizes.receiver)},
                        .statement = {code::SizesDiffer, std::move(parameters), {}},
                        .remedy = {code::RemedySamePair, {}, {}}};
        for (const auto& [rank, call] :
             {std::pair(sizes.sender, sizes.send), std::pair(sizes.receiver, sizes.receive)}) {
            for (Message& place : callsOf({rank}, ranks, group, *call))
                verdict.evidence.push_back(std::move(place));
        }
        m_found.push_back(
            {"sizes/" + std::to_string(sizes.sender) + "/" + std::to_string(sizes.receiver),
             std::move(verdict)});
    }
}

void MismatchWatch::lookAtMaking(const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    // By its name a group is the program's second, third …: of two, the shorter name is the
    // earlier.
    const auto isEarlier = [](const std::string& one, const std::string& other) {
        return std::pair(one.size(), one) < std::pair(other.size(), other);
    };
    std::map<std::string, std::map<GroupKey, std::vector<int>>, decltype(isEarlier)> made(
        isEarlier);
    for (const RankView& view : ranks) {
        for (const auto& [key, group] : view.track->groups()) {
            if (!group.remembered.empty() &&
                group.remembered.front().kind == OperationKind::NewGroup)
                made[key.name][key].push_back(view.rank);
        }
    }
    bool isAfter = false;
    for (const auto& [name, camps] : made) {
        if (!isAfter && camps.size() > 1)
            tellMaking(ranks, camps, nowNs);
        // What is made after that doesn't fit either, and that is no news.
        isAfter |= camps.size() > 1;
        for (const auto& [group, callers] : camps) {
            if (isAfter)
                m_mismatched[group] = 1;
        }
    }
}

bool MismatchWatch::isDecided(const Callers& callers, std::int64_t foundNs,
                              std::int64_t nowNs) const
{
    constexpr std::int64_t PatienceNs = 5'000'000'000; // who is still on the way may decide it
    return m_isEnding || callers.all >= callers.members || callers.most * 2 > callers.members ||
           nowNs - foundNs >= PatienceNs;
}

void MismatchWatch::tellMaking(const std::vector<RankView>& ranks,
                               const std::map<GroupKey, std::vector<int>>& camps,
                               std::int64_t nowNs)
{
    if (m_isMakingTold)
        return;
    std::vector<std::pair<GroupKey, std::vector<int>>> sorted(camps.begin(), camps.end());
    std::ranges::stable_sort(sorted, std::greater(),
                             [](const auto& camp) { return camp.second.size(); });
    const auto& [group, most] = sorted[0];
    const auto& [otherGroup, odd] = sorted[1];
    size_t count = 0;
    for (const auto& camp : sorted)
        count += camp.second.size();
    if (!m_makingFoundNs)
        m_makingFoundNs = nowNs;
    if (!isDecided({.all = count, .most = most.size(), .members = ranks.size()}, *m_makingFoundNs,
                   nowNs))
        return;
    m_isMakingTold = true;
    Verdict verdict{.kind = Verdict::Kind::Mismatch,
                    .statement = {code::GroupsDiffer,
                                  {{"ranks", rankList(most)},
                                   {"one", rankList(group.members)},
                                   {"others", rankList(odd)},
                                   {"other", rankList(otherGroup.members)}},
                                  {}},
                    .remedy = {code::RemedySameGroups, {}, {}}};
    for (const auto& [called, callers] : sorted) {
        if (&callers != &most || most.size() == odd.size())
            verdict.guilty.insert(verdict.guilty.end(), callers.begin(), callers.end());
        const RankTrack& track = *viewOf(ranks, callers.front())->track;
        for (Message& call : callsOf(callers, ranks, called, *track.find(called, 1)))
            verdict.evidence.push_back(std::move(call));
    }
    std::ranges::sort(verdict.guilty);
    m_found.push_back({"making", std::move(verdict)});
}

const std::vector<VerdictCandidate>& MismatchWatch::look(const std::vector<RankView>& ranks,
                                                         std::int64_t nowNs)
{
    lookForOutsiders(ranks);
    lookAtMaking(ranks, nowNs);
    lookAtSizes(ranks);
    lookAtWorld(ranks, nowNs);
    lookFor(ranks, nowNs);
    return m_found;
}

const std::vector<VerdictCandidate>& MismatchWatch::end(const std::vector<RankView>& ranks,
                                                        std::int64_t nowNs)
{
    m_isEnding = true;
    lookAtFailed(ranks);
    return look(ranks, nowNs);
}

void MismatchWatch::put(VerdictCandidate found)
{
    const auto known = std::ranges::find(m_found, found.key, &VerdictCandidate::key);
    if (known == m_found.end())
        m_found.push_back(std::move(found));
    else
        *known = std::move(found);
}

void MismatchWatch::lookAtFailed(const std::vector<RankView>& ranks)
{
    const auto suspect = [this](const RankView& view, const Operation& operation) {
        const bool isGather = operation.kind == OperationKind::AllGather ||
                              operation.kind == OperationKind::AllGatherCoalesced;
        const bool wantsOneSize = operation.backend == ledger::Backend::Gloo ||
                                  operation.backend == ledger::Backend::Ring;
        Looked& looked = m_looked[view.track->keyOf(operation.group)];
        if (!isGather || !wantsOneSize || looked.found != 0)
            return;
        looked.found = operation.number;
        looked.isOfOneSize = true;
    };
    for (const RankView& view : ranks) {
        const auto& last = view.track->lastEnded();
        if (last && last->outcome == Operation::Outcome::Failed)
            suspect(view, *last);
        if (view.process.state != ProcessView::State::Dead)
            continue;
        for (const auto& [id, operation] : view.track->running())
            suspect(view, operation);
    }
}

void MismatchWatch::lookAtWorld(const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    constexpr std::int64_t PatienceNs = 10'000'000'000; // others may be started by other means
    std::vector<int> callers;
    const Operation* first = nullptr;
    std::int64_t sinceNs = nowNs;
    for (const RankView& view : ranks) {
        for (const auto& [id, operation] : view.track->running()) {
            const size_t wanted = view.track->keyOf(operation.group).members.size();
            if (operation.kind != OperationKind::InitProcessGroup || m_worldSize == 0 ||
                wanted <= static_cast<size_t>(m_worldSize))
                continue;
            callers.push_back(view.rank);
            if (first == nullptr || view.here(operation.enqueuedNs) < sinceNs) {
                first = &operation;
                sinceNs = view.here(operation.enqueuedNs);
            }
        }
    }
    if (first == nullptr || nowNs - sinceNs < PatienceNs)
        return;
    const GroupKey group = viewOf(ranks, callers.front())->track->keyOf(first->group);
    Verdict verdict{.kind = Verdict::Kind::Mismatch,
                    .guilty = callers,
                    .sinceNs = sinceNs,
                    .statement = {code::InitForMore,
                                  {{"ranks", rankList(callers)},
                                   {"count", std::to_string(group.members.size())},
                                   {"size", std::to_string(m_worldSize)}},
                                  {}},
                    .evidence = callsOf(callers, ranks, group, *first),
                    .remedy = {code::RemedyInitForMore, {}, {}}};
    verdict.statement.parameters.merge(since(sinceNs, nowNs));
    put({"world", std::move(verdict)});
}

void MismatchWatch::tellCalls(const std::vector<RankView>& ranks, const GroupKey& group,
                              Looked& looked, std::int64_t nowNs)
{
    const std::vector<Camp> camps = campsOf(ranks, group, looked.found, looked.isOfOneSize);
    size_t callers = 0;
    for (const Camp& camp : camps)
        callers += camp.ranks.size();
    if (camps.size() < 2 || callers <= looked.callers)
        return;
    m_mismatched[group] = looked.found;
    if (!isDecided({.all = callers, .most = camps[0].ranks.size(), .members = group.members.size()},
                   looked.foundNs, nowNs))
        return;
    looked.callers = callers;
    Verdict verdict = verdictOf(camps, group, looked.found);
    for (const Camp& camp : {camps[0], camps[1]}) {
        for (Message& call : callsOf(camp.ranks, ranks, group, camp.call))
            verdict.evidence.push_back(std::move(call));
    }
    for (Message& place : evidenceOf(someOf(camps), ranks, nowNs))
        verdict.evidence.push_back(std::move(place));
    put({"mismatch/" + group.name + "/" + rankList(group.members), std::move(verdict)});
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
             number <= reach.most && looked.found == 0; ++number) {
            if (campsOf(ranks, group, number).size() < 2)
                continue;
            looked.found = number;
            looked.foundNs = nowNs;
        }
        if (looked.found != 0)
            tellCalls(ranks, group, looked, nowNs);
        if (reach.members == group.members.size())
            looked.complete = std::max(looked.complete, reach.least);
    }
}

} // namespace ringmaster::diagnose
