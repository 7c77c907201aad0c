#include "engine/diagnose/Diagnosis.h"

#include "engine/diagnose/NcclWitness.h"
#include "engine/diagnose/UnansweredCalls.h"

#include <algorithm>
#include <iterator>

namespace ringmaster::diagnose {

namespace {

/// Calls that don't fit may be survived: who waits since then is what comes of them.
void addWhoWaits(std::vector<VerdictCandidate>& mismatches,
                 const std::vector<VerdictCandidate>& waits)
{
    std::vector<int> waiting;
    for (const VerdictCandidate& wait : waits) {
        if (wait.isSaidElsewhere)
            waiting.insert(waiting.end(), wait.verdict.waiting.begin(), wait.verdict.waiting.end());
    }
    std::ranges::sort(waiting);
    waiting.erase(std::unique(waiting.begin(), waiting.end()), waiting.end());
    for (VerdictCandidate& mismatch : mismatches)
        mismatch.verdict.waiting = waiting;
}

/// What NCCL itself says of them.
void addWitness(std::vector<VerdictCandidate>& waits, const std::vector<RankView>& ranks)
{
    for (VerdictCandidate& known : waits) {
        if (known.wait && !known.isSaidElsewhere)
            std::ranges::move(witnessOf(*known.wait, ranks),
                              std::back_inserter(known.verdict.evidence));
    }
}

} // namespace

void Diagnosis::begin(int attempt, int worldSize)
{
    m_mismatches = MismatchWatch(worldSize);
    m_stragglers = StragglerWatch();
    m_wires = LinkMonitor();
    m_failedWaits = {};
    m_remaining = {};
    m_found.clear();
    m_stacksWanted.clear();
    m_tracker.begin(attempt);
}

std::vector<Verdict> Diagnosis::look(const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    const std::vector<int> circle = circleOf(m_found);
    m_found = m_mismatches.look(ranks, nowNs);
    std::vector<VerdictCandidate> waits =
        judgeWaits(ranks, nowNs, m_mismatches.mismatched(), {}, circle);
    std::ranges::move(m_remaining.look(ranks, nowNs, waits), std::back_inserter(waits));
    wantStacks(ranks, waits, nowNs);
    addWitness(waits, ranks);
    addWhoWaits(m_found, waits);
    m_found.insert(m_found.end(), waits.begin(), waits.end());
    const std::vector<VerdictCandidate> failed = m_failedWaits.look(ranks, waits);
    m_found.insert(m_found.end(), failed.begin(), failed.end());
    const std::vector<VerdictCandidate> stragglers = m_stragglers.look(ranks);
    m_found.insert(m_found.end(), stragglers.begin(), stragglers.end());
    const std::vector<VerdictCandidate> wires = m_wires.look(ranks, m_promises);
    m_found.insert(m_found.end(), wires.begin(), wires.end());
    return m_tracker.update(m_found, nowNs);
}

std::vector<Verdict> Diagnosis::end(const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    std::erase_if(m_found, [&](const VerdictCandidate& known) {
        return known.wait && isOver(*known.wait, ranks);
    });
    // What else stood goes on standing: it was so when the attempt ended.
    replaceBy(m_failedWaits.end(ranks));
    replaceBy(m_mismatches.end(ranks, nowNs));
    replaceBy(findUnanswered(ranks, m_mismatches.mismatched(), m_found));
    return m_tracker.freeze(m_found, nowNs);
}

void Diagnosis::replaceBy(const std::vector<VerdictCandidate>& found)
{
    std::erase_if(m_found, [&](const VerdictCandidate& known) {
        return std::ranges::any_of(found, [&](const auto& now) { return now.key == known.key; });
    });
    m_found.insert(m_found.end(), found.begin(), found.end());
}

std::vector<Verdict> Diagnosis::stop(const std::vector<RankView>& ranks, std::int64_t nowNs)
{
    std::vector<VerdictCandidate> waits =
        judgeWaits(ranks, nowNs, m_mismatches.mismatched(), {}, circleOf(m_found));
    std::erase_if(waits, [&](const VerdictCandidate& wait) {
        const auto known = std::ranges::find(m_found, wait.key, &VerdictCandidate::key);
        const bool isProved = wait.verdict.kind == Verdict::Kind::Hang || wait.isSaidElsewhere;
        return known != m_found.end() && !isProved &&
               (known->verdict.kind == Verdict::Kind::Hang || known->isSaidElsewhere);
    });
    replaceBy(waits);
    return end(ranks, nowNs);
}

/// Of the absent, and of those who may wait in a circle.
void Diagnosis::wantStacks(const std::vector<RankView>& ranks,
                           const std::vector<VerdictCandidate>& found, std::int64_t nowNs)
{
    m_stacksWanted.clear();
    const auto want = [&](int rank) {
        if (std::ranges::count(m_stacksWanted, rank) == 0)
            m_stacksWanted.push_back(rank);
    };
    for (const VerdictCandidate& known : found) {
        if (known.verdict.kind == Verdict::Kind::Hang || !known.isSaidElsewhere)
            std::ranges::for_each(known.verdict.guilty, want);
    }
    for (const Wait& wait : findWaits(ranks, nowNs, WaitLimits().waiting))
        std::ranges::for_each(wait.waiting, want);
}

} // namespace ringmaster::diagnose
