#include "engine/lesson/Faults.h"

#include "engine/lesson/State.h"

#include <algorithm>
#include <array>

namespace ringmaster::lesson {

namespace {

using By = FaultReport::Notice::By;
using End = FaultReport::End;
using Kind = InjectFault::Kind;

constexpr size_t MostReports = 64;

struct NamedFault
{
    std::string_view name;
    Kind kind;
};

constexpr auto FaultNames = std::to_array<NamedFault>({{"kill", Kind::Kill},
                                                       {"pause", Kind::Pause},
                                                       {"resume", Kind::Resume},
                                                       {"delay", Kind::Delay},
                                                       {"shape", Kind::WrongShape},
                                                       {"type", Kind::WrongType},
                                                       {"data", Kind::CorruptData}});

bool areAllFinished(const State& state)
{
    for (int rank = 0; rank < state.rankCount(); ++rank)
        if (state.rank(rank).phase != RankState::Phase::Finished)
            return false;
    return state.rankCount() > 0;
}

/// Of a failure that one thing has noticed, more of the same says nothing new.
bool isSame(const FaultReport::Notice& one, const FaultReport::Notice& other)
{
    return one.by == other.by && one.rank == other.rank && one.message.code == other.message.code;
}

} // namespace

std::string_view nameOf(Kind kind)
{
    return std::ranges::find(FaultNames, kind, &NamedFault::kind)->name;
}

std::optional<Kind> faultNamed(std::string_view name)
{
    const auto found = std::ranges::find(FaultNames, name, &NamedFault::name);
    return found == FaultNames.end() ? std::nullopt : std::optional(found->kind);
}

void FaultWatch::add(const Event& event, size_t step, const State& state)
{
    const std::int64_t now = event.at.monotonicNs;
    if (const auto* taken = std::get_if<LessonStep>(&event.body)) {
        take(*taken, step, state);
    } else if (const auto* exit = std::get_if<WorkerExited>(&event.body)) {
        if (!exit->endedByAgent && !exit->status.succeeded())
            notice(exit->attempt, now,
                   {.by = By::Agent,
                    .rank = exit->globalRank,
                    .step = step,
                    .message = exit->explanation});
    } else if (const auto* verdict = std::get_if<Verdict>(&event.body)) {
        if (verdict->isStanding)
            notice(verdict->attempt, now,
                   {.by = By::Diagnosis, .step = step, .message = verdict->statement});
    } else if (std::holds_alternative<AttemptStarted>(event.body)) {
        m_disagreements = 0;
        end(End::Restarted, step, now);
    } else if (const auto* run = std::get_if<RunStateChanged>(&event.body)) {
        if (isFinal(run->state))
            end(run->state == RunState::Succeeded ? End::Recovered
                : run->state == RunState::Failed  ? End::Failed
                                                  : End::Stopped,
                step, now);
    }
}

void FaultWatch::take(const LessonStep& step, size_t index, const State& state)
{
    if (step.kind == LessonStep::Kind::Fault)
        return begin(step, index);
    const bool isRaised = step.kind == LessonStep::Kind::Error ||
                          (step.kind == LessonStep::Kind::Return && !step.text.empty());
    if (isRaised)
        notice(step.attempt, step.atNs,
               {.by = By::Rank, .rank = step.globalRank, .step = index + 1, .text = step.text});
    compare(step, index, state);
    if (areAllFinished(state))
        end(End::Recovered, index + 1, step.atNs);
}

void FaultWatch::begin(const LessonStep& step, size_t index)
{
    const auto kind = faultNamed(step.text);
    if (!kind || *kind == Kind::Resume || m_reports.size() >= MostReports)
        return;
    m_reports.push_back({.kind = *kind,
                         .rank = step.globalRank,
                         .attempt = step.attempt,
                         .step = index,
                         .atNs = step.atNs,
                         .chunk = step.chunk});
}

/// What the calls say, put side by side: gloo itself would carry on.
void FaultWatch::compare(const LessonStep& step, size_t index, const State& state)
{
    const auto& found = state.calls().disagreements();
    for (; m_disagreements < found.size(); ++m_disagreements)
        notice(step.attempt, step.atNs,
               {.by = By::Comparison,
                .step = index + 1,
                .text = found[m_disagreements].disagreement()});
}

void FaultWatch::notice(int attempt, std::int64_t atNs, FaultReport::Notice notice)
{
    for (FaultReport& report : m_reports) {
        notice.afterNs = atNs - report.atNs;
        const bool isItsOwn = report.attempt == attempt && report.end == End::Open;
        const bool isKnown =
            std::ranges::any_of(report.notices, [&](const FaultReport::Notice& known) {
                return isSame(known, notice);
            });
        if (!isItsOwn || isKnown || notice.afterNs < 0)
            continue;
        const auto place = std::ranges::upper_bound(report.notices, notice.afterNs, {},
                                                    &FaultReport::Notice::afterNs);
        report.notices.insert(place, notice);
    }
}

void FaultWatch::end(End end, size_t index, std::int64_t atNs)
{
    for (FaultReport& report : m_reports) {
        if (report.end != End::Open)
            continue;
        report.end = end;
        report.endStep = index;
        report.endAfterNs = std::max<std::int64_t>(0, atNs - report.atNs);
    }
}

} // namespace ringmaster::lesson
