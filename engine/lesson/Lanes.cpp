#include "engine/lesson/Lanes.h"

#include <algorithm>

namespace ringmaster::lesson {

namespace {

using SpanKind = Lanes::Span::Kind;
using Phase = RankState::Phase;

/// Longer than a line of Python takes, shorter than a reader.
constexpr std::int64_t LongestHeldNs = 20'000'000;

bool isAlive(const RankState& rank)
{
    return rank.phase == Phase::AtLine || rank.phase == Phase::InCall;
}

} // namespace

void Lanes::add(const LessonStep& step, const State& state)
{
    if (state.attempt() != m_attempt) {
        m_attempt = state.attempt();
        m_lanes.assign(static_cast<size_t>(state.rankCount()), {});
        m_last = 0;
    }
    const bool isOfTracer = step.kind != LessonStep::Kind::Chunk &&
                            step.kind != LessonStep::Kind::Fault &&
                            step.kind != LessonStep::Kind::Limit && step.attempt == m_attempt;
    if (isOfTracer)
        advance(step);
    m_times.push_back(m_now);
    if (!isOfTracer)
        return;
    // What one rank does lets others go on, or keeps them.
    for (int rank = 0; rank < state.rankCount(); ++rank)
        take(rank, state);
}

/// Ranks are told in an order of causes; where their clocks differ from it, time stands still.
void Lanes::advance(const LessonStep& step)
{
    if (m_last == 0)
        m_last = step.atNs;
    std::int64_t passed = std::max<std::int64_t>(0, step.atNs - m_last);
    const bool isAnyInCall = std::ranges::any_of(m_lanes, [](const std::vector<Span>& lane) {
        return !lane.empty() && lane.back().toNs < 0 && lane.back().kind != SpanKind::Computing;
    });
    // The first one that is free was held before it.
    const bool isFree = step.isFree && m_wasFree;
    m_wasFree = step.isFree;
    if (!isFree && !isAnyInCall)
        passed = std::min(passed, LongestHeldNs);
    m_now += passed;
    m_last = std::max(m_last, step.atNs);
}

void Lanes::take(int rank, const State& state)
{
    const RankState& known = state.rank(rank);
    std::vector<Span>& lane = m_lanes[static_cast<size_t>(rank)];
    const bool isOpen = !lane.empty() && lane.back().toNs < 0;
    if (!isAlive(known)) {
        if (isOpen)
            lane.back().toNs = m_now;
        return;
    }
    const bool isInCall = known.phase == Phase::InCall;
    const SpanKind kind = !isInCall                       ? SpanKind::Computing
                          : state.calls().isBlocked(rank) ? SpanKind::Waiting
                                                          : SpanKind::Calling;
    const bool isOverlapped = !isInCall && !state.calls().requestsOf(rank).empty();
    if (isOpen && lane.back().kind == kind && lane.back().isOverlapped == isOverlapped)
        return;
    if (isOpen)
        lane.back().toNs = m_now;
    lane.push_back({kind, isOverlapped, m_now, -1});
}

size_t Lanes::stepAt(std::int64_t ns) const
{
    const auto after = std::ranges::upper_bound(m_times, ns);
    return after == m_times.begin() ? 0 : static_cast<size_t>(after - m_times.begin()) - 1;
}

} // namespace ringmaster::lesson
