#include "engine/diagnose/HangFinder.h"

#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/diagnose/ProcessEvidence.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

using State = ProcessView::State;

/// When one of its threads last called something, or had it over: that thread may use little time,
/// while its main thread waits for it.
std::int64_t lastActNs(const RankTrack& track)
{
    std::int64_t lastNs = track.lastEnded() ? track.lastEnded()->endedNs : 0;
    for (const auto& [id, operation] : track.running())
        lastNs = std::max(lastNs, operation.enqueuedNs);
    return lastNs;
}

bool isInDriver(const RankView* view)
{
    return view->process.state == State::Alive && view->process.wait &&
           view->process.wait->kind == ProcessWait::Kind::Device;
}

/// It stands in an operation: what it waits for there is another question.
bool isInside(const RankView& view)
{
    const auto& running = view.track->running();
    const bool waits = std::ranges::any_of(
        running, [](const auto& known) { return known.second.caller == ledger::Caller::Waits; });
    const Stack* stack = freshStackOf(view);
    return waits || (!running.empty() && (stack == nullptr || isInCall(*stack)));
}

} // namespace

bool HangFinder::Proof::isSure() const
{
    return std::ranges::none_of(views, isInDriver);
}

std::vector<int> HangFinder::Proof::ranks() const
{
    std::vector<int> ranks;
    for (const RankView* view : views)
        ranks.push_back(view->rank);
    return ranks;
}

std::vector<int> HangFinder::Proof::stopped() const
{
    std::vector<int> ranks;
    for (const RankView* view : views)
        if (view->process.state == State::Stopped)
            ranks.push_back(view->rank);
    return ranks;
}

Message HangFinder::Proof::remedy() const
{
    const RankView& view = *views.front();
    const Parameters process{{"rank", std::to_string(view.rank)},
                             {"pid", std::to_string(view.process.pid)}};
    if (view.process.state == State::Stopped)
        return {code::RemedyResume, process, {}};
    if (view.process.state == State::Dead)
        return {code::RemedyDead, process, {}};
    return stuckRemedy(view);
}

std::int64_t HangFinder::stuckNs(const RankView& view) const
{
    std::int64_t sameNs = view.process.frozenNs;
    if (const Stack* stack = freshStackOf(view))
        sameNs = std::max(sameNs, stack->takenNs - stack->sameSinceNs);
    return std::min({view.process.idleNs, sameNs, m_nowNs - view.here(lastActNs(*view.track))});
}

/// Who waits for it is about to hear of an end that was only seen just now.
HangFinder::Proof HangFinder::proofOf(const std::vector<int>& of, Code dead, Code stopped) const
{
    for (const auto& [state, code] :
         {std::pair(State::Dead, dead), std::pair(State::Stopped, stopped)}) {
        Proof proof{.code = code};
        bool isSettled = false;
        for (const int rank : of) {
            const RankView* view = viewOf(m_ranks, rank);
            if (view == nullptr || view->process.state != state)
                continue;
            proof.views.push_back(view);
            const std::int64_t least = m_limits.idle.count();
            isSettled |= view->process.deadNs.value_or(least) >= least;
        }
        if (isSettled)
            return proof;
    }
    return {};
}

HangFinder::Proof HangFinder::proofInside(const Wait& wait) const
{
    return proofOf(wait.waiting, code::HangDeadInside, code::HangStoppedInside);
}

HangFinder::Proof HangFinder::proofOfAbsence(const Wait& wait) const
{
    Proof proof = proofOf(wait.absent, code::HangDead, code::HangStopped);
    if (proof.isThere())
        return proof;
    proof.code = code::HangIdle;
    for (const int rank : wait.absent) {
        const RankView* view = viewOf(m_ranks, rank);
        if (view != nullptr && isIdle(*view, wait.group) && !mayGoOn(*view, wait.group))
            proof.views.push_back(view);
    }
    return proof;
}

/// It has done nothing at one place for longer than is usual.
bool HangFinder::isIdle(const RankView& view, const GroupKey& group) const
{
    const std::int64_t usual = view.track->usualPauseNs(group);
    return view.process.state == State::Alive && !m_graph.waitsItself(view.rank) &&
           !isInside(view) &&
           stuckNs(view) >=
               std::max<std::int64_t>(m_limits.stuck.count(), m_limits.timesUsual * usual);
}

/// It waits for a file's lock that another rank has, which works or waits for nobody as yet.
bool HangFinder::comesAfterAnother(const RankView& view, const GroupKey& group) const
{
    const auto& wait = view.process.wait;
    if (!wait || wait->kind != ProcessWait::Kind::FileLock || wait->holder == 0)
        return false;
    return std::ranges::any_of(m_ranks, [&](const RankView& other) {
        return other.process.pid == wait->holder && other.machine == view.machine &&
               other.process.state == State::Alive && !m_graph.waitsItself(other.rank) &&
               (!isIdle(other, group) || diagnose::mayGoOn(other.process));
    });
}

bool HangFinder::mayGoOn(const RankView& view, const GroupKey& group) const
{
    return diagnose::mayGoOn(view.process) || comesAfterAnother(view, group);
}

std::vector<int> HangFinder::guiltyOf(const Wait& wait, const Proof& proof) const
{
    std::vector<int> guilty = wait.absent;
    std::erase_if(guilty, [&](int rank) {
        const RankView* view = viewOf(m_ranks, rank);
        const bool isProved = std::ranges::count(proof.views, view) > 0;
        const bool mayCome = proof.isThere() && (proof.code != code::HangIdle || view == nullptr ||
                                                 view->process.idleNs < m_limits.idle.count() ||
                                                 mayGoOn(*view, wait.group));
        return !isProved && (m_graph.waitsItself(rank) || mayCome);
    });
    return guilty.empty() ? wait.absent : guilty; // who knows what they will do
}

bool HangFinder::areAllQuiet(const Wait& wait) const
{
    return std::ranges::all_of(wait.absent, [&](int rank) {
        const RankView* view = viewOf(m_ranks, rank);
        return view != nullptr && isIdle(*view, wait.group) &&
               (isQuietOrWakesUp(view->process) || comesAfterAnother(*view, wait.group));
    });
}

bool HangFinder::areAllStuck(const Wait& wait) const
{
    std::int64_t usual = 0;
    for (const int rank : wait.waiting) {
        const RankView* view = viewOf(m_ranks, rank);
        if (view->process.state != State::Alive || view->process.idleNs < m_limits.stuck.count())
            return false;
        usual = std::max(usual, view->track->usualDurationNs(wait.group, wait.operation));
    }
    // Without anything to compare it with, a long transfer is given a minute.
    if (usual == 0)
        usual = m_limits.stuck.count() * 6 / m_limits.timesUsual;
    return m_nowNs - wait.lastNs >=
           std::max<std::int64_t>(m_limits.stuck.count(), m_limits.timesUsual * usual);
}

} // namespace ringmaster::diagnose
