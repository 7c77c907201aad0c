#include "engine/diagnose/FailedWaits.h"

#include "engine/diagnose/Codes.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

/// The rank's end of that wait, if that was an error and all that it called since has failed, too.
const Operation* failedEnd(const RankView& view, const Wait& wait)
{
    const auto failed = Operation::Outcome::Failed;
    const Operation* end = endOf(wait, view);
    if (end == nullptr || end->outcome != failed || view.track->lastEnded()->outcome != failed)
        return nullptr;
    const auto group = view.track->groups().find(wait.group);
    const bool hasGotOn =
        group != view.track->groups().end() &&
        std::ranges::any_of(group->second.remembered, [&](const auto& later) {
            return later.outcome == Operation::Outcome::Done && later.endedNs > end->endedNs;
        });
    return hasGotOn ? nullptr : end;
}

/// Whether somebody is still in it.
bool goesOn(const std::vector<RankView>& ranks, const Wait& wait)
{
    return std::ranges::any_of(wait.waiting, [&](int rank) {
        const RankView* view = viewOf(ranks, rank);
        return view != nullptr &&
               std::ranges::any_of(view->track->running(), [&](const auto& running) {
                   return isOf(wait, *view, running.second);
               });
    });
}

/// The first of those who waited; nothing: none failed, or all got on.
std::optional<std::int64_t> failedAt(const std::vector<RankView>& ranks, const Wait& wait)
{
    std::optional<std::int64_t> first;
    for (const int rank : wait.waiting) {
        const RankView* view = viewOf(ranks, rank);
        const Operation* end = view == nullptr ? nullptr : failedEnd(*view, wait);
        if (end != nullptr && (!first || view->here(end->endedNs) < *first))
            first = view->here(end->endedNs);
    }
    return first;
}

VerdictCandidate asFailed(VerdictCandidate known, std::int64_t atNs)
{
    Verdict& verdict = known.verdict;
    // Both statements name the ranks, the operation, and who was missing.
    if (verdict.statement.code == code::RanksWait ||
        verdict.statement.code == code::RanksWaitQuietly)
        verdict.statement.code = code::WaitFailed;
    if (verdict.statement.code == code::RanksWaitToMake ||
        verdict.statement.code == code::RanksWaitQuietlyToMake)
        verdict.statement.code = code::MakingFailed;
    verdict.waiting.clear();
    verdict.statement = frozenAt(std::move(verdict.statement), atNs);
    for (Message& message : verdict.evidence)
        message = frozenAt(std::move(message), atNs);
    return known;
}

} // namespace

std::vector<VerdictCandidate> FailedWaits::look(const std::vector<RankView>& ranks,
                                                const std::vector<VerdictCandidate>& found)
{
    std::vector<VerdictCandidate> failed;
    for (VerdictCandidate& known : m_known) {
        const bool goesOn =
            std::ranges::any_of(found, [&](const auto& now) { return now.key == known.key; });
        if (const auto atNs = failedAt(ranks, *known.wait); atNs && !goesOn)
            failed.push_back(asFailed(std::move(known), *atNs));
    }
    m_known = failed;
    std::ranges::copy_if(found, std::back_inserter(m_known),
                         [](const auto& now) { return now.wait.has_value(); });
    return failed;
}

std::vector<VerdictCandidate> FailedWaits::end(const std::vector<RankView>& ranks) const
{
    std::vector<VerdictCandidate> failed;
    for (const VerdictCandidate& known : m_known) {
        if (const auto atNs = failedAt(ranks, *known.wait); atNs && !goesOn(ranks, *known.wait))
            failed.push_back(asFailed(known, *atNs));
    }
    return failed;
}

} // namespace ringmaster::diagnose
