#include "engine/lesson/StepGate.h"

#include <algorithm>

namespace ringmaster::lesson {

using Clock = std::chrono::steady_clock;
using Move = MoveLesson::Move;

namespace {

constexpr double SlowestPlay = 0.1;
constexpr double FastestPlay = 1000;

} // namespace

void StepGate::attemptStarted(int ranks)
{
    m_calls = Calls(ranks);
    m_ranks.clear();
    m_lines.clear();
    m_blockedSince.clear();
    for (int rank = 0; rank < ranks; ++rank)
        m_ranks[rank] = Standing::Absent;
}

void StepGate::came(int rank)
{
    m_ranks[rank] = Standing::Running;
    m_host.setFree(rank, isFree());
}

void StepGate::held(int rank)
{
    if (m_ranks[rank] == Standing::Gone)
        return;
    // One that is let go for good may have stopped before it heard so.
    m_ranks[rank] = isFree() ? Standing::Running : Standing::Held;
    next();
}

void StepGate::took(const LessonStep& step, size_t index)
{
    m_calls.apply(step, index);
    Standing& standing = m_ranks[step.globalRank];
    if (step.kind == LessonStep::Kind::Line) {
        m_lines[step.globalRank] = step.line;
        if (standing == Standing::Running && !isFree())
            standing = Standing::Arriving;
    } else if (step.kind == LessonStep::Kind::Call && standing == Standing::Arriving) {
        standing = Standing::Running; // It had been let go, and didn't know better yet.
    } else if (step.kind == LessonStep::Kind::Finish || step.kind == LessonStep::Kind::Error) {
        standing = Standing::Gone;
    }
    // Somebody's call may let somebody else's come back.
    std::erase_if(m_blockedSince,
                  [this](const auto& since) { return !m_calls.isBlocked(since.first); });
    next();
}

void StepGate::gone(int rank)
{
    m_ranks[rank] = Standing::Gone;
    m_calls.ended(rank);
    next();
}

void StepGate::move(const MoveLesson& move)
{
    const bool wasFree = isFree();
    m_move = move;
    m_order.assign(move.ranks.begin(), move.ranks.end());
    m_isOneRank = m_order.size() == 1;
    m_blockedBefore = blocked();
    m_roundAt = {};
    m_isMoving = move.move != Move::Hold;
    if (isFree() != wasFree)
        for (auto& [rank, standing] : m_ranks)
            if (standing != Standing::Absent && standing != Standing::Gone) {
                m_host.setFree(rank, isFree());
                standing = Standing::Running;
            }
    next();
}

/// Lets go whoever may, now that something has happened.
void StepGate::next()
{
    // A move that comes before the ranks waits for them.
    if (!m_isMoving || isFree() || m_ranks.empty())
        return;
    if (!m_order.empty())
        nextOfOrder();
    else if (isOneStep() ? allCame() : allSettled())
        nextRound();
}

void StepGate::nextOfOrder()
{
    // One rank alone doesn't wait for another's long line.
    while (!m_order.empty() && (m_isOneRank ? isSettled(m_order.front()) : allSettled())) {
        const int rank = m_order.front();
        m_order.pop_front();
        if (mayGo(rank))
            release(rank);
    }
    if (m_order.empty() && m_move.move == Move::Step)
        stop();
}

void StepGate::nextRound()
{
    const auto now = Clock::now();
    if (m_move.move == Move::Play && m_roundAt != Clock::time_point{}) {
        const double speed = std::clamp(m_move.stepsASecond, SlowestPlay, FastestPlay);
        const auto due = m_roundAt + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(1 / speed));
        if (now < due)
            return wakeAfter(due - now);
    }
    const std::set<int> stuck = blocked();
    const bool isNew = !std::ranges::includes(m_blockedBefore, stuck);
    std::vector<int> ready;
    for (const auto& [rank, standing] : m_ranks)
        if (mayGo(rank))
            ready.push_back(rank);
    if (ready.empty() || (m_move.move == Move::ToBlocked && isNew))
        return stop();
    m_blockedBefore = stuck;
    m_roundAt = now;
    if (isOneStep())
        stop();
    for (const int rank : ready)
        release(rank);
}

void StepGate::release(int rank)
{
    m_ranks[rank] = Standing::Running;
    m_host.go(rank);
}

void StepGate::stop()
{
    m_isMoving = false;
    m_timer.cancel();
}

bool StepGate::mayGo(int rank) const
{
    const auto found = m_ranks.find(rank);
    if (found == m_ranks.end() || found->second != Standing::Held)
        return false;
    const auto line = m_lines.find(rank);
    return m_move.move != Move::ToLine || line == m_lines.end() || line->second != m_move.line;
}

bool StepGate::isOneStep() const
{
    return m_move.move == Move::Step;
}

bool StepGate::allCame() const
{
    return std::ranges::none_of(m_ranks, [](const auto& rank) {
        return rank.second == Standing::Absent || rank.second == Standing::Arriving;
    });
}

bool StepGate::allSettled()
{
    // All are asked: each may want to be waited for.
    bool isSettledAll = true;
    for (const auto& [rank, standing] : m_ranks)
        isSettledAll &= isSettled(rank);
    return isSettledAll;
}

bool StepGate::isSettled(int rank)
{
    const Standing standing = m_ranks[rank];
    if (standing == Standing::Held || standing == Standing::Gone)
        return true;
    if (standing == Standing::Absent || !m_calls.isBlocked(rank))
        return false;
    const auto now = Clock::now();
    const auto since = m_blockedSince.try_emplace(rank, now).first->second;
    if (now - since >= Patience)
        return true;
    wakeAfter(Patience - (now - since));
    return false;
}

std::set<int> StepGate::blocked() const
{
    std::set<int> ranks;
    for (const auto& [rank, standing] : m_ranks)
        if (standing == Standing::Running && m_calls.isBlocked(rank))
            ranks.insert(rank);
    return ranks;
}

void StepGate::wakeAfter(std::chrono::nanoseconds delay)
{
    m_timer = m_host.callAfter(delay, [this] { next(); });
}

} // namespace ringmaster::lesson
