#include "engine/diagnose/UnansweredCalls.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ringmaster::diagnose {

namespace {

using State = ProcessView::State;

/// One operation, by who called it and who didn't.
struct Unanswered
{
    GroupKey group{};
    Operation operation{}; ///< Of the first that it failed for.
    std::vector<int> callers{};
    std::vector<int> failed{}; ///< Of the callers, those who have got the error already.
    std::vector<const RankView*> absent{}; ///< Those who have left, if any has.
};

bool hasLeft(const RankView* view)
{
    return view->process.state == State::Dead && !view->process.isEndUnknown;
}

/// Nothing: it isn't known of all of the group, or somebody has failed by itself.
std::optional<Unanswered> unansweredOf(const std::vector<RankView>& ranks, const GroupKey& group,
                                       const Operation& operation)
{
    Unanswered found{.group = group, .operation = operation};
    for (const int member : group.members) {
        const RankView* view = viewOf(ranks, member);
        if (view == nullptr || !view->isRecorded)
            return std::nullopt;
        const auto& last = view->track->lastEnded();
        if (view->track->entered(group) < operation.number)
            found.absent.push_back(view);
        else
            found.callers.push_back(member);
        if (last && last->outcome == Operation::Outcome::Failed &&
            last->number == operation.number && view->track->keyOf(last->group) == group)
            found.failed.push_back(member);
    }
    const bool hasCrashed = std::ranges::any_of(found.absent, [](const RankView* view) {
        return hasLeft(view) && !view->process.hasSucceeded;
    });
    if (found.absent.empty() || hasCrashed)
        return std::nullopt;
    // Whoever was only slow would have called it.
    if (std::ranges::any_of(found.absent, hasLeft))
        std::erase_if(found.absent, [](const RankView* view) { return !hasLeft(view); });
    return found;
}

/// Somebody is still missing in that wait: a call that comes after it, into a communicator that was
/// aborted, is what follows.
bool misses(const Wait& wait, const std::vector<RankView>& ranks)
{
    return !ledger::isPointToPoint(wait.operation.kind) &&
           std::ranges::any_of(wait.absent, [&](int rank) {
               const RankView* view = viewOf(ranks, rank);
               return view != nullptr && view->track->entered(wait.group) < wait.operation.number;
           });
}

/// An operation of one rank may fail at once, for what that rank gave to it. Where the rank's error
/// speaks of another one, that one may only be slower to end.
bool mayHaveFailedByItself(const std::vector<RankView>& ranks, const Unanswered& found)
{
    constexpr std::int64_t LongNs = 1'000'000'000;
    const bool hasLostPeer = std::ranges::any_of(
        found.failed, [&](int rank) { return viewOf(ranks, rank)->process.hasLostPeer; });
    return !hasLostPeer && found.failed.size() < 2 &&
           found.operation.endedNs - found.operation.enqueuedNs < LongNs;
}

Verdict verdictOf(const std::vector<RankView>& ranks, const Unanswered& found)
{
    Verdict verdict{.kind = Verdict::Kind::Waiting};
    for (const RankView* view : found.absent)
        verdict.guilty.push_back(view->rank);
    const bool haveLeft = std::ranges::all_of(found.absent, hasLeft);
    const RankView* caller = viewOf(ranks, found.failed.front());
    verdict.sinceNs = caller->here(found.operation.enqueuedNs);
    const std::int64_t endedNs = caller->here(found.operation.endedNs);
    Parameters parameters = namesOf(found.operation, found.group);
    parameters["ranks"] = rankList(found.callers);
    parameters["absent"] = rankList(verdict.guilty);
    parameters["what"] = dataText(found.operation);
    parameters["seconds"] = secondsPassed(endedNs - verdict.sinceNs);
    verdict.isSure = haveLeft;
    verdict.statement = {haveLeft ? code::RanksLeftBefore : code::WaitFailed, parameters, {}};
    verdict.remedy = {code::RemedyLeftEarly, {{"ranks", rankList(verdict.guilty)}}, {}};
    if (!haveLeft)
        verdict.remedy = {code::RemedyNeverCalled,
                          {{"ranks", rankList(verdict.guilty)},
                           {"operation", parameters["operation"]},
                           {"number", parameters["number"]}},
                          {}};
    verdict.evidence = evidenceOf(verdict.guilty, ranks, endedNs);
    for (Message& call : callsOf(found.callers, ranks, found.group, found.operation))
        verdict.evidence.push_back(std::move(call));
    return verdict;
}

} // namespace

std::vector<VerdictCandidate> findUnanswered(const std::vector<RankView>& ranks,
                                             const MismatchedCalls& mismatched,
                                             const std::vector<VerdictCandidate>& known)
{
    std::vector<VerdictCandidate> said;
    std::set<std::pair<GroupKey, std::uint64_t>> looked;
    for (const RankView& view : ranks) {
        const auto& last = view.track->lastEnded();
        if (!last || last->outcome != Operation::Outcome::Failed ||
            ledger::isPointToPoint(last->kind) || ledger::makesGroup(last->kind))
            continue;
        const GroupKey group = view.track->keyOf(last->group);
        const bool isKnown = std::ranges::any_of(known, [&](const VerdictCandidate& candidate) {
            return candidate.verdict.statement.code == code::RanksLeftEarly ||
                   (candidate.wait && candidate.wait->group == group &&
                    (candidate.wait->operation.number == last->number ||
                     misses(*candidate.wait, ranks)));
        });
        if (isKnown || mismatched.contains(group) || !looked.emplace(group, last->number).second)
            continue;
        const auto found = unansweredOf(ranks, group, *last);
        const bool haveLeft = found && std::ranges::all_of(found->absent, hasLeft);
        if (found && (haveLeft || !mayHaveFailedByItself(ranks, *found)))
            said.push_back({.key = "unanswered/" + group.name + "/" + rankList(group.members),
                            .verdict = verdictOf(ranks, *found)});
    }
    return said;
}

} // namespace ringmaster::diagnose
