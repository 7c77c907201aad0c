#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/import/ImportedRun.h"

#include <map>

namespace ringmaster {

/// The ranks of a job of which files have the operations, as the diagnosis looks at them. What
/// their processes do isn't known.
class ImportedRanks
{
public:
    explicit ImportedRanks(const std::vector<OperationBatch>& batches);

    /// The waits and the calls that don't fit, as they were at the end of what the files tell.
    /// `until`: up to when something is known of a rank; a rank that isn't in it, to the end.
    std::vector<Verdict> verdicts(int worldSize, std::int64_t nowNs,
                                  const std::map<int, std::int64_t>& until) const;
    /// Where a rank stood then.
    Message placeOf(int rank, std::int64_t nowNs) const;

private:
    std::vector<diagnose::RankTrack> m_tracks;
    std::vector<diagnose::RankView> m_views;
};

/// Its ranks, before what has been told so far: those of which there are operations have run.
/// `nodes`: where ranks ran, as far as it is known.
void tellAttempt(ImportedRun& run, int worldSize, const std::map<int, std::string>& nodes = {});

/// What is said of them, and where each stood at the end.
void tellVerdicts(ImportedRun& run, int worldSize, const std::map<int, std::int64_t>& until);

} // namespace ringmaster
