#include "engine/event/Health.h"

#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/VerdictTraits.h"

#include <algorithm>
#include <array>

namespace ringmaster {

namespace {

using namespace std::string_view_literals;

constexpr auto Names =
    std::to_array({"starting"sv, "running"sv, "waiting"sv, "slow"sv, "hanging"sv, "stopped"sv,
                   "restarting"sv, "stopping"sv, "failed"sv, "finished"sv, "ended"sv,
                   "stopped by you"sv, "recorded"sv, "lost"sv});

bool isSurvived(const Verdict& verdict)
{
    return traitsOf(verdict.kind).subject == VerdictTraits::Subject::Calls &&
           verdict.waiting.empty();
}

bool isRecorded(const RunSnapshot& run)
{
    return run.state == RunState::Lost && run.reason.code == code::ImportedEndUnknown;
}

/// None of its ranks has come as far as the program's own lines.
bool isImporting(const RunSnapshot& run)
{
    const auto runs = [](const WorkerSnapshot& worker) {
        return worker.state == WorkerState::Healthy && !worker.isImporting;
    };
    return std::ranges::any_of(run.workers, &WorkerSnapshot::isImporting) &&
           std::ranges::none_of(run.workers, runs);
}

/// By the run's clock; a verdict of no moment holds since it was stated.
Moment sinceOf(const StandingVerdict& standing)
{
    if (standing.verdict.sinceNs == 0)
        return standing.at;
    const std::int64_t before = standing.at.monotonicNs - standing.verdict.sinceNs;
    return {standing.verdict.sinceNs, standing.at.wallNs - before};
}

} // namespace

std::string_view nameOf(Health health)
{
    return Names.at(static_cast<size_t>(health));
}

std::optional<Health> healthFromName(std::string_view name)
{
    const auto found = std::ranges::find(Names, name);
    if (found == Names.end())
        return std::nullopt;
    return static_cast<Health>(found - Names.begin());
}

bool isOver(Health health)
{
    switch (health) {
    case Health::Failed:
    case Health::Finished:
    case Health::Ended:
    case Health::StoppedByUser:
    case Health::Recorded:
    case Health::Lost: return true;
    case Health::Starting:
    case Health::Running:
    case Health::Waiting:
    case Health::Slow:
    case Health::Hanging:
    case Health::Stopped:
    case Health::Restarting:
    case Health::Stopping: return false;
    }
    return false;
}

Health healthOf(RunState state)
{
    switch (state) {
    case RunState::Starting: return Health::Starting;
    case RunState::Running: return Health::Running;
    case RunState::Restarting: return Health::Restarting;
    case RunState::Stopping: return Health::Stopping;
    case RunState::Succeeded: return Health::Finished;
    case RunState::Failed: return Health::Failed;
    case RunState::Stopped: return Health::StoppedByUser;
    case RunState::Lost: return Health::Lost;
    }
    return Health::Lost;
}

JobHealth healthOf(const RunSnapshot& run)
{
    if (isRecorded(run))
        return {Health::Recorded, run.stateSince, {}};
    if (run.state != RunState::Running)
        return {healthOf(run.state), run.stateSince, {}};
    // The weightiest is the first.
    const auto standing = std::ranges::find_if(
        run.verdicts, [](const StandingVerdict& known) { return !isSurvived(known.verdict); });
    if (standing != run.verdicts.end())
        return {traitsOf(standing->verdict.kind).job, sinceOf(*standing),
                standing->verdict.statement};
    return {isImporting(run) ? Health::Starting : Health::Running, run.stateSince, {}};
}

bool isReadFromFiles(const RunSnapshot& run)
{
    // What Ringmaster starts has a job.
    return isRecorded(run) || (run.state == RunState::Failed && run.started.jobFile.empty());
}

RankHealth::RankHealth(const RunSnapshot& run)
    : m_state(run.state), m_isRecorded(isReadFromFiles(run))
{
    for (const WorkerSnapshot& worker : run.workers) {
        if (worker.isImporting)
            m_said[worker.assignment.globalRank] = Health::Starting;
    }
    // Lighter ones first, so that the weightiest has the last word.
    for (auto standing = run.verdicts.rbegin(); standing != run.verdicts.rend(); ++standing) {
        const Verdict& verdict = standing->verdict;
        for (const int rank : verdict.waiting)
            m_said[rank] = Health::Waiting;
        const auto guilty = traitsOf(verdict.kind).guilty;
        if (isSurvived(verdict) || !guilty)
            continue;
        for (const int rank : verdict.guilty)
            m_said[rank] = *guilty;
    }
    // A stopped rank is one, whatever else is said of it.
    for (const StandingVerdict& standing : run.verdicts) {
        for (const int rank : standing.verdict.stopped)
            m_said[rank] = Health::Stopped;
    }
}

Health RankHealth::of(int globalRank, WorkerState state) const
{
    const auto said = m_said.find(globalRank);
    switch (state) {
    case WorkerState::Unknown:
        if (!m_isRecorded)
            return Health::Lost;
        return said == m_said.end() ? Health::Recorded : said->second;
    case WorkerState::Init:
        return m_state == RunState::Restarting ? Health::Restarting : Health::Starting;
    case WorkerState::Unhealthy:
    case WorkerState::Failed: return Health::Failed;
    case WorkerState::Stopped:
        return m_state == RunState::Stopped || m_state == RunState::Stopping ? Health::StoppedByUser
                                                                             : Health::Ended;
    case WorkerState::Succeeded: return Health::Finished;
    case WorkerState::Healthy: break;
    }
    return said == m_said.end() ? Health::Running : said->second;
}

} // namespace ringmaster
