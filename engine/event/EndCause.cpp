#include "engine/event/EndCause.h"

#include "engine/base/Codes.h"
#include "engine/event/VerdictTraits.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// Of the evidence, where the first of the guilty stands, by its stack: the line that runs.
Message placeOf(const Verdict& verdict)
{
    if (verdict.guilty.empty())
        return {};
    const std::string rank = std::to_string(verdict.guilty.front());
    const Message* place = nullptr;
    for (const Message& message : verdict.evidence) {
        const auto whose = message.parameters.find("rank");
        if (whose != message.parameters.end() && whose->second == rank &&
            message.parameters.contains("line"))
            place = &message; // what it called last comes before where it stands
    }
    return place == nullptr ? Message{} : Message{place->code, place->parameters, {}};
}

bool mayBeCause(Verdict::Kind kind, bool isToldOtherwise)
{
    switch (traitsOf(kind).subject) {
    case VerdictTraits::Subject::Wait: return !isToldOtherwise;
    case VerdictTraits::Subject::Pace: return false;
    case VerdictTraits::Subject::Calls: return true;
    }
    return false;
}

} // namespace

const StandingVerdict* verdictOfEnd(const RunSnapshot& run, bool isToldOtherwise)
{
    const auto found = std::ranges::find_if(run.verdicts, [&](const StandingVerdict& standing) {
        return mayBeCause(standing.verdict.kind, isToldOtherwise);
    });
    return found == run.verdicts.end() ? nullptr : &*found;
}

std::optional<EndCause> endCauseOf(const RunSnapshot& run)
{
    if (!isFinal(run.state) || run.state == RunState::Succeeded)
        return std::nullopt;
    const bool isToldOtherwise = run.firstCause && run.firstCause->attempt == run.attempt &&
                                 run.firstCause->sure && run.state != RunState::Stopped;
    if (const StandingVerdict* found = verdictOfEnd(run, isToldOtherwise)) {
        const Verdict& verdict = found->verdict;
        return EndCause{.cause = atTime(verdict.statement, run.endedAt.monotonicNs),
                        .place = placeOf(verdict),
                        .remedy = verdict.remedy,
                        .isSure = verdict.isSure,
                        .verdict = found};
    }
    if (!run.firstCause || run.firstCause->attempt != run.attempt)
        return std::nullopt;
    return EndCause{.cause = run.firstCause->cause,
                    .remedy = run.firstCause->remedy,
                    .isSure = run.firstCause->sure};
}

const FirstCause* restartCauseOf(const RunSnapshot& run)
{
    return run.firstCause && run.firstCause->attempt < run.attempt ? &*run.firstCause : nullptr;
}

} // namespace ringmaster
