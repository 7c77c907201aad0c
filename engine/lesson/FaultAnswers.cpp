#include "engine/lesson/FaultAnswers.h"

#include <algorithm>

namespace ringmaster::lesson {

namespace {

using Notice = FaultReport::Notice;
using End = FaultReport::End;

/// The last step of so many.
size_t lastOf(size_t steps)
{
    return std::max<size_t>(steps, 1) - 1;
}

std::optional<FaultOutcome> outcomeOf(const FaultReport& report)
{
    const bool holdsUp =
        report.kind == InjectFault::Kind::Pause || report.kind == InjectFault::Kind::Delay;
    const bool isHang = std::ranges::any_of(
        report.notices, [](const Notice& notice) { return notice.by == Notice::By::Diagnosis; });
    switch (report.end) {
    case End::Open: break;
    case End::Recovered:
        return holdsUp && report.waitStep ? FaultOutcome::Waits : FaultOutcome::Completes;
    case End::Restarted: return FaultOutcome::Restarts;
    case End::Failed: return FaultOutcome::Fails;
    case End::Stopped:
        if (report.waitStep || isHang)
            return FaultOutcome::Waits;
        break;
    }
    return std::nullopt;
}

FaultWitness witnessOf(Notice::By by)
{
    switch (by) {
    case Notice::By::Rank: return FaultWitness::Exceptions;
    case Notice::By::Agent: return FaultWitness::Agent;
    case Notice::By::Diagnosis: return FaultWitness::Diagnosis;
    case Notice::By::Comparison: return FaultWitness::Comparison;
    }
    return FaultWitness::Nobody;
}

} // namespace

std::optional<FaultAnswers> answersOf(const FaultReport& report)
{
    const auto outcome = outcomeOf(report);
    if (!outcome)
        return std::nullopt;
    FaultAnswers answers{.outcome = *outcome,
                         .courseStep = lastOf(report.endStep),
                         .witnessStep = lastOf(report.endStep)};
    if (*outcome == FaultOutcome::Waits && report.waitStep)
        answers.courseStep = *report.waitStep;
    // Which of several exceptions comes first is chance; who names the rank isn't.
    const auto named = std::ranges::find(report.notices, true, &Notice::namesRank);
    if (named != report.notices.end()) {
        answers.witness = witnessOf(named->by);
        answers.witnessStep = lastOf(named->step);
    } else if (!report.notices.empty()) {
        answers.witness = FaultWitness::Exceptions;
        answers.witnessStep = lastOf(report.notices.front().step);
    }
    return answers;
}

} // namespace ringmaster::lesson
