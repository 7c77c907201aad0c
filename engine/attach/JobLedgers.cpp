#include "engine/attach/JobLedgers.h"

#include "engine/diagnose/Diagnosis.h"

#include <algorithm>
#include <set>

namespace ringmaster {

JobLedgers::JobLedgers(const ForeignJob& job) : m_worldSize(job.worldSize)
{
    for (const ForeignRank& rank : job.ranks)
        if (auto ledger = RankLedger::of(rank.process))
            m_ledgers.emplace(rank.rank, std::move(ledger));
}

void JobLedgers::read()
{
    for (const auto& [rank, ledger] : m_ledgers)
        ledger->read();
}

const RankLedger* JobLedgers::of(int rank) const
{
    const auto found = m_ledgers.find(rank);
    return found == m_ledgers.end() ? nullptr : found->second.get();
}

std::vector<Verdict> JobLedgers::judge(std::vector<diagnose::RankView> ranks,
                                       std::int64_t nowNs) const
{
    for (diagnose::RankView& view : ranks) {
        const RankLedger* ledger = of(view.rank);
        view.isRecorded = ledger != nullptr;
        view.track = ledger != nullptr ? &ledger->track() : &m_none;
    }
    diagnose::Diagnosis diagnosis;
    diagnosis.begin(0, m_worldSize);
    std::vector<Verdict> verdicts = diagnosis.look(ranks, nowNs);
    std::ranges::stable_sort(verdicts, std::ranges::greater{}, &Verdict::kind);
    return verdicts;
}

void numberByLedgers(ForeignJob& job)
{
    if (job.areRanksKnown)
        return;
    std::set<int> numbers;
    std::vector<int> inOrder;
    for (const ForeignRank& rank : job.ranks) {
        const auto ledger = RankLedger::of(rank.process);
        if (!ledger || ledger->rank() < 0 || !numbers.insert(ledger->rank()).second)
            return;
        inOrder.push_back(ledger->rank());
    }
    for (size_t i = 0; i < job.ranks.size(); ++i)
        job.ranks[i].rank = inOrder[i];
    std::ranges::sort(job.ranks, {}, &ForeignRank::rank);
    job.areRanksKnown = true;
}

} // namespace ringmaster
