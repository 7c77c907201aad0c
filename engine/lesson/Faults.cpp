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
        take(*exit, now, step);
    } else if (const auto* verdict = std::get_if<Verdict>(&event.body)) {
        take(*verdict, now, step);
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
        begin(step, index);
    lookWhoWaits(step, index, state);
    const bool isRaised = step.kind == LessonStep::Kind::Error ||
                          (step.kind == LessonStep::Kind::Return && !step.text.empty());
    for (FaultReport& report : m_reports) {
        if (isRaised && report.attempt == step.attempt)
            notice(report, step.atNs,
                   {.by = By::Rank, .rank = step.globalRank, .step = index + 1, .text = step.text});
    }
    compare(step, index, state);
    if (areAllFinished(state))
        end(End::Recovered, index + 1, step.atNs);
}

void FaultWatch::take(const WorkerExited& exit, std::int64_t atNs, size_t step)
{
    if (exit.endedByAgent || exit.status.succeeded())
        return;
    for (FaultReport& report : m_reports) {
        if (report.attempt == exit.attempt)
            notice(report, atNs,
                   {.by = By::Agent,
                    .rank = exit.globalRank,
                    .step = step,
                    .namesRank = exit.globalRank == report.rank,
                    .message = exit.explanation});
    }
}

void FaultWatch::take(const Verdict& verdict, std::int64_t atNs, size_t step)
{
    if (!verdict.isStanding)
        return;
    for (FaultReport& report : m_reports) {
        const bool isNamed = std::ranges::find(verdict.guilty, report.rank) != verdict.guilty.end();
        const bool isMismatch = verdict.kind == Verdict::Kind::Mismatch;
        // A rank that the learner holds at the gate is missed by the others, too.
        const bool isByFault = report.kind == Kind::Pause || report.kind == Kind::Delay
                                   ? report.isHeldUp
                                   : report.kind != Kind::CorruptData;
        if (report.attempt == verdict.attempt && (isMismatch || (isNamed && isByFault)))
            notice(report, atNs,
                   {.by = By::Diagnosis,
                    .step = step,
                    .namesRank = isNamed,
                    .message = verdict.statement});
    }
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
                         .chunk = step.chunk,
                         .isHeldUp = *kind == Kind::Pause || *kind == Kind::Delay});
}

/// A pause or a delay is over when the rank does something again. After any other fault whoever
/// waits for the rank may do so for ever.
void FaultWatch::lookWhoWaits(const LessonStep& step, size_t index, const State& state)
{
    const bool isGoingOn = step.kind == LessonStep::Kind::Line ||
                           (step.kind == LessonStep::Kind::Return && step.text.empty());
    std::optional<std::vector<Wait>> waits;
    for (FaultReport& report : m_reports) {
        if (report.end != End::Open || report.attempt != step.attempt || report.rank < 0 ||
            report.rank >= state.rankCount())
            continue;
        const bool holdsUp = report.kind == Kind::Pause || report.kind == Kind::Delay;
        if (report.kind == Kind::Pause)
            report.isHeldUp = state.rank(report.rank).isPaused;
        else if (report.kind == Kind::Delay && step.globalRank == report.rank &&
                 step.kind != LessonStep::Kind::Fault)
            report.isHeldUp = false;
        if (holdsUp && (report.waitStep || !report.isHeldUp))
            continue;
        if (!waits)
            waits = state.calls().waits();
        const bool isWaited = std::ranges::any_of(*waits, [&](const Wait& wait) {
            return wait.rank != report.rank &&
                   std::ranges::find(wait.on, report.rank) != wait.on.end();
        });
        if (isWaited && !report.waitStep)
            report.waitStep = index;
        else if (!isWaited && isGoingOn)
            report.waitStep.reset();
    }
}

/// What the calls say, put side by side: gloo itself would carry on.
void FaultWatch::compare(const LessonStep& step, size_t index, const State& state)
{
    const auto& found = state.calls().disagreements();
    for (; m_disagreements < found.size(); ++m_disagreements) {
        for (FaultReport& report : m_reports) {
            if (report.attempt == step.attempt)
                notice(report, step.atNs,
                       {.by = By::Comparison,
                        .step = index + 1,
                        .namesRank = true,
                        .text = found[m_disagreements].disagreement()});
        }
    }
}

void FaultWatch::notice(FaultReport& report, std::int64_t atNs, FaultReport::Notice notice)
{
    notice.afterNs = atNs - report.atNs;
    const bool isKnown = std::ranges::any_of(
        report.notices, [&](const FaultReport::Notice& known) { return isSame(known, notice); });
    if (report.end != End::Open || isKnown || notice.afterNs < 0)
        return;
    const auto place =
        std::ranges::upper_bound(report.notices, notice.afterNs, {}, &FaultReport::Notice::afterNs);
    report.notices.insert(place, notice);
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
