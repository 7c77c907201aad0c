#include "engine/event/EvidenceFolds.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace ringmaster {

namespace {

/// The same operation, whatever the time.
bool isSameOperation(Message one, Message other)
{
    one.parameters.erase("seconds");
    other.parameters.erase("seconds");
    return one == other;
}

/// A rank that sleeps and one that is just being woken stand in the same place.
bool isStopped(const RankEvidence& rank)
{
    return rank.process == RankEvidence::Process::Stopped;
}

bool isSame(const RankEvidence& one, const RankEvidence& other)
{
    const bool isSystemSame = !one.threads.empty() ||
                              (one.process == other.process && one.systemCall == other.systemCall &&
                               one.waitChannel == other.waitChannel);
    return one.threads == other.threads && one.source == other.source &&
           one.problem.code == other.problem.code && isStopped(one) == isStopped(other) &&
           isSystemSame && isSameOperation(one.operation, other.operation);
}

double secondsOf(const Message& message)
{
    const auto found = message.parameters.find("seconds");
    return found == message.parameters.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

void add(EvidenceFold& fold, const RankEvidence& rank)
{
    fold.ranks.push_back(rank.globalRank);
    fold.common.pid = 0;
    if (secondsOf(rank.operation) > secondsOf(fold.common.operation))
        fold.common.operation = rank.operation;
    if (fold.common.nativeThreads.empty())
        fold.common.nativeThreads = rank.nativeThreads;
}

/// Of several agents, as it comes together.
struct Gathering
{
    KeptEvidence kept{};
    std::set<int> ranks{};

    bool takes(const Event& event, const Evidence& evidence) const
    {
        constexpr std::int64_t Together = 5'000'000'000;
        return kept.evidence.attempt == evidence.attempt &&
               std::abs(event.at.wallNs - kept.at.wallNs) < Together &&
               std::ranges::none_of(evidence.ranks, [&](const RankEvidence& rank) {
                   return ranks.contains(rank.globalRank);
               });
    }

    void add(const Evidence& part)
    {
        Evidence& all = kept.evidence;
        all.isPart = all.isPart || part.isPart;
        all.tookNs = std::max(all.tookNs, part.tookNs);
        for (const RankEvidence& rank : part.ranks) {
            if (ranks.insert(rank.globalRank).second)
                all.ranks.push_back(rank);
        }
    }
};

} // namespace

std::vector<EvidenceFold> foldsOf(const Evidence& evidence)
{
    std::vector<const RankEvidence*> ranks;
    for (const RankEvidence& rank : evidence.ranks)
        ranks.push_back(&rank);
    std::ranges::sort(ranks, {}, &RankEvidence::globalRank);
    std::vector<EvidenceFold> folds;
    for (const RankEvidence* rank : ranks) {
        const auto known = std::ranges::find_if(
            folds, [&](const EvidenceFold& fold) { return isSame(fold.common, *rank); });
        if (known != folds.end())
            add(*known, *rank);
        else if (folds.size() < MostFolds)
            folds.push_back({{rank->globalRank}, *rank});
    }
    return folds;
}

std::vector<KeptEvidence> gatheredEvidence(const std::vector<Event>& events)
{
    std::vector<Gathering> gatherings;
    for (const Event& event : events) {
        const auto* evidence = std::get_if<Evidence>(&event.body);
        if (evidence == nullptr)
            continue;
        const auto known = std::ranges::find_if(gatherings, [&](const Gathering& gathering) {
            return gathering.takes(event, *evidence);
        });
        if (known != gatherings.end()) {
            known->add(*evidence);
            continue;
        }
        Gathering& added = gatherings.emplace_back();
        added.kept = {event.at, {.attempt = evidence->attempt, .reason = evidence->reason}};
        added.add(*evidence);
    }
    std::vector<KeptEvidence> all;
    for (Gathering& gathering : gatherings) {
        std::ranges::stable_sort(gathering.kept.evidence.ranks, {}, &RankEvidence::globalRank);
        all.push_back(std::move(gathering.kept));
    }
    return all;
}

Evidence onlyRanks(Evidence evidence, const std::vector<int>& ranks)
{
    if (!ranks.empty())
        std::erase_if(evidence.ranks, [&](const RankEvidence& rank) {
            return std::ranges::count(ranks, rank.globalRank) == 0;
        });
    return evidence;
}

} // namespace ringmaster
