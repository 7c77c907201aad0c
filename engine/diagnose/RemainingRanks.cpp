#include "engine/diagnose/RemainingRanks.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/ProcessEvidence.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <iterator>

namespace ringmaster::diagnose {

namespace {

using State = ProcessView::State;
using Views = std::vector<const RankView*>;

std::vector<int> ranksOf(const Views& views)
{
    std::vector<int> ranks;
    for (const RankView* view : views)
        ranks.push_back(view->rank);
    return ranks;
}

bool isAtEnd(const RankView* view)
{
    return !view->process.threadsLeft.empty();
}

/// In no operation, and as good as without work for so long.
bool doesNothing(const RankView* view)
{
    const bool isIdle = view->process.state == State::Stopped ||
                        view->process.idleNs >= RemainingRanks::Patience.count();
    return isIdle && view->track->running().empty() && !isQuietOrWakesUp(view->process);
}

/// An operation that came back with an error to one of `remaining`, and that one of `ended` never
/// called: they left while the others went on.
struct LeftBefore
{
    const RankView* caller = nullptr;
    std::vector<int> ended{};
};

LeftBefore leftBefore(const Views& remaining, const Views& ended)
{
    for (const RankView* view : remaining) {
        const auto& last = view->track->lastEnded();
        if (!last || last->outcome != Operation::Outcome::Failed ||
            ledger::isPointToPoint(last->kind))
            continue;
        LeftBefore found{.caller = view};
        for (const RankView* other : ended) {
            const GroupKey group = view->track->keyOf(last->group);
            if (std::ranges::count(group.members, other->rank) > 0 && other->isRecorded &&
                other->track->entered(group) < last->number)
                found.ended.push_back(other->rank);
        }
        if (!found.ended.empty())
            return found;
    }
    return {};
}

Message statementOf(const Views& remaining, const Views& ended, const LeftBefore& left)
{
    Parameters parameters{{"ranks", rankList(ranksOf(remaining))},
                          {"ended", rankList(ranksOf(ended))}};
    if (std::ranges::all_of(remaining, isAtEnd))
        return {code::ProgramOverThreadsLeft, std::move(parameters), {}};
    if (left.caller != nullptr) {
        const Operation& failed = *left.caller->track->lastEnded();
        parameters.merge(namesOf(failed, left.caller->track->keyOf(failed.group)));
        parameters["ended"] = rankList(left.ended);
        return {code::RanksLeftEarly, std::move(parameters), {}};
    }
    const bool areStopped = std::ranges::all_of(
        remaining, [](const RankView* view) { return view->process.state == State::Stopped; });
    return {areStopped ? code::RanksRemainStopped : code::RanksRemain, std::move(parameters), {}};
}

std::vector<int> stoppedOf(Views views)
{
    std::erase_if(views,
                  [](const RankView* view) { return view->process.state != State::Stopped; });
    return ranksOf(views);
}

Message remedyOf(const RankView& view)
{
    const Parameters process{{"rank", std::to_string(view.rank)},
                             {"pid", std::to_string(view.process.pid)}};
    if (isAtEnd(&view))
        return {code::RemedyThreadsLeft, process, {}};
    if (view.process.state == State::Stopped)
        return {code::RemedyResume, process, {}};
    return stuckRemedy(view);
}

} // namespace

std::vector<VerdictCandidate> RemainingRanks::look(const std::vector<RankView>& ranks,
                                                   std::int64_t nowNs,
                                                   const std::vector<VerdictCandidate>& waits)
{
    Views remaining;
    Views ended;
    std::int64_t sinceNs = 0;
    for (const RankView& view : ranks) {
        if (view.process.state == State::Unknown)
            return {};
        const bool isEnded = view.process.state == State::Dead;
        (isEnded ? ended : remaining).push_back(&view);
        if (isEnded)
            sinceNs = std::max(sinceNs, m_endedNs.emplace(view.rank, nowNs).first->second);
        else if (view.process.state == State::Alive)
            sinceNs = std::max(sinceNs, nowNs - view.process.idleNs);
    }
    const bool isSomethingOver = !ended.empty() || std::ranges::any_of(remaining, isAtEnd);
    if (!isSomethingOver || remaining.empty() || !waits.empty() ||
        nowNs - sinceNs < Patience.count() || !std::ranges::all_of(remaining, doesNothing))
        return {};
    const LeftBefore left = leftBefore(remaining, ended);
    Verdict verdict{.kind = Verdict::Kind::Waiting,
                    .guilty = ranksOf(remaining),
                    .stopped = stoppedOf(remaining),
                    .sinceNs = sinceNs,
                    .statement = statementOf(remaining, ended, left),
                    .remedy = remedyOf(*remaining.front())};
    if (verdict.statement.code == code::RanksLeftEarly) {
        verdict.guilty = left.ended;
        verdict.stopped.clear();
        verdict.remedy = {code::RemedyLeftEarly, {{"ranks", rankList(left.ended)}}, {}};
    }
    verdict.statement.parameters.merge(since(sinceNs, nowNs));
    verdict.evidence = evidenceOf(verdict.guilty, ranks, nowNs);
    if (verdict.statement.code == code::RanksLeftEarly)
        std::ranges::move(evidenceOf(ranksOf(remaining), ranks, nowNs),
                          std::back_inserter(verdict.evidence));
    return {{.key = "remaining", .verdict = std::move(verdict)}};
}

} // namespace ringmaster::diagnose
