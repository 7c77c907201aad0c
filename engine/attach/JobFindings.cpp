#include "engine/attach/JobFindings.h"

#include "engine/attach/JobLook.h"
#include "engine/attach/SeenEvidence.h"
#include "engine/attach/StackComparison.h"

namespace ringmaster {

namespace {

FoundRank::State foundStateOf(const diagnose::ProcessView& process)
{
    switch (process.state) {
    case diagnose::ProcessView::State::Dead: return FoundRank::State::Ended;
    case diagnose::ProcessView::State::Stopped: return FoundRank::State::Stopped;
    case diagnose::ProcessView::State::Unknown:
    case diagnose::ProcessView::State::Alive: break;
    }
    return FoundRank::State::Running;
}

FoundRank foundRank(const SeenRank& seen)
{
    const diagnose::ProcessView& process = seen.view.process;
    return {.rank = seen.view.rank,
            .pid = process.pid,
            .state = foundStateOf(process),
            .cpuShare = process.cpuShare,
            .memoryBytes = seen.memoryBytes,
            .devices = seen.devices,
            .place = process.stack ? placeIn(*process.stack) : std::string()};
}

} // namespace

JobFindings findingsOf(const SeenJob& seen)
{
    JobFindings found{.source = seen.source(), .stacks = evidenceOf(seen)};
    if (!seen.verdicts.empty()) {
        const Verdict& gravest = seen.verdicts.front();
        found.statement = gravest.statement;
        found.evidence = gravest.evidence;
        found.isAnybodyNamed = true;
    } else {
        StackComparison comparison = compareStacks(seen);
        found.statement = std::move(comparison.statement);
        found.evidence = std::move(comparison.evidence);
        found.isAnybodyNamed = !comparison.odd.empty();
    }
    for (const SeenRank& rank : seen.ranks)
        found.ranks.push_back(foundRank(rank));
    return found;
}

} // namespace ringmaster
