#include "engine/attach/JobFindings.h"

#include "engine/attach/JobLook.h"
#include "engine/attach/SeenEvidence.h"
#include "engine/attach/StackComparison.h"
#include "engine/attach/StackPlace.h"

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

std::vector<JobJudgement> judgementsOf(const SeenJob& seen)
{
    std::vector<JobJudgement> judgements;
    for (const Verdict& verdict : seen.verdicts)
        judgements.push_back({.statement = verdict.statement,
                              .evidence = verdict.evidence,
                              .remedy = verdict.remedy,
                              .isAnybodyNamed = true});
    if (judgements.empty()) {
        StackComparison comparison = compareStacks(seen);
        judgements.push_back({.statement = std::move(comparison.statement),
                              .evidence = std::move(comparison.evidence),
                              .isAnybodyNamed = !comparison.odd.empty()});
    }
    return judgements;
}

JobFindings findingsOf(const SeenJob& seen)
{
    const JobJudgement gravest = judgementsOf(seen).front();
    JobFindings found{.statement = gravest.statement,
                      .evidence = gravest.evidence,
                      .isAnybodyNamed = gravest.isAnybodyNamed,
                      .source = seen.source(),
                      .stacks = evidenceOf(seen)};
    for (const SeenRank& rank : seen.ranks)
        found.ranks.push_back(foundRank(rank));
    return found;
}

} // namespace ringmaster
