#include "engine/diagnose/StragglerWatch.h"

#include "engine/diagnose/Codes.h"
#include "engine/ledger/Moments.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <utility>

namespace ringmaster::diagnose {

namespace {

/// Who never waits for what it has called would make one sync point for ever.
constexpr size_t LongestSyncPoint = 64;
constexpr size_t MostSyncPoints = 2048;
constexpr double WorthATelling = 0.05; ///< Share of the time without a processor.
constexpr double StillLate = 0.35;     ///< Share of the rounds under which a name is withdrawn.

std::int64_t medianOf(std::vector<std::int64_t> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string percent(double part, double whole = 1)
{
    return std::to_string(static_cast<int>(part * 100 / whole + 0.5));
}

std::string milliseconds(std::int64_t nanoseconds)
{
    const std::int64_t tenths = nanoseconds / 100'000;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

/// The members' calls of that number; empty where one is forgotten, or is still to end.
std::vector<const Operation*> callsOf(const std::vector<const RankView*>& members,
                                      const GroupKey& group, std::uint64_t number)
{
    std::vector<const Operation*> calls;
    for (const RankView* view : members) {
        const Operation* call = view->track->find(group, number);
        if (call == nullptr || call->enqueuedNs == 0)
            return {};
        calls.push_back(call);
    }
    return calls;
}

} // namespace

/// When a rank has left the sync point before; 0: there was none.
std::int64_t StragglerWatch::leftNs(const GroupHistory& history, const RankView& view)
{
    const auto known = history.endedNs.find(view.rank);
    return known == history.endedNs.end() || known->second == 0 ? 0 : view.here(known->second);
}

void StragglerWatch::add(GroupHistory& history, const std::vector<const RankView*>& members,
                         const std::vector<const Operation*>& calls)
{
    struct Arrival
    {
        const RankView* view = nullptr;
        std::int64_t ns = 0;
        std::int64_t endedNs = 0; ///< 0: unknown.
    };
    std::vector<Arrival> arrivals;
    const bool isNew =
        history.syncPoints.empty() || history.syncPoints.back().operations >= LongestSyncPoint;
    bool haveAllLeft = true;
    for (size_t i = 0; i < members.size(); ++i) {
        arrivals.push_back({members[i], members[i]->here(calls[i]->enqueuedNs),
                            calls[i]->endedNs != 0 ? members[i]->here(calls[i]->endedNs) : 0});
        haveAllLeft &= calls[i]->enqueuedNs >= history.endedNs[members[i]->rank];
    }
    std::ranges::sort(arrivals, {}, &Arrival::ns);
    const Arrival& last = arrivals.back();
    const Arrival& before = arrivals[arrivals.size() - 2];
    // Who was let go late, by a wire that is slow one way, can't come earlier.
    const std::int64_t lastLeftNs = leftNs(history, *last.view);
    const std::int64_t beforeLeftNs = leftNs(history, *before.view);
    const bool isKnown = haveAllLeft && lastLeftNs != 0 && beforeLeftNs != 0;
    const std::int64_t keptNs = isKnown ? lastLeftNs - beforeLeftNs : 0;
    const std::int64_t lateNs = last.ns - before.ns - std::max<std::int64_t>(keptNs, 0);
    if (isNew || haveAllLeft)
        history.syncPoints.push_back(
            {.first = calls.front()->number, .beganNs = arrivals.front().ns});
    SyncPoint& syncPoint = history.syncPoints.back();
    ++syncPoint.operations;
    for (size_t i = 0; i < members.size(); ++i) {
        std::int64_t& endedNs = history.endedNs[members[i]->rank];
        endedNs = std::max(isNew || haveAllLeft ? 0 : endedNs, calls[i]->endedNs);
    }
    const bool isSynchronising = ledger::isSynchronising(calls.front()->kind);
    std::int64_t error = 0;
    bool isCertain = true; // no other clock's error makes another rank the last
    bool hasWaiters = false;
    for (const Arrival& arrival : arrivals) {
        if (arrival.view == last.view)
            continue;
        const std::int64_t between = clockErrorNs(*last.view, *arrival.view);
        error = std::max(error, between);
        isCertain &= last.ns - arrival.ns > between;
        // Of some operations, a broadcast by its root, ranks may leave before all have come.
        hasWaiters |= arrival.endedNs == 0 || between > 0
                          ? isSynchronising || arrival.endedNs >= last.ns + between
                          : arrival.endedNs >= last.ns;
    }
    if (lateNs <= syncPoint.lateNs || !isCertain || !hasWaiters)
        return;
    syncPoint.last = last.view->rank;
    syncPoint.lateNs = lateNs;
    syncPoint.errorNs = error;
    syncPoint.spreadNs = before.ns - arrivals.front().ns;
}

void StragglerWatch::follow(GroupHistory& history, const GroupKey& group,
                            const std::vector<const RankView*>& members)
{
    std::uint64_t reached = UINT64_MAX;
    for (const RankView* view : members)
        reached = std::min(reached, view->track->entered(group));
    if (reached > RankTrack::Remembered)
        history.looked = std::max(history.looked, reached - RankTrack::Remembered);
    for (std::uint64_t number = history.looked + 1; number <= reached; ++number) {
        const std::vector<const Operation*> calls = callsOf(members, group, number);
        const auto runs = [](const Operation* call) {
            return call->outcome == Operation::Outcome::Running;
        };
        if (std::ranges::any_of(calls, runs))
            return; // its end says which round the next belongs to
        history.looked = number;
        if (calls.empty())
            continue;
        add(history, members, calls);
        history.steps.add(*calls.front());
        if (history.syncPoints.size() > MostSyncPoints)
            history.syncPoints.pop_front();
    }
}

/// The last steps, each with its worst sync point; without a rhythm each sync point is one. What
/// may still go on is left out.
std::vector<StragglerWatch::SyncPoint> StragglerWatch::roundsOf(const GroupHistory& history,
                                                                size_t most)
{
    const auto rate = history.steps.rate();
    const std::uint64_t length = rate ? rate->operations : 1;
    std::vector<SyncPoint> rounds;
    for (const SyncPoint& syncPoint : history.syncPoints) {
        if (rounds.empty() ||
            (rounds.back().first - 1) / length != (syncPoint.first - 1) / length) {
            rounds.push_back(syncPoint);
            continue;
        }
        SyncPoint& round = rounds.back();
        const bool isWorse = syncPoint.lateNs > round.lateNs;
        if (syncPoint.last != round.last)
            round.otherNs = std::max(round.otherNs, isWorse ? round.lateNs : syncPoint.lateNs);
        if (isWorse) {
            round.last = syncPoint.last;
            round.lateNs = syncPoint.lateNs;
            round.errorNs = syncPoint.errorNs;
            round.spreadNs = syncPoint.spreadNs;
        }
    }
    // One more, whose beginning is the end of the last that counts.
    if (rounds.size() > most + 1)
        rounds.erase(rounds.begin(), rounds.end() - static_cast<std::ptrdiff_t>(most + 1));
    return rounds;
}

/// By rank; whoever was never late isn't there.
std::map<int, StragglerWatch::Lateness>
StragglerWatch::latenessIn(const std::vector<SyncPoint>& rounds, std::int64_t lateEnough)
{
    std::map<int, Lateness> ranks;
    for (size_t i = 0; i + 1 < rounds.size(); ++i) {
        const SyncPoint& round = rounds[i];
        // Where two take turns, nobody is the one that the others wait for.
        if (round.last < 0 || round.lateNs < lateEnough || 2 * round.otherNs > round.lateNs)
            continue;
        Lateness& lateness = ranks[round.last];
        if (lateness.lateNs.empty())
            lateness.firstNs = round.beganNs;
        lateness.lateNs.push_back(round.lateNs);
        lateness.spreadNs.push_back(round.spreadNs);
        lateness.errorNs = std::max(lateness.errorNs, round.errorNs);
        lateness.lostNs = sumNs(lateness.lostNs, round.lateNs);
    }
    return ranks;
}

bool StragglerWatch::stands(const Lateness& lateness, const Span& span, bool isNamed) const
{
    const double share =
        static_cast<double>(lateness.lateNs.size()) / static_cast<double>(span.rounds);
    if (isNamed)
        return share >= StillLate;
    const double lost = span.lostBy(lateness);
    const auto spread = static_cast<double>(medianOf(lateness.spreadNs));
    // Of two, one is last by chance half of the time.
    return share >= 0.5 + 0.6 / static_cast<double>(span.members) && lost >= m_limits.lateShare &&
           static_cast<double>(medianOf(lateness.lateNs)) >= m_limits.timesSpread * spread;
}

void StragglerWatch::judge(GroupHistory& history, const GroupKey& group,
                           const std::vector<const RankView*>& members,
                           std::vector<VerdictCandidate>& found) const
{
    if (history.syncPoints.size() <= m_limits.rounds)
        return;
    // Most jobs have nobody who is late: then there is nothing to look for.
    std::int64_t lateNs = 0;
    for (const SyncPoint& syncPoint : history.syncPoints)
        lateNs = sumNs(lateNs, syncPoint.lateNs >= m_limits.late.count() ? syncPoint.lateNs : 0);
    const std::map<int, std::int64_t> lateSinceNs = std::exchange(history.lateSinceNs, {});
    if (lateNs == 0 && history.named < 0)
        return;
    const std::vector<SyncPoint> rounds = roundsOf(history, m_limits.window);
    if (rounds.size() <= m_limits.rounds)
        return;
    const Span span{.rounds = rounds.size() - 1,
                    .members = group.members.size(),
                    .wallNs = rounds.back().beganNs - rounds.front().beganNs};
    const double period = static_cast<double>(span.wallNs) / static_cast<double>(span.rounds);
    const std::int64_t lateEnough = std::max<std::int64_t>(
        m_limits.late.count(), static_cast<std::int64_t>(period * m_limits.lateShare));
    const int before = std::exchange(history.named, -1);
    for (const auto& [rank, lateness] : latenessIn(rounds, lateEnough)) {
        const auto known = lateSinceNs.find(rank);
        const bool wasLate = known != lateSinceNs.end();
        if (!stands(lateness, span, rank == before || wasLate))
            continue;
        const std::int64_t sinceNs = wasLate ? known->second : lateness.firstNs;
        history.lateSinceNs[rank] = sinceNs;
        const bool isNew = rounds.back().beganNs - sinceNs < m_limits.lasting.count() ||
                           !stands(lateness, span, false);
        if (rank != before && isNew)
            continue;
        history.named = rank;
        found.push_back(
            {"straggler/" + group.name + "/" + rankList(group.members) + "/" + std::to_string(rank),
             verdictOf(rank, lateness, span, group)});
        tellOfProcessors(found.back().verdict, rank, lateness, span, members);
    }
}

Verdict StragglerWatch::verdictOf(int rank, const Lateness& lateness, const Span& span,
                                  const GroupKey& group)
{
    const auto times = static_cast<double>(lateness.lateNs.size());
    const std::string name = std::to_string(rank);
    Verdict verdict{.kind = Verdict::Kind::Straggler,
                    .guilty = {rank},
                    .statement = {code::StragglerRank,
                                  {{"rank", name},
                                   {"percent", percent(times, static_cast<double>(span.rounds))},
                                   {"group", group.shown()},
                                   {"milliseconds", milliseconds(medianOf(lateness.lateNs))},
                                   {"share", percent(static_cast<double>(lateness.lostNs),
                                                     static_cast<double>(span.wallNs))}},
                                  {}},
                    .evidence = {{code::StragglerTimes,
                                  {{"rank", name},
                                   {"times", std::to_string(lateness.lateNs.size())},
                                   {"rounds", std::to_string(span.rounds)},
                                   {"most", milliseconds(std::ranges::max(lateness.lateNs))},
                                   {"spread", milliseconds(medianOf(lateness.spreadNs))}},
                                  {}}},
                    .remedy = {code::RemedyStraggler, {{"rank", name}}, {}}};
    if (lateness.errorNs > 0)
        verdict.evidence.push_back(
            {code::StragglerClocks, {{"milliseconds", milliseconds(lateness.errorNs)}}, {}});
    return verdict;
}

/// Where the machine has kept it waiting for half of what it was late by, that is the reason.
void StragglerWatch::tellOfProcessors(Verdict& verdict, int rank, const Lateness& lateness,
                                      const Span& span, const std::vector<const RankView*>& members)
{
    double own = 0;
    double others = 0;
    for (const RankView* view : members) {
        if (view->rank == rank)
            own = view->process.processorWait;
        else
            others += view->process.processorWait;
    }
    others /= static_cast<double>(std::max<size_t>(1, members.size() - 1));
    if (own < WorthATelling || own - others < span.lostBy(lateness) / 2)
        return;
    verdict.evidence.push_back(
        {code::StragglerWithoutProcessor,
         {{"rank", std::to_string(rank)}, {"percent", percent(own)}, {"others", percent(others)}},
         {}});
    verdict.remedy = {code::RemedyStragglerProcessor, {{"rank", std::to_string(rank)}}, {}};
}

std::vector<VerdictCandidate> StragglerWatch::look(const std::vector<RankView>& ranks)
{
    std::vector<VerdictCandidate> found;
    for (const auto& [group, members] : wholeGroups(ranks)) {
        GroupHistory& history = m_groups[group];
        follow(history, group, members);
        judge(history, group, members, found);
    }
    return found;
}

} // namespace ringmaster::diagnose
