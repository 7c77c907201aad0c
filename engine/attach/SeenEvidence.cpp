#include "engine/attach/SeenEvidence.h"

namespace ringmaster {

KeptEvidence evidenceOf(const SeenJob& seen)
{
    KeptEvidence kept{.at = seen.at, .evidence = {.tookNs = seen.spanNs}};
    for (const SeenRank& rank : seen.ranks) {
        const diagnose::ProcessView& process = rank.view.process;
        RankEvidence evidence{.globalRank = rank.view.rank,
                              .pid = process.pid,
                              .source = rank.threads.empty() ? RankEvidence::Source::System
                                                             : RankEvidence::Source::PySpy,
                              .problem = process.noStack,
                              .threads = rank.threads};
        if (process.state == diagnose::ProcessView::State::Dead)
            evidence.process = RankEvidence::Process::Ended;
        else if (process.state == diagnose::ProcessView::State::Stopped)
            evidence.process = RankEvidence::Process::Stopped;
        else if (process.wait && process.wait->state == "R")
            evidence.process = RankEvidence::Process::Running;
        else if (process.wait && process.wait->state == "D")
            evidence.process = RankEvidence::Process::WaitingForDisk;
        else if (process.wait)
            evidence.process = RankEvidence::Process::Waiting;
        if (process.wait) {
            evidence.systemCall = process.wait->systemCall;
            evidence.systemFile = process.wait->name;
            evidence.waitChannel = process.wait->channel;
        }
        kept.evidence.ranks.push_back(std::move(evidence));
    }
    limitEvidence(kept.evidence);
    return kept;
}

} // namespace ringmaster
