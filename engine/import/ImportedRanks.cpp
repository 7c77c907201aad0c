#include "engine/import/ImportedRanks.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/Mismatch.h"
#include "engine/diagnose/VerdictTracker.h"
#include "engine/diagnose/WaitVerdicts.h"
#include "engine/import/Codes.h"

#include <algorithm>
#include <chrono>

namespace ringmaster {

using diagnose::VerdictCandidate;

namespace {

/// How long ago something ended isn't known of a file that doesn't say when it was written.
void withoutTime(Message& message)
{
    if (message.code == code::AbsentOutside)
        message.code = code::AbsentAfter;
    if (message.code == code::RanksWait)
        message.code = code::ImportedWait;
    message.parameters.erase("since");
    message.parameters.erase("seconds");
}

void withoutTime(Verdict& verdict)
{
    withoutTime(verdict.statement);
    verdict.sinceNs = 0;
}

bool knowsSince(const VerdictCandidate& candidate, const std::map<int, std::int64_t>& until)
{
    return std::ranges::all_of(candidate.verdict.guilty, [&](int rank) {
        const auto known = until.find(rank);
        return known == until.end() || known->second >= candidate.verdict.sinceNs;
    });
}

} // namespace

ImportedRanks::ImportedRanks(const std::vector<OperationBatch>& batches)
{
    m_tracks.resize(batches.size()); // the views point into it
    for (size_t i = 0; i < batches.size(); ++i) {
        diagnose::RankTrack& track = m_tracks[i];
        for (const LedgerGroup& group : batches[i].groups)
            track.described(group);
        for (const CallSite& site : batches[i].sites)
            track.described(site);
        for (const Operation& operation : batches[i].operations)
            track.seen(operation);
        m_views.push_back({.rank = batches[i].rank, .isRecorded = true, .track = &track});
    }
}

std::vector<Verdict> ImportedRanks::verdicts(int worldSize, std::int64_t nowNs,
                                             const std::map<int, std::int64_t>& until) const
{
    diagnose::MismatchWatch mismatches(worldSize);
    std::vector<VerdictCandidate> found = mismatches.end(m_views, nowNs);
    const diagnose::WaitLimits limits{.waiting = std::chrono::nanoseconds(0)};
    for (VerdictCandidate& wait :
         diagnose::judgeWaits(m_views, nowNs, mismatches.mismatched(), limits)) {
        if (wait.isSaidElsewhere || !knowsSince(wait, until))
            continue;
        if (wait.verdict.statement.code == code::RanksWait)
            withoutTime(wait.verdict);
        found.push_back(std::move(wait));
    }
    for (VerdictCandidate& known : found)
        std::ranges::for_each(known.verdict.evidence,
                              [](Message& message) { withoutTime(message); });
    diagnose::VerdictTracker tracker;
    tracker.begin(0);
    return tracker.freeze(found, nowNs);
}

Message ImportedRanks::placeOf(int rank, std::int64_t nowNs) const
{
    std::vector<Message> places = diagnose::evidenceOf({rank}, m_views, nowNs);
    if (places.empty())
        return {};
    withoutTime(places.back());
    return std::move(places.back());
}

void tellAttempt(ImportedRun& run, int worldSize, const std::map<int, std::string>& nodes)
{
    const auto nodeOf = [&](int rank) {
        const auto known = nodes.find(rank);
        return known == nodes.end() ? std::string() : known->second;
    };
    std::map<std::string, AttemptStarted> attempts;
    for (int rank = 0; rank < worldSize; ++rank) {
        AttemptStarted& attempt = attempts[nodeOf(rank)];
        attempt.worldSize = worldSize;
        attempt.workers.push_back(
            {.localRank = rank, .globalRank = rank, .roleRank = rank, .roleWorldSize = worldSize});
    }
    std::vector<ImportedRun::Fact> facts{{run.beganNs, RunStateChanged{RunState::Running}}};
    for (auto& [node, attempt] : attempts)
        facts.push_back({run.beganNs, std::move(attempt), node});
    for (const OperationBatch& batch : run.operations)
        facts.push_back({run.beganNs,
                         WorkerStateChanged{.globalRank = batch.rank,
                                            .localRank = batch.rank,
                                            .state = WorkerState::Healthy},
                         nodeOf(batch.rank)});
    run.facts.insert(run.facts.begin(), facts.begin(), facts.end());
}

void tellVerdicts(ImportedRun& run, int worldSize, const std::map<int, std::int64_t>& until)
{
    const ImportedRanks ranks(run.operations);
    for (Verdict& verdict : ranks.verdicts(worldSize, run.endedNs, until))
        run.tell(run.endedNs, std::move(verdict));
    for (const OperationBatch& batch : run.operations)
        run.tell(run.endedNs, LastOperation{.globalRank = batch.rank,
                                            .place = ranks.placeOf(batch.rank, run.endedNs)});
}

} // namespace ringmaster
